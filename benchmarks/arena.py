"""What handing games out costs: two workers against one, and the scheduler's share of many.

    python benchmarks/arena.py            # some minutes
    python benchmarks/arena.py --quick    # for CI

The first table plays the same games by one process and by two, for games of several lengths. The
second gives games to an executor that simulates 1,000 workers: each game takes its time on a
simulated clock, so all the time that passes is that of giving games out, taking them back and
storing them.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import playout as po
from playout.arena import runner
from playout.arena.contest import Contest, Fixture, Row
from playout.arena.limit import Limit
from playout.arena.match import contest_of
from playout.arena.store import Store

LENGTHS = (0.02, 0.05, 0.2)  # seconds of a game
WORKERS = 1000
SECONDS = 1.0  # of a simulated game


def sleeper(seconds: float) -> Contest:
    """A contest whose games take this long: one opening that nobody has to think about."""
    return contest_of(
        [f"uct@{seconds / 20:g}s", f"ucb@{seconds / 20:g}s"],
        po.Breakthrough(5), Limit(), 1, 0, po.Adjudication(most_plies=20), "round robin", None,
    )  # fmt: skip


def elapsed(contest: Contest, games: int, workers: int) -> float:
    """Seconds to play the games by some processes, and to keep them in a file."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with Store.of(contest, Path(folder) / "run.db") as store:
            for _ in runner.play_games(contest, games // 2, store, workers):
                pass
        return time.perf_counter() - began


class Simulated(Executor):
    """Workers on a simulated clock. Waiting for a game moves the clock on."""

    _max_workers = WORKERS

    def __init__(self, row: Row) -> None:
        self.row = row
        self.now = 0.0
        self._numbers = itertools.count()
        self._free = [0.0] * WORKERS  # when each worker has nothing more to do
        self.ends: list[tuple[float, int, Future[Row], Fixture]] = []

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        """Give a game to the worker that is free first."""
        future: Future[Any] = Future()
        begins = max(heapq.heappop(self._free), self.now)
        heapq.heappush(self._free, begins + SECONDS)
        heapq.heappush(self.ends, (begins + SECONDS, next(self._numbers), future, arguments[0]))
        if len(self.ends) >= runner.AHEAD * WORKERS:
            self.end_one()
        return future

    def end_one(self) -> None:
        """Move the clock on to the end of the next game."""
        self.now, _, future, fixture = heapq.heappop(self.ends)
        future.set_result(self.row._replace(fixture=fixture))


def scheduling(games: int) -> tuple[float, float]:
    """Seconds of real time, and of simulated time, that the games take."""
    contest = sleeper(0.02)
    row = contest.play(Fixture(0, 1, 0, 0))
    executor = Simulated(row)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with Store.of(contest, Path(folder) / "run.db") as store:
            played = runner.play_games(contest, games // 2, store, executor)
            for count, _ in enumerate(played, start=1):
                if executor.ends and count >= games - len(executor.ends):
                    executor.end_one()
        return time.perf_counter() - began, executor.now


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="What handing games out costs.")
    parser.add_argument("--quick", action="store_true", help="few games, for CI")
    quick = parser.parse_args().quick
    print("| a game, s | games | one worker, s | two workers, s | ratio |\n|--:|--:|--:|--:|--:|")
    for length in LENGTHS:
        contest = sleeper(length)
        games = 8 if quick else 2 * round(20 / length)
        one, two = elapsed(contest, games, 1), elapsed(contest, games, 2)
        print(f"| {length:g} | {games} | {one:.2f} | {two:.2f} | {one / two:.2f} |", flush=True)
    games = 4_000 if quick else 100_000
    real, simulated = scheduling(games)
    print(
        f"\n{WORKERS:,} simulated workers, games of {SECONDS:g} s: {games:,} games scheduled and "
        f"stored in {real:.1f} s ({1e6 * real / games:.0f} us a game), "
        f"{100 * real / simulated:.1f} % of the {simulated:.0f} s that they take"
    )


if __name__ == "__main__":
    main()
