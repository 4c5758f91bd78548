"""How efficient work in parts is: measured up to the cores there are, modelled beyond.

    python benchmarks/executors.py                           # the tables
    python benchmarks/executors.py --write docs/cluster.md   # into the page
    python benchmarks/executors.py --quick

The model: n workers that share t seconds of work take T(n) = t / n + n * m + s. The message of a
part takes m, measured by many parts with next to no work. The slowest part takes s more than the
average, which is what two workers take longer than t / 2 + 2 * m.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import playout as po

MARKS = ("<!-- benchmarks/executors.py: begin -->\n", "<!-- benchmarks/executors.py: end -->")
START = po.Breakthrough()
Work = Callable[..., object]
WORK: dict[str, Work] = {
    "playouts": lambda n, **how: po.playouts(START, 400 * n, seed=1, **how),
    "compare": lambda n, **how: po.compare(
        START, ["uct"], playouts=20 * n, runs=8, seed=1, exact_nodes=0, **how
    ),
    "search": lambda n, **how: po.search(START, "uct", playouts=100 * n, seed=1, **how),
}
MEASURED = 2  # workers
PARTS = 500  # with next to no work, to measure a message
MODELLED = (8, 64, 512)  # workers
MINUTES = 10  # of work in a modelled call


@contextmanager
def processes() -> Iterator[Executor]:
    """Processes of this machine."""
    with ProcessPoolExecutor(MEASURED) as pool:
        yield pool


@contextmanager
def dask() -> Iterator[Executor]:
    """A Dask cluster on this machine, with a process for each worker."""
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        cluster = LocalCluster(MEASURED, threads_per_worker=1, dashboard_address=None)
        client = Client(stack.enter_context(cluster))
        yield stack.enter_context(client).get_executor(pure=False)


def seconds_of(call: Callable[[], object], rounds: int) -> float:
    """The shortest time of some rounds."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def row(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def lines(title: str, pool: Executor, n: int, rounds: int) -> Iterator[str]:
    """A row for each kind of work on an executor."""
    games = partial(po.playouts, START, 64 * PARTS, seed=1, executor=pool, workers=PARTS)
    games()  # all workers have started
    message = seconds_of(games, rounds) / PARTS
    for name, work in WORK.items():
        one = seconds_of(partial(work, n, executor=pool, workers=1), rounds)
        two = seconds_of(partial(work, n, executor=pool, workers=MEASURED), rounds)
        wait = max(0.0, two - one / MEASURED - MEASURED * message)
        shares = [one / two / MEASURED, *(modelled(w, message, wait) for w in MODELLED)]
        times = f"{one:.2f}", f"{two:.2f}", f"{1000 * message:.2f}"
        yield row(f"{title}, `{name}`", *times, *(f"{100 * share:.0f} %" for share in shares))


def modelled(workers: int, message: float, wait: float) -> float:
    """The share of their time in which the workers of a long call work."""
    part = 60 * MINUTES / workers
    return part / (part + workers * message + wait)


def table(n: int, rounds: int) -> Iterator[str]:
    """The table, line by line."""
    times = "1 worker, s", f"{MEASURED} workers, s", "a message, ms"
    yield row("executor, work", *times, *(f"{w} workers" for w in (MEASURED, *MODELLED)))
    yield "|---" + "|--:" * (4 + len(MODELLED)) + "|"
    kinds = {"processes": processes} | ({"Dask": dask} if find_spec("distributed") else {})
    for title, kind in kinds.items():
        with kind() as pool:
            yield from lines(title, pool, n, rounds)
    yield ""
    yield (
        f"Efficiencies: measured with {MEASURED} workers on {os.cpu_count()} cores, modelled for "
        f"more, in a call with {MINUTES} minutes of work."
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure the efficiency of executors.")
    parser.add_argument("--quick", action="store_true", help="in short")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page")
    args = parser.parse_args()
    found = []
    for line in table(*((10, 1) if args.quick else (10_000, 5))):
        print(line, flush=True)
        found.append(line)
    if args.write:
        before, _, rest = args.write.read_text().partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        text = "\n".join([before + MARKS[0], *found, "", MARKS[1] + after])
        args.write.write_text(text)


if __name__ == "__main__":
    main()
