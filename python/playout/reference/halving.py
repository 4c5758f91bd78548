"""Sequential halving: a schedule for the playouts at the root.

A rule like UCB keeps the sum of all losses small, and gives most playouts to a favourite early. At
the root only the final choice counts. Sequential halving (Karnin, Koren and Somekh, 2013) shares
out a known number of playouts in rounds. All moves still in get equally many, and after the round
the better half stays.

With few playouts the means of a round are noisy. SHUSS (Fabiano and Cazenave, 2021) adds a score to
the mean that fades with the playouts of the move: here the AMAF mean of the root, times a constant,
over these playouts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2

from .record import Entry, MoveRecord


@dataclass(frozen=True)
class Halving:
    """Sequential halving at the root, `method` below it; `amaf` is the constant of SHUSS."""

    method: object = "uct"
    amaf: float = 0.0
    ties: str = "random"


class Schedule:
    """Which move of the root the next walk makes."""

    def __init__(self, root: Entry, playouts: int, amaf: float) -> None:
        self.root = root
        self.amaf = amaf
        self.moves: Sequence[MoveRecord] = root.moves
        self.left = playouts - 1  # one is kept for the last move, so that it has most
        self.waiting = self.round()

    def next(self) -> MoveRecord | None:
        """The next of the moves still in, in turn; None if the solver has struck them all out."""
        while any(self.is_open(move) for move in self.moves):
            if not self.waiting:
                best_first = sorted(self.moves, key=self.merit, reverse=True)
                self.moves = best_first[: (len(self.moves) + 1) // 2]
                self.waiting = self.round()
            move = self.waiting.pop(0)
            if self.is_open(move):
                self.left -= 1
                return move
        return None

    def is_open(self, move: MoveRecord) -> bool:
        """May the move still be better than what is certain? Always, without a solver."""
        turn = self.root.turn
        return move.bounds.seen_by(turn).high > self.root.bounds.seen_by(turn).low

    def round(self) -> list[MoveRecord]:
        """The moves of the playouts of a round: an equal share of the playouts that are left."""
        if len(self.moves) == 1:
            return list(self.moves)
        rounds = ceil(log2(len(self.moves)))
        each = max(1, self.left // rounds // len(self.moves))
        return each * list(self.moves)

    def merit(self, move: MoveRecord) -> float:
        """What moves are compared by: the mean, and the AMAF mean while playouts are few."""
        if not self.is_open(move):
            return -1.0
        amaf = self.root.amaf_of(move, self.root.turn)
        return move.played.mean + self.amaf * amaf.mean / move.played.visits
