"""What handing games out costs: two workers against one, and the scheduler's share of many.

    python benchmarks/arena.py            # some minutes
    python benchmarks/arena.py --quick    # for CI

The first table plays the same games by one process and by two, for games of several lengths. The
second gives games to an executor that simulates 1,000 workers: each game takes its time on a
simulated clock, so all the time that passes is that of pickling games and giving them out, taking
them back and storing them. It does so with random openings and with a book.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import pickle
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np

import playout as po
from playout.arena import runner
from playout.arena.contest import Contest, Fixture, Row
from playout.arena.limit import Limit
from playout.arena.match import contest_of
from playout.arena.store import Store

LENGTHS = (0.02, 0.05, 0.2)  # seconds of a game
WORKERS = 1000
SECONDS = 1.0  # of a simulated game
BOOK = 10_000  # openings in the book


def sleeper(seconds: float, openings: object = 0) -> Contest:
    """A contest whose games take this long, by default from the start position."""
    players = [f"uct@{seconds / 20:g}s", f"ucb@{seconds / 20:g}s"]
    rules = po.Adjudication(most_plies=20)
    return contest_of(players, po.Breakthrough(5), Limit(), 1, openings, rules, "round robin", None)


def book(lines: int) -> list[str]:
    """Openings of six random plies."""
    drawn, start = po.Openings(plies=6), po.Breakthrough(5)
    seeds = np.random.SeedSequence(1).spawn(lines)
    return [" ".join(drawn.moves(start, seed)) for seed in seeds]


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
        self.sent = 0  # bytes
        self._numbers = itertools.count()
        self._free = [0.0] * WORKERS  # when each worker has nothing more to do
        self.ends: list[tuple[float, int, Future[Row], Fixture]] = []

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        """Give a game to the worker that is free first."""
        future: Future[Any] = Future()
        self.sent += len(pickle.dumps((call, arguments)))
        begins = max(heapq.heappop(self._free), self.now)
        heapq.heappush(self._free, begins + SECONDS)
        fixture = call.__self__.fixture  # type: ignore[attr-defined]
        heapq.heappush(self.ends, (begins + SECONDS, next(self._numbers), future, fixture))
        if len(self.ends) >= runner.AHEAD * WORKERS:
            self.end_one()
        return future

    def end_one(self) -> None:
        """Move the clock on to the end of the next game."""
        self.now, _, future, fixture = heapq.heappop(self.ends)
        future.set_result(self.row._replace(fixture=fixture))


def scheduling(contest: Contest, games: int) -> tuple[float, Simulated]:
    """Seconds of real time that the games take, and the executor after them."""
    row = contest.play(Fixture(0, 1, 0, 0))
    executor = Simulated(row)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with Store.of(contest, Path(folder) / "run.db") as store:
            played = runner.play_games(contest, games // 2, store, executor)
            for count, _ in enumerate(played, start=1):
                if executor.ends and count >= games - len(executor.ends):
                    executor.end_one()
        return time.perf_counter() - began, executor


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
    print(f"\n{WORKERS:,} simulated workers, {games:,} games of {SECONDS:g} s:\n")
    print(
        "| openings | bytes sent a game | scheduler, us a game | its share of the time |\n"
        "|---|--:|--:|--:|"
    )
    for name, openings in (("random", 4), (f"a book of {BOOK:,}", book(BOOK))):
        real, executor = scheduling(sleeper(0.02, openings), games)
        print(
            f"| {name} | {executor.sent / games:,.0f} | {1e6 * real / games:.0f} | "
            f"{100 * real / executor.now:.1f} % |",
            flush=True,
        )


if __name__ == "__main__":
    main()
