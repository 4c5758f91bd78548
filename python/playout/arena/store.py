"""The record of a match or tournament: one SQLite file, to which every game is added as it ends.

A game is added by one transaction of a write-ahead log, and its fixture is its key. So a process
may be killed at any moment: a game is in the file whole or not at all, and never twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from mcts_core.errors import shown
from playout.arena.contest import Contest, Fixture, Row
from playout.arena.game import Played

KIND, VERSION = "playout games", 1
PATIENCE = 30.0  # seconds to wait for another process that writes

SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    a INTEGER NOT NULL,        -- the two players, by their number in the contest
    b INTEGER NOT NULL,
    pair INTEGER NOT NULL,     -- of games with one opening
    side INTEGER NOT NULL,     -- 0: a plays first; 1: b does
    opening TEXT NOT NULL,     -- moves
    moves TEXT NOT NULL,       -- those after the opening
    result REAL NOT NULL,      -- to the player who plays first
    reason TEXT NOT NULL,
    fault TEXT NOT NULL,
    seconds TEXT NOT NULL,     -- for each move, as JSON
    expected TEXT NOT NULL,    -- the first player's result, as each mover expected it, as JSON
    began TEXT NOT NULL,
    worker TEXT NOT NULL,
    machine TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (a, b, pair, side)
) WITHOUT ROWID;
"""
COLUMNS = 15


class Store:
    """The games of a contest, in a file or (without a path) in memory."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        with self._faults():
            self._base = sqlite3.connect(
                ":memory:" if path is None else path, timeout=PATIENCE, isolation_level=None
            )
            try:
                self._refuse_others()
                self._base.execute("PRAGMA journal_mode=WAL")
                self._base.execute("PRAGMA synchronous=NORMAL")
                self._base.executescript(SCHEMA)
            except BaseException:
                self._base.close()
                raise

    def _refuse_others(self) -> None:
        """Raise ValueError for a database that is no record, before anything is written to it."""
        found = self._base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        if found and not {("about",), ("games",)} <= {*found}:
            raise ValueError(f"{self.path} is another program's database: give another file")

    @classmethod
    def of(cls, contest: Contest, path: Path | None) -> Self:
        """The store of a contest: a new one, or the one that is in the file already."""
        store = cls(path)
        try:
            store._claim(contest.described())
        except BaseException:
            store.close()
            raise
        return store

    def _claim(self, described: dict[str, Any]) -> None:
        """Write down what is played, or check that the file's games are of the same contest."""
        known = self.about()
        if not known:
            self.note({"kind": KIND, "version": VERSION, "contest": described})
            return
        if known.get("kind") != KIND or known.get("version") != VERSION:
            raise ValueError(f"{self.path} holds no games of this version of playout")
        for name, value in described.items():
            if known["contest"].get(name) != json.loads(json.dumps(value)):
                raise ValueError(
                    f"{self.path} holds games of another contest: its {name} is "
                    f"{shown(known['contest'].get(name))}, not {shown(value)}; give another file"
                )

    def about(self) -> dict[str, Any]:
        """What the file says of itself; empty in a new one."""
        with self._faults():
            rows = self._base.execute("SELECT name, value FROM about").fetchall()
        return {name: json.loads(value) for name, value in rows}

    def note(self, facts: dict[str, Any]) -> None:
        """Add to what the file says of itself."""
        with self._faults():
            self._base.executemany(
                "INSERT OR REPLACE INTO about VALUES (?, ?)",
                [(name, json.dumps(value)) for name, value in facts.items()],
            )

    def add(self, row: Row) -> None:
        """Add a game, once."""
        played = row.played
        values = (
            *row.fixture,
            " ".join(row.opening),
            " ".join(played.moves),
            played.result,
            played.reason,
            played.fault,
            json.dumps([round(seconds, 6) for seconds in played.seconds]),
            json.dumps(played.expected),
            row.began,
            row.worker,
            row.machine,
            row.version,
        )
        marks = ", ".join("?" * COLUMNS)
        with self._faults():
            self._base.execute(f"INSERT OR IGNORE INTO games VALUES ({marks})", values)

    def fixtures(self) -> set[Fixture]:
        """The games that are in it."""
        with self._faults():
            rows = self._base.execute("SELECT a, b, pair, side FROM games").fetchall()
        return {Fixture(*row) for row in rows}

    def rows(self) -> Iterator[Row]:
        """All games, in the order of their fixtures."""
        with self._faults():
            rows = self._base.execute("SELECT * FROM games ORDER BY pair, a, b, side").fetchall()
        for row in rows:
            opening, moves, result, reason, fault, seconds, expected = row[4:11]
            played = Played(
                tuple(moves.split()),
                result,
                reason,
                fault,
                tuple(json.loads(seconds)),
                tuple(json.loads(expected)),
            )
            yield Row(Fixture(*row[:4]), tuple(opening.split()), played, *row[11:])

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """SQLite's errors as a ValueError that names the file."""
        try:
            yield
        except sqlite3.DatabaseError as fault:
            raise ValueError(
                f"{self.path} cannot be used as a record of games: {fault}; give a new file in a "
                "folder that exists, or a file that playout wrote"
            ) from None
