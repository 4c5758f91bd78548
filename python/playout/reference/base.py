"""The base of all searches, with or without a tree."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .choose import Evidence, Preference, choose
from .game import Position
from .record import MoveRecord, MoveStatistics, records_of, statistics_of
from .rng import SFC64, Seed


class MethodWithTies(Protocol):
    """What all methods have: the choice among equally good moves, "random" or "first"."""

    @property
    def ties(self) -> str:
        """How to choose."""


@dataclass(frozen=True)
class Task:
    """The arguments of a search that do not depend on the method."""

    position: Position
    seed: Seed
    policy: str = "random"
    solver: bool = False
    memory_entries: int | None = None
    playouts: int | None = None
    """The limit, for methods that share it out."""


class Search(ABC):
    """A running search. `simulate` continues it."""

    keeps_bounds: bool = False
    """Whether it has a tree in which a solver can keep proven values."""

    own_stream: tuple[int, int] = (0, 0)
    """The numbers (position, stream) of its own random stream, which the final choice uses too."""

    def __init__(self, task: Task, method: MethodWithTies) -> None:
        self.position = task.position
        self.turn = task.position.turn
        self.policy = task.policy
        self.records = records_of(task.position)
        self.generator = SFC64(task.seed, *self.own_stream)
        self.ties = method.ties
        self.playouts = 0

    @abstractmethod
    def simulate(self, at_most: int = 1) -> None:
        """One more playout; with lanes, one more flight of up to `at_most` playouts."""

    # The final choice.

    @abstractmethod
    def evidence(self, record: MoveRecord) -> Evidence:
        """The counts by which moves are compared in the end."""

    @abstractmethod
    def preference(self, record: MoveRecord) -> Preference:
        """The higher, the better the move."""

    def candidates(self) -> Sequence[MoveRecord]:
        """The moves that may be chosen."""
        return self.records

    @property
    def proven(self) -> bool:
        """Is the value of the root proven?"""
        return False

    def chosen(self) -> MoveRecord:
        """The move to play."""
        return choose(self.candidates(), self.preference, self.ties, self.generator)

    # What is reported.

    def value(self, record: MoveRecord) -> float:
        """The value of a chosen move for the player to move."""
        return self.evidence(record).mean

    def variation(self, record: MoveRecord) -> list[str]:
        """The expected line of play, beginning with the chosen move."""
        return [record.move.text]

    def statistics(self) -> list[MoveStatistics]:
        """The statistics of the moves, in legal order."""
        return statistics_of(self.records, {})
