"""The rates of playouts and simulations as the work grows: tables and picture of docs/speed.md.

    python benchmarks/growth.py                                # about two minutes, up to 4 GB
    python benchmarks/growth.py --quick                        # a few seconds, for CI
    python benchmarks/growth.py --plot docs/images/growth.svg

Breakthrough 5x5 to 8x8 with one and two threads: random playouts from the start position in one
call, and UCT searches, from a thousand to ten million games or simulations. Each figure is the best
of several, by the wall clock; those of a line are measured in turns.

Reading order: `measure` fills a grid of rates, `table` formats it, `plot` draws it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

try:
    import playout as po
    from playout.measure import cpu_model, short
except ImportError as error:
    sys.exit(f"growth.py needs the compiled library ({error}); pip install . and run it again")

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BOARDS = (5, 6, 7, 8)
THREADS = (1, 2)
AMOUNTS = [10**k for k in range(3, 8)]
MEMORY = "4GB"  # enough that no table gets full
LEAST_SECONDS = 0.3  # short calls are repeated for this time
LARGE = 10**7

Rates = dict[tuple[int, int, int], float]  # (board, threads, amount) -> per second


def play(size: int, threads: int, n: int) -> None:
    """n random playouts."""
    po.playouts(po.Breakthrough(size), n, seed=1, threads=threads)


def search(size: int, threads: int, n: int) -> None:
    """A UCT search with n simulations."""
    po.search(po.Breakthrough(size), po.UCT(), playouts=n, seed=1, threads=threads, memory=MEMORY)


def best_rate(work: Callable[[], None], amount: int, at_least: float) -> float:
    """The best rate of the calls that fit into the time, of at least one."""
    best, began = 0.0, time.perf_counter()
    while True:
        begin = time.perf_counter()
        work()
        now = time.perf_counter()
        best = max(best, amount / (now - begin))
        if now - began >= at_least:
            return best


def measure(
    work: Callable[[int, int, int], None], amounts: list[int], rounds: int, at_least: float
) -> Rates:
    """The rates for every board, number of threads and amount; the best of `rounds` rounds."""
    rates: Rates = {}
    for turn in range(rounds):
        for amount in amounts:
            if turn and amount >= LARGE:
                continue  # large amounts are measured once
            for size in BOARDS:
                for threads in THREADS:
                    key = size, threads, amount
                    found = best_rate(lambda key=key: work(*key), amount, at_least)
                    rates[key] = max(found, rates.get(key, 0.0))
    return rates


def table(title: str, rates: Rates, amounts: list[int]) -> str:
    """A markdown table with a line for each amount."""
    heads = [f"{size}x{size}, {threads} thr." for size in BOARDS for threads in THREADS]
    lines = [
        f"| {title} | {' | '.join(heads)} |",
        f"| ---: |{' ---: |' * len(heads)}",
    ]
    for amount in amounts:
        cells = [short(rates[size, threads, amount]) for size in BOARDS for threads in THREADS]
        lines.append(f"| {amount:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


# Explanations of the bends in the curves, from left to right.
BENDS = {
    "random playouts": {
        10**3: "the call and\nits threads\nmust begin",
        10**5: "all lanes are\nbusy to the end",
    },
    "simulations of UCT": {
        10**3: "the search\nand its threads\nmust begin",
        10**4: "the table fits\ninto the core's\ncache",
        10**6: "it fits into\nno cache",
        10**7: "longer\nwalks",
    },
}


def plot(figures: dict[str, Rates], path: str) -> None:
    """Plot rates against amounts, one panel for each kind of work."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    from playout.plots.figure import COLOURS

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
    for ax, (title, rates) in zip(axes, figures.items(), strict=True):
        amounts = sorted({amount for _, _, amount in rates})
        for index, size in enumerate(BOARDS):
            for threads, line in zip(THREADS, ("-", "--"), strict=True):
                ax.plot(
                    amounts,
                    [rates[size, threads, amount] for amount in amounts],
                    linestyle=line,
                    color=COLOURS[index],
                    marker="o",
                    markersize=3.5,
                    label=f"{size}x{size}, {threads} thread{'s' * (threads > 1)}",
                )
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("in one call")
        ax.set_ylabel(f"{title} per second")
        ax.grid(visible=True, alpha=0.3)
        annotate(ax, rates, BENDS[title])
        low, high = ax.get_ylim()
        ax.set_ylim(low * (low / high) ** 0.3, high)  # room for the explanations
        ax.margins(x=0.12)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=len(BOARDS), loc="outside lower center", fontsize=8)
    figure.savefig(path, dpi=150)


def annotate(ax: Axes, rates: Rates, bends: dict[int, str]) -> None:
    """Write the explanations along the lower edge, each with a line to the lowest curve."""
    for amount, words in bends.items():
        if (8, 1, amount) in rates:
            lowest = min(rate for (_, _, n), rate in rates.items() if n == amount)
            ax.annotate(
                words,
                (amount, lowest),
                xytext=(amount, 0.02),
                textcoords=("data", "axes fraction"),
                arrowprops={"arrowstyle": "-", "color": "grey", "linewidth": 0.7, "shrinkB": 4},
                ha="center",
                fontsize=8,
            )


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Rates against the amount of work, as markdown.")
    add = parser.add_argument
    add("--quick", action="store_true", help="small amounts, once, for CI")
    add("--json", metavar="FILE", help="also write the figures to FILE")
    add("--plot", metavar="FILE", help="also draw them into FILE (.svg, .png); needs matplotlib")
    return parser.parse_args()


def main() -> None:
    """Measure, print, and write the requested files."""
    args = arguments()
    amounts = AMOUNTS[:2] if args.quick else AMOUNTS
    rounds, at_least = (1, 0.0) if args.quick else (2, LEAST_SECONDS)
    figures = {
        "random playouts": measure(play, amounts, rounds, at_least),
        "simulations of UCT": measure(search, amounts, rounds, at_least),
    }
    for title, rates in figures.items():
        print(table(f"{title} in one call", rates, amounts))
    print(f"Per second, best of several. {cpu_model()}, code for {po.cpu()}.")
    if args.json:
        rows = [
            {"work": title, "board": size, "threads": threads, "amount": amount, "rate": rate}
            for title, rates in figures.items()
            for (size, threads, amount), rate in rates.items()
        ]
        Path(args.json).write_text(json.dumps(rows, indent=2) + "\n")
    if args.plot:
        plot(figures, args.plot)


if __name__ == "__main__":
    main()
