"""How exactly a search keeps to its time: `seconds=` from a millisecond to a second.

    python benchmarks/limits.py                # 1,000 searches, two to three minutes
    python benchmarks/limits.py --threads 2
    python benchmarks/limits.py --quick        # a few seconds, for CI

The limits are spread evenly on a logarithmic scale, in random order, over all methods, three
boards and all phases of the game. Overrun is the time from calling `playout.search` to its return,
less the limit: all that a user waits for. Let the machine do nothing else meanwhile, or what the
99th percentile tells about is the other programs.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import playout as po

METHODS: list[po.Method] = [po.Flat(), po.UCB(), po.AMAF(), po.UCT(), po.RAVE(), po.GRAVE()]
STARTS = [po.Breakthrough(8), po.Breakthrough(5), po.Othello(8)]


@dataclass(frozen=True)
class Measurement:
    """One search; times in seconds."""

    method: po.Method
    limit: float
    overrun: float


def limits(n: int, shortest: float, longest: float, choice: random.Random) -> list[float]:
    """So many, in random order: as many between 1 and 10 ms as between 0.1 and 1 s."""
    spread = [float(limit) for limit in np.geomspace(shortest, longest, n)]
    choice.shuffle(spread)
    return spread


def some_position(choice: random.Random) -> po.Position:
    """A position of a random game, not yet over."""
    start = choice.choice(STARTS)
    moves = po.playout(start, seed=choice.getrandbits(32)).moves
    position = start.copy()
    for move in moves[: choice.randrange(len(moves))]:
        position.push(move)
    return position


def measure(n: int, longest: float, threads: int, seed: int) -> Iterator[Measurement]:
    """One search after the other."""
    choice = random.Random(seed)
    for number, limit in enumerate(limits(n, 0.001, longest, choice)):
        method = METHODS[number % len(METHODS)]
        position = some_position(choice)
        n_threads = 1 if isinstance(method, po.UCB) else threads
        began = time.perf_counter()
        result = po.search(position, method, seconds=limit, seed=number, threads=n_threads)
        yield Measurement(method, limit, time.perf_counter() - began - limit)
        del result  # giving up a big tree takes its time too, but nobody is kept waiting


def line(name: str, measurements: list[Measurement]) -> str:
    """Percentiles of the overruns as a line of a markdown table, in milliseconds."""
    overruns = [1000 * measurement.overrun for measurement in measurements]
    figures = np.percentile(overruns, [50, 90, 99, 100])
    return f"| {name} | {len(overruns)} | " + " | ".join(f"{ms:.2f}" for ms in figures) + " |"


HEADER = "| overrun, ms | searches | median | 90 % | 99 % | worst |\n|---|--:|--:|--:|--:|--:|"
RANGES = {"limits below 10 ms": (0.0, 0.01), "below 100 ms": (0.01, 0.1), "above": (0.1, np.inf)}


def report(measurements: list[Measurement]) -> str:
    """By method, by length, and of all."""
    groups = {repr(method): [m for m in measurements if m.method is method] for method in METHODS}
    for name, (shortest, longest) in RANGES.items():
        groups[name] = [m for m in measurements if shortest < m.limit <= longest]
    groups["all"] = measurements
    return "\n".join([HEADER, *(line(name, group) for name, group in groups.items() if group)])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure by how much searches overrun `seconds=`.")
    parser.add_argument("--quick", action="store_true", help="60 searches of 0.1 s at most, for CI")
    parser.add_argument("--threads", type=int, default=1, help="for all methods but UCB")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    n, longest = (60, 0.1) if args.quick else (1000, 1.0)
    print(report(list(measure(n, longest, args.threads, args.seed))))


if __name__ == "__main__":
    main()
