"""Alpha-beta search to a fixed depth.

The value of a position to its mover is that of the best move. The value of a move is minus the
value of the next position to the opponent (negamax). `alpha` is the value that the mover is already
sure of, `beta` the highest value that the opponent allows. Once a move reaches beta, the other
moves need not be searched.

This is the plain search of textbooks. The compiled one adds a table, better move orders and
narrower windows. They make it faster and do not change the value.

There are two kinds of evaluations. Those of Othello by hand score a finished game by its margin.
With all others a win counts WON, less the plies that it is away from the root.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TypeAlias, cast

from .breakthrough import Breakthrough
from .convert import AnyPosition
from .convert import position as twin_of
from .evaluation import Evaluate, evaluate
from .game import BoardPosition, Move, seen_by
from .net import net
from .othello import Othello
from .patterns import patterns
from .rows import rows_score

WON = 30_000
MOST_SCORE = 25_000
"""Scores of evaluations lie between minus this and this."""

Leaf: TypeAlias = Callable[[BoardPosition, int], float]
"""The value of a position where the search ends, from the position and its distance to the root."""


@dataclass(frozen=True)
class AlphaBetaResult:
    """The result of a search; the value is seen by the player to move."""

    move: str
    value: float
    nodes: int


def alpha_beta(
    position: AnyPosition, depth: int, evaluation: str | Evaluate = "weights"
) -> AlphaBetaResult:
    """Search a position. A pass is a ply like any other move.

    `evaluation` is "rows" for Breakthrough, the file of a network or of patterns, or for Othello
    one by hand. Among equally good moves it chooses the first in legal order.

    >>> alpha_beta(Othello(), depth=3)
    AlphaBetaResult(move='d3', value=9.0, nodes=48)
    >>> alpha_beta(Breakthrough(5), depth=2, evaluation="rows")
    AlphaBetaResult(move='a2a3', value=-318, nodes=95)
    """
    root = twin_of(position)
    if not isinstance(root, BoardPosition):
        raise ValueError(f"alpha_beta has evaluations for games on boards, not for {root!r}")
    if depth < 1:
        raise ValueError(f"depth must be 1 or more, not {depth}")
    if root.is_over:
        raise ValueError("the game is over, so there is nothing to search")
    search = _Search(leaf_of(root, evaluation))
    value, move = search.best(root, depth, 0, -inf, inf)
    assert move is not None
    return AlphaBetaResult(move.text, value, search.nodes)


def score_of(root: BoardPosition, evaluation: str) -> Callable[[BoardPosition], int]:
    """An evaluation in whole points, for the side to move: "rows", or a file of learned weights."""
    if evaluation == "rows":
        if not isinstance(root, Breakthrough):
            raise ValueError(f"'rows' evaluates Breakthrough, not {root!r}")
        return lambda position: rows_score(cast(Breakthrough, position))
    if evaluation.endswith(".net"):
        return net(evaluation).score
    if evaluation.endswith(".pat"):
        return patterns(evaluation).score
    raise ValueError(
        f"{evaluation!r} has no scores in whole points: use 'rows', or a file of a net or patterns"
    )


def leaf_of(root: BoardPosition, evaluation: str | Evaluate) -> Leaf:
    """How positions are valued with an evaluation."""
    if isinstance(evaluation, str) and (
        evaluation == "rows" or evaluation.endswith((".net", ".pat"))
    ):
        return _scored(score_of(root, evaluation))
    if not isinstance(root, Othello):
        raise ValueError(f"{evaluation!r} evaluates Othello, not {root!r}")
    return lambda position, ply: evaluate(cast(Othello, position), evaluation)


def _scored(score: Callable[[BoardPosition], int]) -> Leaf:
    def value(position: BoardPosition, ply: int) -> int:
        if position.result is None:
            return max(-MOST_SCORE, min(score(position), MOST_SCORE))
        result = seen_by(position.turn, position.result)
        return 0 if result == 0.5 else WON - ply if result == 1.0 else ply - WON

    return value


class _Search:
    def __init__(self, leaf: Leaf) -> None:
        self.leaf = leaf
        self.nodes = 0

    def best(
        self, position: BoardPosition, depth: int, ply: int, alpha: float, beta: float
    ) -> tuple[float, Move | None]:
        """The value, if it lies between alpha and beta, and the first move that has it."""
        self.nodes += 1
        if depth == 0 or position.is_over:
            return self.leaf(position, ply), None
        best_value, best_move = -inf, None
        for move in position.legal_moves:
            after, floor = position.after(move), max(alpha, best_value)
            value = -self.best(after, depth - 1, ply + 1, -beta, -floor)[0]
            if value > best_value:
                best_value, best_move = value, move
            if best_value >= beta:
                break
        return best_value, best_move
