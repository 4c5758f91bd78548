"""The record of a match: games in a file, each once, whatever happens."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import playout as po
from playout.arena.match import recorded
from playout.arena.store import Store
from support.timers import ends_with_ctrl_c, needs_timer

START = po.Breakthrough(4)


def play(path: Path | None, games: int = 20, **more: object) -> po.Match:
    settings = {"game": START, "seed": 1, "games": games, "record": path, **more}
    return po.match("uct@50", "flat@50", **settings)  # type: ignore[arg-type]


def games_of(found: po.Match) -> list[tuple[object, ...]]:
    rows = sorted(found.rows, key=lambda row: row.fixture)
    return [(row.fixture, row.opening, row.played.moves) for row in rows]


def test_what_is_stored_comes_back(tmp_path: Path) -> None:
    played = play(tmp_path / "run.db")
    contest, games, sprt, rows = recorded(tmp_path / "run.db")
    assert contest == played.contest
    assert (games, sprt) == (20, None)
    for stored, row in zip(rows, sorted(played.rows, key=lambda row: row.fixture[2:]), strict=True):
        assert stored.fixture == row.fixture
        assert stored[1] == row[1]
        assert stored.played.moves == row.played.moves
        assert stored.played.expected == row.played.expected
        assert stored.played.seconds == pytest.approx(row.played.seconds, abs=1e-6)
        assert stored[3:] == row[3:]


def test_a_match_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    play(path, 6)
    seen: list[int] = []
    found = play(path, 20, progress=lambda match: seen.append(len(match.rows)))
    assert seen == list(range(7, 21))
    assert games_of(found) == games_of(play(None))
    assert games_of(play(path)) == games_of(play(None))  # nothing is left to play


def test_the_same_call_goes_on_without_a_seed(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    seed = play(path, 6, seed=None).contest.seed
    assert play(path, 10, seed=None).contest.seed == seed
    assert games_of(play(path, 10, seed=None)) == games_of(play(None, 10, seed=seed))


def test_fewer_games_than_there_are(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    play(path, 20)
    assert play(path, 4).games == 20


@needs_timer
def test_ctrl_c_keeps_the_games(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    ends_with_ctrl_c(lambda: play(path, 10**6), 0.3)
    rows = recorded(path)[3]
    assert len(rows) > 10
    whole = {(row.fixture, row.played.moves) for row in play(None, len(rows) // 2 * 2 + 2).rows}
    assert {(row.fixture, row.played.moves) for row in rows} <= whole


PLAYS = """
import sys
import playout as po
po.match("uct@50", "flat@50", game=po.Breakthrough(4), seed=1, games=300, record=sys.argv[1],
         progress=lambda match: print(len(match.rows), flush=True))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill here")
def test_a_killed_match_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    told = 0
    for kill in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", PLAYS, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(5 + 7 * kill):
            told = int(process.stdout.readline())
        process.kill()
        process.wait()
        process.stdout.close()
        with closing(sqlite3.connect(path)) as base:
            assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert len(recorded(path)[3]) >= told  # told only after it was stored
    assert games_of(play(path, 300)) == games_of(play(None, 300))


def test_another_contest_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    play(path)
    with pytest.raises(ValueError, match="holds games of another contest: its seed is 1, not 2"):
        play(path, seed=2)
    with pytest.raises(ValueError, match="its openings is"):
        play(path, openings=2)
    with pytest.raises(ValueError, match="its players is"):
        po.match("uct@50", "flat@51", game=START, seed=1, games=2, record=path)


def test_a_test_may_be_added_later(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    play(path)
    assert play(path, 40, sprt=(0, 100)).llr is not None


@pytest.mark.parametrize(
    "content", [b"", b"no database", b"SQLite format 3\x00" + bytes(200)], ids=["0", "text", "torn"]
)
def test_files_that_are_no_record(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.db"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"run\.db"):
        recorded(path)
    assert path.read_bytes()[: len(content)] == content or not content


def test_a_database_of_somebody_else(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE about (name TEXT, value TEXT)")
        base.execute("INSERT INTO about VALUES ('kind', '\"addresses\"')")
        base.commit()
    content = path.read_bytes()
    for use in (play, recorded):
        with pytest.raises(ValueError, match="is another program's database"):
            use(path)
    assert path.read_bytes() == content


def test_a_record_of_another_version(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    with Store(path) as store:
        store.note({"kind": "playout games", "version": 99, "contest": {"seed": 1}})
    with pytest.raises(ValueError, match="holds no games of this version of playout"):
        play(path)


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be used as a record"):
        play(tmp_path / "no" / "such" / "folder.db")
    with pytest.raises(ValueError, match="cannot be used as a record"):
        play(tmp_path)
    with pytest.raises(ValueError, match="there is no such record"):
        recorded(tmp_path / "run.db")


def test_a_game_is_in_it_once(tmp_path: Path) -> None:
    """Two processes that play the same games at a time."""
    path = tmp_path / "run.db"
    found = play(None)
    with Store.of(found.contest, path) as one, Store.of(found.contest, path) as other:
        for row in found.rows:
            one.add(row)
            other.add(row)
        assert len(list(one.rows())) == len(list(other.rows())) == 20
