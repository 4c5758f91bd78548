"""RAVE and UCT: simulations a second at equal simulations, and at equal depth of tree.

    python benchmarks/depth.py           # two minutes
    python benchmarks/depth.py --quick   # a few seconds, for CI

RAVE explores less and searches deeper, so its simulations pass more entries of the tree than the
same number of simulations of UCT. Both search the start position with more and more simulations.
The depth of a tree is the mean number of entries that its simulations passed. UCT's rate at the
depth of a tree of RAVE is interpolated between its own trees. One thread, best of several, measured
in turns.

Reading order: `measure` fills a curve for each method, `at_depth` reads it, `table` formats it.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field

import numpy as np

try:
    import playout as po
    from playout.measure import cpu_model, short
except ImportError as error:
    sys.exit(f"depth.py needs the compiled library ({error}); pip install . and run it again")

AMOUNTS = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 200_000)
METHODS = (po.UCT(), po.RAVE())
LEAST_SECONDS = 0.05  # searches are repeated for this time in each round


@dataclass
class Curve:
    """The trees of a method: their depths and the rates at which they grew."""

    depths: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)  # simulations a second

    def at_depth(self, depth: float) -> float:
        """The rate at a depth between two of the trees; nan beyond the last."""
        return float(np.interp(depth, self.depths, self.rates, left=np.nan, right=np.nan))


def depth_of(tree: po.Node, simulations: int) -> float:
    """Mean entries passed by a simulation. Every visit of an entry chose one of its moves."""
    passed, seen, below = 0, {tree.position.fen}, [tree]
    while below:
        for child in below.pop().children:
            passed += child.visits
            if child.position.fen not in seen:
                seen.add(child.position.fen)
                below.append(child)
    return passed / simulations


def rate(start: po.Position, method: po.Method, simulations: int, at_least: float) -> float:
    """Simulations per second, the best of several searches."""
    best, began = 0.0, time.perf_counter()
    while True:
        result = po.search(start, method, playouts=simulations, seed=1)
        best = max(best, simulations / result.seconds)
        if time.perf_counter() - began >= at_least:
            return best


def measure(start: po.Position, amounts: tuple[int, ...], rounds: int) -> list[Curve]:
    """A curve for each method."""
    curves = [Curve() for _ in METHODS]
    for amount in amounts:
        rates = [
            [rate(start, method, amount, LEAST_SECONDS) for method in METHODS]
            for _ in range(rounds)
        ]
        for i, method in enumerate(METHODS):
            tree = po.search(start, method, playouts=amount, seed=1).tree
            curves[i].depths.append(depth_of(tree, amount))
            curves[i].rates.append(max(row[i] for row in rates))
    return curves


def table(start: po.Position, amounts: tuple[int, ...], curves: list[Curve]) -> str:
    """A markdown table with a line for each number of simulations."""
    uct, rave = curves
    lines = [
        f"| {type(start).__name__} 8x8 | UCT's depth | a second | RAVE's depth | a second "
        "| RAVE / UCT | UCT as deep | RAVE / UCT as deep |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for i, amount in enumerate(amounts):
        as_deep = uct.at_depth(rave.depths[i])
        known = as_deep == as_deep
        cells = [
            f"{amount:,}",
            f"{uct.depths[i]:.1f}",
            short(uct.rates[i]),
            f"{rave.depths[i]:.1f}",
            short(rave.rates[i]),
            f"{rave.rates[i] / uct.rates[i]:.2f}",
            short(as_deep) if known else "",
            f"{rave.rates[i] / as_deep:.2f}" if known else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="RAVE and UCT at equal depth, as markdown.")
    parser.add_argument("--quick", action="store_true", help="small trees, once, for CI")
    return parser.parse_args()


def main() -> None:
    """Measure and print a table for each game."""
    amounts, rounds = (AMOUNTS[:3], 1) if arguments().quick else (AMOUNTS, 5)
    for start in (po.Breakthrough(), po.Othello()):
        print(table(start, amounts, measure(start, amounts, rounds)), end="\n\n")
    print(f"Simulations, best of several. {cpu_model()}, code for {po.cpu()}.")


if __name__ == "__main__":
    main()
