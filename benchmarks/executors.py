"""How much faster work in parts gets with more workers, on the cores of this machine.

python benchmarks/executors.py            # the table of docs/cluster.md
python benchmarks/executors.py --quick
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import playout as po

START = po.Breakthrough()
Work = Callable[..., object]
WORK: dict[str, Work] = {
    "playouts": lambda n, **how: po.playouts(START, 400 * n, seed=1, **how),
    "compare": lambda n, **how: po.compare(
        START, ["uct"], playouts=20 * n, runs=8, seed=1, exact_nodes=0, **how
    ),
    "search": lambda n, **how: po.search(START, "uct", playouts=100 * n, seed=1, **how),
}


def seconds_of(call: Callable[[], object], rounds: int) -> float:
    """The shortest time of some rounds."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> None:
    """Print a row for each kind of work."""
    quick = "--quick" in sys.argv
    n, rounds = (10, 1) if quick else (10_000, 5)
    cores = os.cpu_count() or 1
    print(f"| on {cores} cores | 1 worker, s | {cores} workers, s | efficiency |")
    print("| --- | ---: | ---: | ---: |")
    with ProcessPoolExecutor(cores) as pool:
        list(pool.map(abs, range(10 * cores)))  # the workers have started
        for name, work in WORK.items():
            one = seconds_of(partial(work, n, executor=pool, workers=1), rounds)
            all_of_them = seconds_of(partial(work, n, executor=pool, workers=cores), rounds)
            share = one / all_of_them / cores
            print(f"| `{name}` | {one:.2f} | {all_of_them:.2f} | {100 * share:.0f} % |")


if __name__ == "__main__":
    main()
