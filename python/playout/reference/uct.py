"""UCT: UCB1 at every position of the tree.

"Upper confidence bounds applied to trees" (Kocsis and Szepesvari, 2006): each position of the tree
is a bandit, and a walk follows the move with the highest upper confidence bound.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .base import Task
from .formulas import ucb1
from .record import Entry, MoveRecord
from .tree import TreeSearch


@dataclass(frozen=True)
class UCT:
    """Follow the move with the highest `Q + c sqrt(ln t / n)`, untried moves first.

    `fpu`, the "first-play urgency" of Gelly and Wang (2006), is the score of an untried move. With
    it, a good move is followed before all others have been tried.
    """

    c: float = 0.4
    fpu: float | None = None
    ties: str = "random"
    lanes: int = 1


class UCTSearch(TreeSearch):
    """A tree of bandits."""

    def __init__(self, task: Task, method: UCT) -> None:
        super().__init__(task, method)
        self.method = method

    def select(self, walk: Sequence[Entry], moves: Sequence[MoveRecord]) -> MoveRecord:
        """An untried move, or the move with the highest bound; the first among equals."""
        if self.method.fpu is None:
            for move in moves:
                if not move.played.visits:
                    return move
        entry = walk[-1]
        return max(moves, key=lambda move: self.adjusted(entry, move, self.score(entry, move)))

    def score(self, entry: Entry, move: MoveRecord) -> float:
        """The bound of a move, or what stands for it in an untried one."""
        if self.method.fpu is not None and not move.played.visits:
            return self.method.fpu
        return self.bound(entry, move)

    def parts(self, walk: Sequence[Entry], move: MoveRecord) -> dict[str, float | None]:
        """The mean, and what the bound adds to it."""
        found = super().parts(walk, move)
        if not move.played.visits:
            return found | {"bonus": None, "score": None}
        score = self.score(walk[-1], move)
        return found | {"bonus": score - move.played.mean, "score": score}

    def bound(self, entry: Entry, move: MoveRecord) -> float:
        """The upper confidence bound of a move that was tried."""
        return ucb1(move.played.wins, move.played.visits, entry.total, self.method.c)
