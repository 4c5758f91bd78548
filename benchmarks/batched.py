"""Searches with an evaluator: what they cost besides the evaluator.

    python benchmarks/batched.py           # a minute: the figures of docs/networks.md
    python benchmarks/batched.py --quick   # a few seconds, for CI

Breakthrough 8x8, 256 trees, one thread. The first table has an evaluator that returns the same
arrays at once, so all time is the search's. In the second one it is a network of three layers of
3x3 convolutions with 64 filters, in numpy: the time of the search over the time spent in the
network. Seconds are those of the processor, and the best of several runs counts.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import playout as po
    from playout.measure import cpu_model
except ImportError as error:
    sys.exit(f"batched.py needs the compiled library ({error}); pip install . and run it again")

Array = NDArray[Any]
TREES = 256
START = po.Breakthrough()
FILTERS = 64


class Constant:
    """An evaluator that returns the same arrays at once."""

    def __init__(self, most: int) -> None:
        self.logits = np.zeros((most, START.n_codes), np.float32)
        self.values = np.full(most, 0.5, np.float32)

    def __call__(self, planes: Array, mask: Array) -> tuple[Array, Array]:
        """All moves are equal, and the value is one half."""
        return self.logits[: len(planes)], self.values[: len(planes)]


class Convolutions:
    """Three layers of 64 filters with random weights, and heads; it notes the time it takes."""

    def __init__(self) -> None:
        random = np.random.default_rng(1)
        depths = (2, FILTERS, FILTERS, FILTERS)
        self.layers = [
            random.normal(0, (2 / (9 * a)) ** 0.5, (9 * a, b)).astype(np.float32)
            for a, b in pairwise(depths)
        ]
        squares = START.rows * START.cols
        self.policy = random.normal(0, 0.02, (squares * FILTERS, START.n_codes)).astype(np.float32)
        self.value = random.normal(0, 0.02, squares * FILTERS).astype(np.float32)
        self.seconds = 0.0

    def __call__(self, planes: Array, mask: Array) -> tuple[Array, Array]:
        """Logits and values."""
        began = perf_counter()
        x = planes.transpose(0, 2, 3, 1).astype(np.float32)
        n, rows, cols, _ = x.shape
        for weights in self.layers:
            padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
            shifted = [padded[:, i : i + rows, j : j + cols] for i in range(3) for j in range(3)]
            x = np.maximum(np.concatenate(shifted, axis=3) @ weights, 0)
        flat = x.reshape(n, -1)
        logits, values = flat @ self.policy, 1 / (1 + np.exp(-flat @ self.value))
        self.seconds += perf_counter() - began
        return logits, values


def rate(method: po.Method, playouts: int, runs: int) -> float:
    """Simulations a second, the best of some runs."""
    best = 0.0
    for seed in range(runs):
        began = process_time()
        found = po.search([START] * TREES, method, playouts=playouts, seed=seed)
        best = max(best, found.playouts.sum() / (process_time() - began))
    return best


def overhead(method: po.Method, net: Convolutions, playouts: int, runs: int) -> float:
    """The time of a search over that of its evaluator, less 1; the least of some runs."""
    least = float("inf")
    for seed in range(runs):
        net.seconds = 0.0
        found = po.search([START] * TREES, method, playouts=playouts, seed=seed)
        least = min(least, found.seconds / net.seconds - 1)
    return least


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Searches with an evaluator, as markdown.")
    parser.add_argument("--quick", action="store_true", help="a few seconds, for CI")
    quick = parser.parse_args().quick
    runs, counts = (1, (16, 50)) if quick else (5, (16, 50, 200, 800))
    print(f"{cpu_model()}, Python {sys.version.split()[0]}, numpy {np.__version__}\n")
    constant, net = Constant(4096), Convolutions()
    quiet = {"dirichlet_fraction": 0.0, "temperature": 0.0}
    methods: dict[str, po.Method] = {
        "PUCT": po.PUCT(constant, **quiet),
        "PUCT, lanes=8": po.PUCT(constant, lanes=8, batch=2048, **quiet),
        "Gumbel": po.Gumbel(constant),
    }
    print(f"| simulations a second | {' | '.join(f'{n} a tree' for n in counts)} |")
    print("|---|" + "--:|" * len(counts))
    for name, method in methods.items():
        cells = [f"{rate(method, n, runs) / 1e6:.2f} M" for n in counts]
        print(f"| {name} | {' | '.join(cells)} |")
    playouts = 2 if quick else 16
    print("\n| over the network's own time | |\n|---|--:|")
    for name, method in {"PUCT": po.PUCT(net, **quiet), "Gumbel": po.Gumbel(net)}.items():
        print(f"| {name} | {overhead(method, net, playouts, 1 if quick else 3):.1%} |")


if __name__ == "__main__":
    main()
