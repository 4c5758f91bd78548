"""Kill a match at random moments, let it go on, and compare its games with those of a whole one."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import playout as po
from playout.arena.contest import Row
from playout.arena.match import recorded

PROMISE = "a match that is killed at any moment goes on, and every game counts once"

PLAYS = """
import signal, sys
import playout as po
signal.signal(signal.SIGINT, signal.default_int_handler)
if __name__ == "__main__":
    games, workers, when, path = int(sys.argv[1]), int(sys.argv[2]) or None, *sys.argv[3:]
    if when == "early":
        print("playing", flush=True)
    told = []
    def tell(match):
        if not told and when == "late":
            print("playing", flush=True)
        told.append(True)
    try:
        po.match("uct@50", "rave@50", game=po.Breakthrough(5), seed=1, games=games, record=path,
                 workers=workers, progress=tell)
    except KeyboardInterrupt:
        sys.exit(130)
"""
GAMES_A_KILL = 300  # so that the match is not over before the last kill
LATEST = 0.05  # seconds after which the kill comes at the latest
Games = set[tuple[object, ...]]


def attack(night: bool) -> str:
    """Half of the kills are Ctrl-C, half of the matches have two workers."""
    kills = 100 if night else 8
    games = kills * GAMES_A_KILL
    rng = random.Random(1)
    whole = _games(po.match("uct@50", "rave@50", game=po.Breakthrough(5), seed=1, games=games).rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.db"
        known: Games = set()
        for number in range(kills):
            sent = signal.SIGINT if number % 4 >= 2 else signal.SIGKILL
            when = "late" if number % 3 else "early"
            _killed(path, sent, rng.uniform(0, LATEST), [games, 2 * (number % 2), when])
            known = _after(path, known, whole)
        assert known < whole, "the match was over before the last kill: nothing is shown"
        rest = po.match(
            "uct@50", "rave@50", game=po.Breakthrough(5), seed=1, games=games, record=path
        )
        assert len(rest.rows) == games, f"{len(rest.rows)} games instead of {games}"
        assert _games(rest.rows) == whole
    return f"{kills} kills, {len(known):,} games before the last one: 0 lost, 0 counted twice"


def _killed(path: Path, sent: signal.Signals, after: float, how: list[object]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PLAYS, *map(str, how), str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "playing\n"
    time.sleep(after)
    process.send_signal(sent)
    process.wait(timeout=60)
    process.stdout.close()


def _after(path: Path, known: Games, whole: Games) -> Games:
    """What the record holds after a kill: what it held before, and games of this match only."""
    if not path.exists():
        return known
    rows = recorded(path)[3] if path.stat().st_size else []
    found = _games(rows)
    assert len(found) == len(rows), "a game is in the record twice"
    assert known <= found, f"{len(known - found)} games are gone"
    assert found <= whole, f"{len(found - whole)} games are not those of the match"
    return found


def _games(rows: list[Row]) -> Games:
    return {(row.fixture, row.opening, row.played.moves, row.played.result) for row in rows}
