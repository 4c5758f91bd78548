"""Results that are the same in every build, as digests: a line of JSON, part by part.

python _digest.py
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the package `support`

import playout as po
from mcts_core.search.bandits import RULES
from support.helpers import facts, random_game

SIDES = range(3, 9)
BREAKTHROUGHS = [
    po.Breakthrough(rows, columns, first_rows=1 if rows == 3 else 2)
    for rows in SIDES
    for columns in SIDES
]
OTHELLOS = [po.Othello(size) for size in (4, 6, 8)]
CONNECT_FOURS = [po.ConnectFour(), po.ConnectFour(7, 8), po.ConnectFour(9, 4)]
STARTS: list[po.Position] = [*BREAKTHROUGHS, *OTHELLOS, *CONNECT_FOURS]
SEARCHED: list[po.Position] = [po.Breakthrough(5), po.Breakthrough(8), po.Othello(8)]
GAME = [position.copy() for position in random_game(po.Othello(), 1) if not position.is_over]
POLICIES = ("random", "guided")
BIASES = [1e-5, 1e-4, 1e-3]

METHODS: list[po.Method] = [
    po.Flat(),
    po.Flat(schedule="recent"),
    *(po.UCB(rule=rule) for rule in RULES),
    po.AMAF(),
    po.UCT(),
    po.UCT(fpu=0.6),
    po.UCT(lanes=16),
    po.RAVE(),
    po.RAVE(c=0.2, lanes=64),
    *(po.RAVE(beta=beta) for beta in ("heuristic", "hand", "variance")),
    po.RAVE(bias=BIASES, scale="kind"),
    po.RAVE(bias=BIASES, scale="phase"),
    po.GRAVE(ref=20),
    po.GRAVE(c=0.2, lanes=16),
]


def playouts() -> Iterator[object]:
    """Of enough games that vectors are used, and of so few that they are not."""
    for start in STARTS:
        for n, policy in ((10_000, "random"), (50, "random"), (500, "guided")):
            found = po.playouts(start, n, seed=n, policy=policy)
            yield found.wins, found.draws, found.losses, found.mean, found.stderr, found.plies
    many = po.playouts(GAME, 100, seed=1)
    yield many.wins.tolist(), many.mean.tolist(), many.plies.tolist()


def records() -> Iterator[object]:
    """Single games with their moves and codes."""
    for start in STARTS:
        for policy in POLICIES:
            game = po.playout(start, 2, policy)
            yield repr(game), game.codes.tolist()


def searches() -> Iterator[object]:
    """With every method, and the options that go with it."""
    for start in SEARCHED:
        for method in METHODS:
            for policy in POLICIES:
                yield _found(start, method, policy=policy)
            if method.grows_tree:
                yield _found(start, method, solver=True)
                yield _found(start, method, memory=2**17)
        for method in (po.Flat(), po.AMAF()):
            yield _found(start, method, threads=2)


def _found(start: po.Position, method: po.Method, **options: Any) -> tuple[object, ...]:
    return facts(po.search(start, method, playouts=1920, seed=3, **options))


def trees() -> Iterator[object]:
    """A whole tree, and one that goes along with a game."""
    yield po.search(po.Breakthrough(5), "rave", playouts=500, seed=4, solver=True).tree.to_dict(99)
    for start in SEARCHED:
        with po.Searcher(start, "grave", seed=5, memory=2**18) as searcher:
            for _ in range(4):
                best = searcher.search(playouts=400)
                yield facts(best)
                searcher.advance(best.move)


def exact_results() -> Iterator[object]:
    """Solved positions of each game, late ones of Othello."""
    for position in [*GAME[-10:], po.Breakthrough(4), BREAKTHROUGHS[2], po.Othello(4)]:
        found = po.solve(position)
        yield found.move, found.score, found.value, found.pv, found.nodes


def evaluations() -> Iterator[object]:
    """Static ones, and searches with alpha-beta."""
    for name in ("weights", "ratios", "washington"):
        for position in GAME:
            yield po.evaluate(position, name), po.evaluate(position, name, terms=True)
        yield facts(po.search(po.Othello(), po.AlphaBeta(5, name, multi_pv=2, exact_ties=True)))


def counts() -> Iterator[object]:
    """Perft, keys and texts."""
    for start in STARTS:
        yield start.perft(4), start.key, start.fen, tuple(start.legal_moves)


PARTS: list[Callable[[], Iterator[object]]] = [
    playouts,
    records,
    searches,
    trees,
    exact_results,
    evaluations,
    counts,
]


def digest(part: Callable[[], Iterator[object]]) -> str:
    return hashlib.sha256("\n".join(map(repr, part())).encode()).hexdigest()


if __name__ == "__main__":
    print(json.dumps({part.__name__: digest(part) for part in PARTS}))
