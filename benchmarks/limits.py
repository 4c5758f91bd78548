"""How exactly a search keeps to its time: `seconds=` from a millisecond to a second.

    python benchmarks/limits.py                # 1,000 searches, two to three minutes
    python benchmarks/limits.py --threads 2
    python benchmarks/limits.py --busy 2       # while two other processes compute
    python benchmarks/limits.py --quick        # a few seconds, for CI

The limits are spread evenly on a logarithmic scale, in random order, over all methods, alpha-beta
and the exact solvers, several boards and all phases of the game. The overrun is the time from the
call to its return minus the limit. A solver that answers before its limit has no overrun. Without
--busy, run nothing else meanwhile; otherwise the 99th percentile measures the other programs.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

import playout as po

STARTS = [po.Breakthrough(8), po.Breakthrough(5), po.Othello(8)]

Search: TypeAlias = Callable[[po.Position, float, int, int], object]  # limit, seed, threads


def search_by(method: po.Method) -> Search:
    """Search by a method with playouts."""
    most = 1 if isinstance(method, po.UCB) else 2**10

    def search(position: po.Position, limit: float, seed: int, threads: int) -> object:
        return po.search(position, method, seconds=limit, seed=seed, threads=min(threads, most))

    return search


def alphabeta(position: po.Position, limit: float, seed: int, threads: int) -> object:
    """Alpha-beta, for Othello only."""
    position = position if isinstance(position, po.Othello) else STARTS[2]
    return po.search(position, po.AlphaBeta(), seconds=limit)


def solve(position: po.Position, limit: float, seed: int, threads: int) -> object:
    """Solve any position exactly; most are not solved in time."""
    return po.solve(position, seconds=limit)


METHODS = (po.Flat(), po.UCB(), po.AMAF(), po.UCT(), po.RAVE(), po.GRAVE())
SEARCHES: dict[str, Search] = {repr(method): search_by(method) for method in METHODS}
SEARCHES |= {"AlphaBeta()": alphabeta, "solve": solve}


@dataclass(frozen=True)
class Measurement:
    """One search; times in seconds."""

    name: str
    limit: float
    overrun: float


def limits(n: int, shortest: float, longest: float, choice: random.Random) -> list[float]:
    """n limits in random order: as many between 1 and 10 ms as between 0.1 and 1 s."""
    spread = [float(limit) for limit in np.geomspace(shortest, longest, n)]
    choice.shuffle(spread)
    return spread


def some_position(choice: random.Random) -> po.Position:
    """An unfinished position of a random game."""
    start = choice.choice(STARTS)
    moves = po.playout(start, seed=choice.getrandbits(32)).moves
    position = start.copy()
    for move in moves[: choice.randrange(len(moves))]:
        position.push(move)
    return position


def measure(n: int, longest: float, threads: int, seed: int) -> Iterator[Measurement]:
    """Measure searches one after the other."""
    choice = random.Random(seed)
    names = list(SEARCHES)
    for number, limit in enumerate(limits(n, 0.001, longest, choice)):
        name = names[number % len(names)]
        position = some_position(choice)
        began = time.perf_counter()
        result = SEARCHES[name](position, limit, number, threads)
        yield Measurement(name, limit, max(0.0, time.perf_counter() - began - limit))
        del result  # freeing a big tree takes time, but after the answer


def line(name: str, measurements: list[Measurement]) -> str:
    """Percentiles of the overruns as a line of a markdown table, in milliseconds."""
    overruns = [1000 * measurement.overrun for measurement in measurements]
    figures = np.percentile(overruns, [50, 90, 99, 100])
    return f"| {name} | {len(overruns)} | " + " | ".join(f"{ms:.2f}" for ms in figures) + " |"


HEADER = "| overrun, ms | searches | median | 90 % | 99 % | worst |\n|---|--:|--:|--:|--:|--:|"
RANGES = {"limits below 10 ms": (0.0, 0.01), "below 100 ms": (0.01, 0.1), "above": (0.1, np.inf)}


def report(measurements: list[Measurement]) -> str:
    """Overruns by method, by length of the limit, and of all."""
    groups = {name: [m for m in measurements if m.name == name] for name in SEARCHES}
    for name, (shortest, longest) in RANGES.items():
        groups[name] = [m for m in measurements if shortest < m.limit <= longest]
    groups["all"] = measurements
    return "\n".join([HEADER, *(line(name, group) for name, group in groups.items() if group)])


@contextmanager
def busy(n: int) -> Iterator[None]:
    """n processes that compute meanwhile."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure by how much searches overrun `seconds=`.")
    parser.add_argument("--quick", action="store_true", help="60 searches of 0.1 s at most, for CI")
    parser.add_argument("--threads", type=int, default=1, help="where a search can use them")
    parser.add_argument("--busy", type=int, default=0, help="other processes that compute")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    n, longest = (64, 0.1) if args.quick else (1000, 1.0)
    with busy(args.busy):
        print(report(list(measure(n, longest, args.threads, args.seed))))


if __name__ == "__main__":
    main()
