"""How well shallow searches predict deep ones: measured on positions, and fitted for ProbCut."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from mcts_core.evaluator import Evaluator
from mcts_core.minimax.alphabeta import AlphaBetaSearch
from mcts_core.position import Position

POSITIONS = 500
MOST_DEPTH = 9  # plies
LEAST_EMPTY = 13  # squares: with fewer, searches see the end of the game
OPENING = (4, 20)  # random moves: the least and the most
BETWEEN = 6  # moves from one position to the next of a game
NODES = 500  # of the searches that choose these moves
SIGMAS = math.sqrt(math.pi / 2.0)  # standard errors in a mean absolute error


def fitted_errors(
    evaluator: Evaluator, start: Position, seed: np.random.SeedSequence
) -> list[float] | None:
    """The four numbers that give the standard error: a constant, per man, per ply deep and shallow.

    Depths that differ by an odd number of plies are not compared. None: there is too little to go
    by.
    """
    rows, errors = [], []
    for men, scores in _searched(evaluator, start, np.random.Generator(np.random.SFC64(seed))):
        for deep in range(3, MOST_DEPTH + 1):
            for shallow in range(2 - deep % 2, deep, 2):
                rows.append([1.0, men, deep, shallow])
                errors.append(abs(scores[deep - 1] - scores[shallow - 1]) * SIGMAS)
    if len(rows) < 1000:
        return None
    fitted, *_ = np.linalg.lstsq(np.array(rows, float), np.array(errors), rcond=None)
    return [round(float(number), 4) for number in fitted]


def _searched(
    evaluator: Evaluator, start: Position, rng: np.random.Generator
) -> Iterator[tuple[int, list[float]]]:
    """The men on the board and the scores at each depth, of positions from games of searches."""
    found = tries = 0
    while found < POSITIONS and tries < POSITIONS:
        tries += 1
        position = start.copy()
        for _ in range(int(rng.integers(OPENING[0], OPENING[1] + 1))):
            if not position.is_over:
                position.push_index(int(rng.integers(len(position.legal_moves))))
        while not position.is_over and (empty := _empty(position)) >= LEAST_EMPTY:
            scores = _scores(evaluator, position)
            if len(scores) == MOST_DEPTH:
                found += 1
                yield _squares(position) - empty, scores
            for _ in range(BETWEEN):
                if not position.is_over:
                    position.push(_choice(evaluator, position))


def _scores(evaluator: Evaluator, position: Position) -> list[float]:
    """The score at each depth, until the result is proven."""
    search = AlphaBetaSearch(position, evaluator, memory=1 << 22)
    scores: list[float] = []
    for depth in range(1, MOST_DEPTH + 1):
        search.run(depth)
        score = float(search.root()[0]["score"][0])
        if math.isnan(score):
            break
        scores.append(score)
    return scores


def _choice(evaluator: Evaluator, position: Position) -> str:
    search = AlphaBetaSearch(position, evaluator, memory=1 << 20)
    search.run(MOST_DEPTH, nodes=NODES)
    return str(position.move_text(search.root()[1][0][0]))


def _squares(position: Position) -> int:
    rows, cols = position.planes().shape[1:]
    return int(rows * cols)


def _empty(position: Position) -> int:
    return _squares(position) - int(position.planes().sum())
