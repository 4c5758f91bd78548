"""Searches on several threads, each method with and without bounds, for the thread sanitizer."""

from __future__ import annotations

import numpy as np

import playout as po
from mcts_core.search.tree import TreeSearch


def main() -> None:
    methods: list[po.Method] = [po.UCT(), po.UCTTuned(), po.RAVE(), po.GRAVE()]
    methods += [po.RAVE(beta="variance"), po.UCT(lanes=8), po.RAVE(lanes=8), po.GRAVE(lanes=8)]
    for position in (po.Breakthrough(5), po.Othello(6)):
        for method in methods:
            for solver in (False, True):
                for memory in (300_000, 1 << 26):
                    options = method.options() | {"policy": "random"}
                    options |= {"solver": solver, "memory": memory}
                    search = TreeSearch(position, options, np.random.SeedSequence(1))
                    search.run(6000, threads=3)
                    search.advance(int(search.root()["raw"][search.choose()]))
                    search.run(1000, threads=3)
        po.playouts([position] * 100, 1000, seed=1, threads=3)
    print("finished")


if __name__ == "__main__":
    main()
