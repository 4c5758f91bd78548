"""What a search stores of a move and of a position, and the statistics it returns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .game import Move, Position, seen_by
from .tally import NOTHING, Tally


class Bounds(NamedTuple):
    """The lowest and highest result of the first player with best play, as far as proven."""

    low: float
    high: float

    @property
    def proven(self) -> bool:
        """Is the value known exactly?"""
        return self.low == self.high

    def seen_by(self, turn: int) -> "Bounds":
        """The same bounds for the player to move.

        >>> Bounds(0.5, 1.0).seen_by(1)
        Bounds(low=0.0, high=0.5)
        """
        return self if turn == 0 else Bounds(seen_by(turn, self.high), seen_by(turn, self.low))


UNKNOWN = Bounds(0.0, 1.0)


@dataclass(slots=True)
class MoveRecord:
    """What a search stores of a legal move."""

    move: Move
    code: int
    """The AMAF code of the move."""
    played: Tally = field(default_factory=Tally)
    """The playouts that began with the move, as its mover sees them."""
    squares: float = 0.0
    """The sum of the squares of their results (where the method uses it)."""
    bounds: Bounds = UNKNOWN
    """The bounds that the solver has proven."""
    value: float | None = None
    """The minimax of evaluations, the first player's (knowledge.py)."""
    proofs: tuple[float, ...] = (1.0, 1.0)
    """The proof numbers of both players."""
    prior: float = 0.0
    """What an evaluation expected of the move, as its mover sees it."""
    borrowed: int = 0
    """Visits with this result that the move began with."""

    @property
    def counted(self) -> Tally:
        """The playouts without the borrowed visits."""
        visits = self.played.visits - self.borrowed
        return Tally(visits, self.played.wins - self.borrowed * self.prior)

    def add(self, value: float) -> None:
        """Count one more playout that began with the move."""
        self.played.add(value)
        self.squares += value * value


@dataclass(frozen=True)
class MoveStatistics:
    """The statistics of a legal move. All results are as the mover sees them."""

    move: str
    visits: int
    wins: float
    mean: float | None
    """wins / visits; with Flat(schedule="recent") recent playouts weigh more."""
    squares: float
    amaf_visits: int
    amaf_wins: float
    low: float
    """The lowest result of the first player after the move, as far as proven."""
    high: float
    """The highest result."""
    minimax: float | None = None
    """The minimax of evaluations, if the search keeps it."""

    @property
    def amaf_mean(self) -> float | None:
        """The mean result of the playouts in which the move occurred."""
        return self.amaf_wins / self.amaf_visits if self.amaf_visits else None


def records_of(position: Position) -> list[MoveRecord]:
    """A fresh record for each legal move."""
    return [MoveRecord(move, position.code(move)) for move in position.legal_moves]


def statistics_of(
    records: Sequence[MoveRecord], amaf: Mapping[int, Tally], turn: int = 0
) -> list[MoveStatistics]:
    """The statistics of records. `amaf` holds tallies by code, as the mover `turn` sees them."""

    def statistics(record: MoveRecord) -> MoveStatistics:
        amaf_tally = amaf.get(record.code, NOTHING)
        return MoveStatistics(
            move=record.move.text,
            visits=record.counted.visits,
            wins=record.counted.wins,
            mean=record.counted.mean if record.counted.visits else None,
            squares=record.squares,
            amaf_visits=amaf_tally.visits,
            amaf_wins=amaf_tally.wins,
            low=record.bounds.low,
            high=record.bounds.high,
            minimax=None if record.value is None else seen_by(turn, record.value),
        )

    return [statistics(record) for record in records]


class Entry:
    """What the table stores for a position."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.turn = position.turn
        self.moves = records_of(position)
        self.total = 0
        """The visits of all moves together."""
        self.amaf: dict[int, Tally] = {}
        """By code, as the first player sees them: the simulations with such a move from here on."""
        self.bounds = UNKNOWN
        """What the solver has proven."""

    def amaf_of(self, record: MoveRecord, turn: int) -> Tally:
        """The AMAF tally of a move, as the player `turn` sees it."""
        return self.amaf.get(record.code, NOTHING).seen_by(turn)

    def statistics(self) -> list[MoveStatistics]:
        """The statistics of each move, as the player to move here sees it."""
        amaf = {record.code: self.amaf_of(record, self.turn) for record in self.moves}
        return statistics_of(self.moves, amaf, self.turn)
