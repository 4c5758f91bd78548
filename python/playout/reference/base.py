"""What all searches have in common, with a tree or without."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .choose import Evidence, Preference
from .game import Position
from .record import MoveRecord, MoveStatistics, records_of, statistics_of
from .rng import SFC64, Seed


class MethodWithTies(Protocol):
    """What all methods have: a rule for equally good moves, "random" or "first"."""

    @property
    def ties(self) -> str:
        """The rule."""


@dataclass(frozen=True)
class Task:
    """Where to search, and with what: all that does not depend on the method."""

    position: Position
    seed: Seed
    policy: str = "random"
    solver: bool = False
    memory_entries: int | None = None


class Search(ABC):
    """A search under way. It goes on by `simulate`."""

    own_stream: tuple[int, int] = (0, 0)
    """The numbers of its own stream of random numbers, which the final choice draws from too."""

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
        """One more playout; where several are begun together, all of these, up to so many."""

    # The final choice.

    @abstractmethod
    def evidence(self, record: MoveRecord) -> Evidence:
        """The numbers by which moves are compared in the end."""

    @abstractmethod
    def preference(self, record: MoveRecord) -> Preference:
        """The higher, the better the move."""

    def candidates(self) -> Sequence[MoveRecord]:
        """The moves that may be chosen."""
        return self.records

    @property
    def proven(self) -> bool:
        """Is there nothing left to find out?"""
        return False

    # What is reported.

    def value(self, record: MoveRecord) -> float:
        """The value of a chosen move for the player to move."""
        return self.evidence(record).mean

    def variation(self, record: MoveRecord) -> list[str]:
        """The moves that the search expects, the chosen one first."""
        return [record.move.text]

    def statistics(self) -> list[MoveStatistics]:
        """All that was found out about the moves, in legal order."""
        return statistics_of(self.records, {})
