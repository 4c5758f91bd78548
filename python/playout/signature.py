"""One number for what all searches find: it changes if any of them does."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from playout.evaluation import has_evaluation, predicts_results
from playout.games import GAMES
from playout.methods import METHODS, UCT
from playout.playing import playouts
from playout.searching import search
from playout.solving import solve

PLAYOUTS = 2_000  # of each search
PLIES = 8  # before a position that is searched, played by the search itself
SEED = 1
KNOWING = UCT(c=0.1, cut=0, minimax=0.5, prior="shallow", proof=0.1)
ENDING = 12  # plies before the end of a game, where it is solved
SOLVED = 50_000  # nodes at most


def signature() -> int:
    """The number: the same on every machine, with every compiler and instruction set.

    Every method searches a position of every game, with and without the solver where it takes one;
    random games are played and late positions solved.
    """
    digest = hashlib.sha256()
    for facts in _facts():
        digest.update(repr(facts).encode())
    return int.from_bytes(digest.digest()[:4], "big")


def _facts() -> Iterator[object]:
    """Whole numbers and moves: what every machine finds alike."""
    for game in GAMES.values():
        position = game.start(*game.default)
        games = playouts(position, PLAYOUTS, seed=SEED)
        yield games.wins, games.draws, games.plies
        for _ in range(PLIES):
            position.push(search(position, playouts=PLAYOUTS, seed=SEED).move)
        for kind in METHODS.values():
            method = kind()
            if not method.plays_out:
                if not has_evaluation(position):
                    continue
                found = search(position, method, nodes=10 * PLAYOUTS)
                yield found.move, found.depth, found.nodes
                continue
            for solver in (False, True) if method.grows_tree else (False,):
                found = search(position, method, playouts=PLAYOUTS, seed=SEED, solver=solver)
                yield found.move, found.pv, found.nodes, found.moves["visits"].tolist()
        if predicts_results(position):
            found = search(position, KNOWING, playouts=PLAYOUTS, seed=SEED, solver=True)
            yield found.move, found.pv, found.nodes, found.moves["visits"].tolist()
        line = search(position, playouts=PLAYOUTS, seed=SEED).position
        while not line.is_over:
            line.push(search(line, playouts=100, seed=SEED).move)
        for _ in range(ENDING):
            line.pop()
        solution = solve(line, nodes=SOLVED)
        yield solution.move, solution.score, solution.nodes
