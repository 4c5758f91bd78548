"""Searches on several threads, with and without bounds, and proofs, for the thread sanitizer."""

from __future__ import annotations

import numpy as np

import playout as po
from mcts_core.search.tree import TreeSearch


def main() -> None:
    trees()
    tables()
    proofs()
    print("finished")


def tables() -> None:
    """Alpha-beta, whose table grows or is soon full."""
    for position in (po.Breakthrough(5), po.ConnectFour()):
        for memory in (1 << 16, 1 << 26):
            for selective in (False, True):
                method = po.AlphaBeta(selective=selective, threads=3)
                po.search(position, method, nodes=300_000, memory=memory)


def proofs() -> None:
    """Exact search, with a table that is full at once and one that grows."""
    for start in (po.Breakthrough(5, 4), po.ConnectFour(4, 5)):
        for size in ("64KiB", "16MB"):
            po.solve(start, threads=3, nodes=300_000, memory=size)


def trees() -> None:
    """The tree methods, with room and without."""
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


if __name__ == "__main__":
    main()
