"""Flat Monte Carlo: the same number of playouts for each move, and the best mean wins.

The simplest search, and a baseline for the others. It has no tree and does not learn on the way: a
hopeless move gets as many playouts as a good one.
"""

from dataclasses import dataclass, replace

from .base import Search, Task
from .choose import Evidence, Preference, by_mean
from .game import seen_by
from .playout import games_from
from .record import MoveRecord, MoveStatistics


@dataclass(frozen=True)
class Flat:
    """Flat Monte Carlo.

    With `schedule="recent"` later playouts weigh more: each counts half as much as the playout of
    the same move `half_life` playouts later.
    """

    schedule: str = "uniform"
    half_life: float = 100.0
    ties: str = "random"


@dataclass(slots=True)
class FadingTally:
    """Results whose weights fall with each new result.

    >>> tally = FadingTally(keep=0.5)
    >>> for result in (0.0, 1.0, 1.0):
    ...     tally.add(result)
    >>> tally.visits, tally.wins, round(tally.mean, 3)
    (1.75, 1.5, 0.857)
    """

    keep: float
    """The factor by which all weights fall when a result is added."""
    visits: float = 0.0
    """The sum of the weights."""
    wins: float = 0.0
    """The weighted sum of the results."""

    def add(self, result: float) -> None:
        """Count one more result."""
        self.wins = self.wins * self.keep + result
        self.visits = self.visits * self.keep + 1

    @property
    def mean(self) -> float:
        """The weighted mean; 0 without results."""
        return self.wins / self.visits if self.visits else 0.0


class FlatSearch(Search):
    """Playout number i belongs to move i mod m, where m is the number of moves.

    Move j has its own random streams, those of position number j, so that moves can be searched in
    parallel. The search's own stream is that of position number m.
    """

    def __init__(self, task: Task, method: Flat) -> None:
        if method.schedule not in ("uniform", "recent"):
            raise ValueError(f"schedule must be 'uniform' or 'recent', not {method.schedule!r}")
        self.own_stream = len(task.position.legal_moves), 0
        super().__init__(task, method)
        self.games = [
            games_from(task.position.after(record.move), task.seed, task.policy, number)
            for number, record in enumerate(self.records)
        ]
        keep = 0.5 ** (1.0 / method.half_life)
        self.fading = {record.move: FadingTally(keep) for record in self.records}
        self.recent = method.schedule == "recent"

    def simulate(self, at_most: int = 1) -> None:
        """One more playout, from the position after the next move in turn."""
        number = self.playouts % len(self.records)
        record = self.records[number]
        value = seen_by(self.turn, next(self.games[number]).result)
        record.add(value)
        self.fading[record.move].add(value)
        self.playouts += 1

    def evidence(self, record: MoveRecord) -> Evidence:
        """All results, or results that weigh less with age."""
        return self.fading[record.move] if self.recent else record.played

    def preference(self, record: MoveRecord) -> Preference:
        """The best mean wins."""
        return by_mean(self.evidence(record))

    def statistics(self) -> list[MoveStatistics]:
        """The statistics of the moves, in legal order."""
        rows = super().statistics()
        if not self.recent:
            return rows
        tallies = [self.fading[record.move] for record in self.records]
        return [
            replace(row, mean=tally.mean if tally.visits else None)
            for row, tally in zip(rows, tallies, strict=True)
        ]
