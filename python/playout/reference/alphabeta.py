"""Alpha-beta search of Othello to a fixed depth.

The value of a position to its mover is that of the best move. The value of a move is minus the
value of the next position to the opponent (negamax). `alpha` is the value that the mover is already
sure of, `beta` the highest value that the opponent allows. Once a move reaches beta, the other
moves need not be searched.

This is the plain search of textbooks. The compiled one adds a table, better move orders and
narrower windows. They make it faster and do not change the value.
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
    """The result of a search; the value is seen by the player to move."""

    move: str
    value: float
    nodes: int


def alpha_beta(
    position: AnyPosition, depth: int, evaluation: str | Evaluate = "weights"
) -> AlphaBetaResult:
    """Search an Othello position. A pass is a ply like any other move.

    Among equally good moves it chooses the first in legal order.

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
