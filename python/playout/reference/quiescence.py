"""What a position is worth to a tree search: its evaluation after the noisy moves.

An evaluation is not made for positions in which captures are pending. So the mover may go on with
noisy moves, or take the evaluation as it is. If the opponent threatens to win, every move is tried.
The game's tactics decide positions a few plies before their end.
"""

from collections.abc import Callable
from math import exp, floor, inf
from typing import TypeAlias

from .game import BoardPosition, seen_by

Score: TypeAlias = Callable[[BoardPosition], int]

WON = 1_000_000
"""The score of a won position. Evaluations stay far below."""
MOST_SCORE = 25_000
MOST_PLIES = 8
SCALE = 256.0
"""A score of this much means that a win is e times as likely as a loss."""
GRAINS = 2**20
"""Expected results are multiples of 1 / GRAINS, so that sums do not depend on their order."""


def quiescence(
    position: BoardPosition,
    score: Score,
    plies: int = MOST_PLIES,
    alpha: float = -inf,
    beta: float = inf,
) -> int:
    """The score of a position for the side to move after its noisy moves, to a depth of `plies`.

    It is exact if it lies between alpha and beta, as in alpha-beta.
    """
    if position.result is not None:
        result = seen_by(position.turn, position.result)
        return WON if result == 1.0 else -WON if result == 0.0 else 0
    proven = position.solve()
    if proven:
        return WON if proven > 0 else -WON
    static = max(-MOST_SCORE, min(score(position), MOST_SCORE))
    if plies == 0:
        return static
    if is_threatened(position):
        best, moves = -WON, position.legal_moves
    else:
        best, moves = static, position.noisy_moves
    for move in moves:
        if best >= beta:
            break
        alpha = max(alpha, best)
        best = max(best, -quiescence(position.after(move), score, plies - 1, -beta, -alpha))
    return best


def is_threatened(position: BoardPosition) -> bool:
    """Would the opponent win by tactics if the mover passed?"""
    passed = position.passed
    return passed is not None and passed.solve() > 0


def is_certain(score: int) -> bool:
    """Is it the score of a proven result?"""
    return abs(score) == WON


def expected(score: int) -> float:
    """The result that a score predicts, from 0 to 1.

    >>> expected(0), round(expected(256), 3), expected(-WON)
    (0.5, 0.731, 0.0)
    """
    if is_certain(score):
        return 1.0 if score > 0 else 0.0
    return floor(1.0 / (1.0 + exp(-score / SCALE)) * GRAINS + 0.5) / GRAINS
