"""Alpha-beta to a fixed depth: the best move if both sides look that far ahead and judge alike.

A position is worth to its mover what the best move leads to, and what a move leads to is worth to
the mover the opposite of what it is worth to the opponent (negamax). `alpha` is what the mover is
sure of already, `beta` what the opponent will not let it exceed: once a move reaches beta the
others need not be looked at.

This is the plain search of lecture notes. The compiled one adds a table, better orders of moves and
narrower windows, which change how soon a value is found, and not the value.
"""

from dataclasses import dataclass
from math import inf

from .convert import AnyPosition
from .convert import position as twin_of
from .evaluation import Evaluate, evaluate
from .game import Move
from .othello import Othello


@dataclass(frozen=True)
class AlphaBetaResult:
    """What a search of some depth has found; the value is as the player to move sees it."""

    move: str
    value: float
    nodes: int


def alpha_beta(
    position: AnyPosition, depth: int, evaluation: str | Evaluate = "weights"
) -> AlphaBetaResult:
    """Search an Othello position. A pass is a ply like any other move.

    Of equally good moves the first in legal order is taken.

    >>> alpha_beta(Othello(), depth=3)
    AlphaBetaResult(move='d3', value=9.0, nodes=48)
    """
    root = twin_of(position)
    if not isinstance(root, Othello):
        raise ValueError(f"alpha_beta has evaluations for Othello only, not for {root!r}")
    if depth < 1:
        raise ValueError(f"depth must be 1 or more, not {depth}")
    if root.is_over:
        raise ValueError("the game is over, so there is nothing to search")
    search = _Search(evaluation)
    value, move = search.best(root, depth, -inf, inf)
    assert move is not None
    return AlphaBetaResult(move.text, value, search.nodes)


class _Search:
    def __init__(self, evaluation: str | Evaluate) -> None:
        self.evaluation = evaluation
        self.nodes = 0

    def best(
        self, position: Othello, depth: int, alpha: float, beta: float
    ) -> tuple[float, Move | None]:
        """The value, if it lies between alpha and beta, and the first move that has it."""
        self.nodes += 1
        if depth == 0 or position.is_over:
            return evaluate(position, self.evaluation), None
        best_value, best_move = -inf, None
        for move in position.legal_moves:
            value = -self.best(position.after(move), depth - 1, -beta, -max(alpha, best_value))[0]
            if value > best_value:
                best_value, best_move = value, move
            if best_value >= beta:
                break
        return best_value, best_move
