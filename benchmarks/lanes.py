"""Searches whose playouts are played in lanes: simulations a second, by the number of lanes.

    python benchmarks/lanes.py           # two minutes: the table of docs/searches.md
    python benchmarks/lanes.py --quick   # a few seconds, for CI

Tree methods, from the start position, on one thread. The searches of a line take turns, and the
best of each counts. `strength.py --lanes` measures the strength of lanes.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable
from dataclasses import replace

try:
    import playout as po
    from playout.measure import Contestant, Row, cpu_model, race, short
except ImportError as error:
    sys.exit(f"lanes.py needs the compiled library ({error}); pip install . and run it again")

LANES = (1, 8, 16, 24, 32)
METHODS: tuple[po.UCT | po.RAVE | po.GRAVE, ...] = (po.UCT(), po.RAVE(), po.GRAVE())
STARTS = (po.Breakthrough(), po.Othello())
SIMULATIONS = 200_000


def searching(start: po.Position, method: po.Method) -> Callable[[int], object]:
    """A function that searches, each time with another seed."""
    seeds = itertools.count(1)
    return lambda n: po.search(start, method, playouts=n, seed=next(seeds))


def line(start: po.Position, method: po.UCT | po.RAVE | po.GRAVE, n: int) -> Row:
    """One method and game, with each number of lanes."""
    contestants = [
        Contestant(str(lanes), searching(start, replace(method, lanes=lanes)), n) for lanes in LANES
    ]
    return Row(f"{type(method).__name__}, {type(start).__name__} 8x8", contestants)


def table(rows: list[Row]) -> str:
    """The table as markdown."""
    first, *others = LANES
    lines = [
        f"| | lanes={first} | {' | '.join(map(str, others))} | best / lanes={first} |",
        "|---|" + "--:|" * (len(LANES) + 1),
    ]
    for row in rows:
        rates = [row.rates[str(lanes)] for lanes in LANES]
        cells = [row.title, *map(short, rates), f"{max(rates) / rates[0]:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Simulations a second by lanes, as markdown.")
    parser.add_argument("--quick", action="store_true", help="short searches, once, for CI")
    quick = parser.parse_args().quick
    n = SIMULATIONS // (20 if quick else 1)
    rows = [line(start, method, n) for method in METHODS for start in STARTS]
    race(rows, 1 if quick else 5, 0.05)
    print(table(rows))
    print(f"\n{n:,} simulations a search, one thread. {cpu_model()}, code for {po.cpu()}.")


if __name__ == "__main__":
    main()
