"""UCTTuned: UCT with a bound that follows the variance of each move's results.

UCB1-Tuned (Auer, Cesa-Bianchi and Fischer, 2002) explores less where results vary little. MoGo
(Gelly and Wang, 2006) used it in every position of its tree.
"""

from dataclasses import dataclass

from .formulas import tuned
from .game import seen_by
from .record import Entry, MoveRecord
from .tree import Walk
from .uct import UCT, UCTSearch


@dataclass(frozen=True)
class UCTTuned(UCT):
    """UCT's settings. With `c` = 1 the bound is that of Auer, Cesa-Bianchi and Fischer."""

    c: float = 1.0


class UCTTunedSearch(UCTSearch):
    """A tree of bandits whose moves also sum the squares of their results."""

    def update(self, walk: Walk) -> None:
        """Count the square of each result too."""
        super().update(walk)
        for entry, move in walk.steps:
            value = seen_by(entry.turn, walk.result)
            move.squares += value * value

    def bound(self, entry: Entry, move: MoveRecord) -> float:
        """The bound by the variance of the move."""
        w, n = move.played.wins, move.played.visits
        return tuned(w, move.squares, n, entry.total, self.method.c)
