"""What the live page costs a search: processor time of one snapshot, and its share at ten a second.

A snapshot is taken from a search with a large tree, described for the page and written as JSON, as
`playout web` does. The search waits meanwhile.

    python benchmarks/web.py [--quick]
"""

from __future__ import annotations

import argparse
import json
import statistics
from time import thread_time

import playout as po
from playout.web import showing
from playout.web.answers import INTERVAL

POSITIONS = (po.Breakthrough(), po.Othello(), po.ConnectFour())
METHODS = ("uct", "rave", "grave")


def snapshot(searcher: po.Searcher) -> float:
    """Seconds of the processor for a snapshot."""
    began = thread_time()
    json.dumps(showing.result(searcher.result))
    return thread_time() - began


def main() -> None:
    """Print a line for each game and method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short runs, which say little")
    quick = parser.parse_args().quick
    rounds, playouts = (5, 5000) if quick else (200, 500_000)
    print(f"{'game':16}{'method':8}{'a snapshot':>12}{'of a search':>13}")
    for position in POSITIONS:
        for method in METHODS:
            with po.Searcher(position, method, seed=1, solver=True) as searcher:
                searcher.search(playouts=playouts)
                seconds = statistics.median(snapshot(searcher) for _ in range(rounds))
            share = seconds / INTERVAL
            name = type(position).__name__
            print(f"{name:16}{method:8}{1e3 * seconds:9.2f} ms{share:13.1%}")


if __name__ == "__main__":
    main()
