"""MAST: playouts prefer moves that have gone well anywhere in the search.

The move-average sampling technique (Finnsson and Bjoernsson, 2008) keeps the mean result of each
AMAF code over all simulations, and playouts draw a move with a probability proportional to
exp(mean / TAU). It is AMAF without a position: a move that is good almost everywhere, such as a
capture or a step of the furthest man, becomes likely everywhere.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import exp

from .game import Move, Position, seen_by
from .policy import Learner
from .tally import Tally

TAU = 0.1  # larger: moves are closer to equally likely
FIRST = 1.0  # the mean of a code without results: it is tried soon


class MAST(Learner):
    """The means of one search."""

    def __init__(self) -> None:
        self.tallies: defaultdict[int, Tally] = defaultdict(Tally)

    def odds(self, position: Position) -> list[float]:
        """The probability of a move is proportional to exp(mean / TAU)."""
        tallies = [self.tallies[position.code(move)] for move in position.legal_moves]
        return [exp((tally.mean if tally.visits else FIRST) / TAU) for tally in tallies]

    def learn(self, root: Position, moves: Sequence[Move], result: float) -> None:
        """Count the result for each move, as its mover sees it."""
        position = root
        for move in moves:
            self.tallies[position.code(move)].add(seen_by(position.turn, result))
            position = position.after(move)
