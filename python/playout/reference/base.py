"""The base of all searches, with or without a tree."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from .choose import Evidence, Preference, by_visits, choose
from .game import Position, seen_by
from .policy import AnyPolicy
from .record import Bounds, MoveRecord, MoveStatistics, records_of, statistics_of
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
    policy: AnyPolicy = "random"
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


class Root(Protocol):
    """The root of a tree."""

    @property
    def bounds(self) -> Bounds:
        """What is proven of its value."""


AnyRoot = TypeVar("AnyRoot", bound=Root)


class SearchWithTree(Search, Generic[AnyRoot]):
    """A search that grows a tree: the most visited move at the root wins, and proofs count."""

    root: AnyRoot

    def evidence(self, record: MoveRecord) -> Evidence:
        """The simulations that made the move at the root."""
        return record.counted

    def preference(self, record: MoveRecord) -> Preference:
        """The most visited move wins."""
        return by_visits(record.counted)

    @property
    def proven(self) -> bool:
        """Is the value of the root known exactly?"""
        return self.root.bounds.proven

    def value(self, record: MoveRecord) -> float:
        """The value of a move at the root: proven, otherwise estimated; 0.5 without results."""
        if record.bounds.proven:
            return seen_by(self.turn, record.bounds.low)
        return self.estimate(record)

    def estimate(self, record: MoveRecord) -> float:
        """The mean result of a move at the root."""
        return record.counted.mean if record.counted.visits else 0.5
