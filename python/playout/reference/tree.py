"""Monte Carlo tree search: what UCT, RAVE and GRAVE have in common.

A tree grows from the position asked about, one position a simulation:

1. Select: walk down from the root, at each position by the method's formula, until a position comes
   that is not in the tree, or the end of the game.
2. Grow: add that position.
3. Play out: finish the game from there by the policy.
4. Update: count the result for every move of the walk.

So good moves are visited more and more often, in reply to one another, and the mean results at the
root come nearer and nearer to what perfect play gives.

The tree is kept in a table: a position that can be reached in several ways has one entry. What is
counted belongs to a move at an entry, and a simulation counts for the moves that it walked, not for
other ways to the same positions.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from .base import MethodWithTies, Search, Task
from .choose import Evidence, Preference, by_visits
from .game import Position, seen_by
from .playout import Playout, play_to_end
from .record import UNKNOWN, Bounds, Entry, MoveRecord, MoveStatistics
from .rng import SFC64
from .solver import back_up, may_be_best, worth_trying


class MethodWithLanes(MethodWithTies, Protocol):
    """What all methods with a tree have: how many simulations make a flight."""

    @property
    def lanes(self) -> int:
        """One, unless said."""


@dataclass(slots=True)
class Walk:
    """A simulation on its way."""

    entries: list[Entry] = field(default_factory=list)
    """Those that it is counted in. A new one is the last; no move was made at it yet."""
    made: list[MoveRecord] = field(default_factory=list)
    """The moves made at them."""
    leaf: Position | None = None
    """The position to play out; None if it is known how this ends."""
    bounds: Bounds = UNKNOWN
    """What is known of the position that the walk ends at."""
    game: Playout | None = None
    """The playout."""

    @property
    def steps(self) -> Iterator[tuple[Entry, MoveRecord]]:
        """The entries at which a move was made, each with that move."""
        return zip(self.entries, self.made, strict=False)

    @property
    def result(self) -> float:
        """The playout's result, or the known one, for the first player."""
        return self.game.result if self.game else self.bounds.low

    @property
    def codes(self) -> Sequence[int]:
        """The AMAF codes of all moves, those made in the tree and those of the playout."""
        return [*(move.code for move in self.made), *(self.game.codes if self.game else ())]


class TreeSearch(Search):
    """The loop that all methods with a tree share; a method supplies `select`."""

    def __init__(self, task: Task, method: MethodWithLanes) -> None:
        super().__init__(task, method)
        self.solver = task.solver
        self.memory_entries = task.memory_entries
        self.lanes = method.lanes
        streams = range(1, self.lanes)
        self.generators = [self.generator, *(SFC64(task.seed, place) for place in streams)]
        self.root = Entry(task.position)
        self.records = self.root.moves
        self.table = {task.position: self.root}

    @abstractmethod
    def select(self, walk: Sequence[Entry], moves: Sequence[MoveRecord]) -> MoveRecord:
        """One of these moves of the last entry of a walk that began at the root."""

    def simulate(self, at_most: int = 1) -> None:
        """One simulation, in the four steps above; or a flight of several, up to so many.

        With lanes, several simulations walk down before the first of them is played out, and none
        is counted before all are. What they count on their way are visits without results: these
        look like losses, so that the next walk tends to go elsewhere (virtual loss). Each place in
        a flight has random numbers of its own, which go on from flight to flight.
        """
        flight = [self.walk_down() for _ in range(min(self.lanes, at_most))]
        for walk, generator in zip(flight, self.generators, strict=False):
            if walk.leaf is not None:
                walk.game = play_to_end(walk.leaf, generator, self.policy)
        for walk in flight:
            self.update(walk)
            if self.solver:
                back_up(walk.entries, walk.made, walk.bounds)
        self.playouts += len(flight)

    def walk_down(self) -> "Walk":
        """Select and grow: to a position to play from, or to the end."""
        walk = Walk()
        entry: Entry | None = self.root
        while entry and not entry.bounds.proven:
            walk.entries.append(entry)
            move = self.select(walk.entries, worth_trying(entry) if self.solver else entry.moves)
            walk.made.append(move)
            position = entry.position.after(move.move)
            entry = self.table.get(position)

        if entry:  # the solver knows how this ends
            walk.bounds = entry.bounds
        elif position.result is not None:
            walk.bounds = Bounds(position.result, position.result)
        else:
            walk.leaf = position
            if not self.is_full:
                walk.entries.append(self.grow(position))
        for entry, move in walk.steps:
            entry.total += 1
            move.played.visits += 1
        return walk

    @property
    def is_full(self) -> bool:
        """Has the table as many entries as it may have? Then the tree stops growing."""
        return self.memory_entries is not None and len(self.table) >= self.memory_entries

    def grow(self, position: Position) -> Entry:
        """The new entry of a position."""
        entry = self.table[position] = Entry(position)
        return entry

    def update(self, walk: "Walk") -> None:
        """Count the result of a simulation for the moves that it made, whose visits are counted."""
        for entry, move in walk.steps:
            move.played.wins += seen_by(entry.turn, walk.result)

    # The final choice.

    def evidence(self, record: MoveRecord) -> Evidence:
        """The simulations that made the move at the root."""
        return record.played

    def preference(self, record: MoveRecord) -> Preference:
        """The most visited move wins."""
        return by_visits(record.played)

    def candidates(self) -> Sequence[MoveRecord]:
        """The moves that are not proven to be worse than another."""
        return may_be_best(self.root)

    @property
    def proven(self) -> bool:
        """Is the value of the root known exactly?"""
        return self.root.bounds.proven

    # What is reported.

    def value(self, record: MoveRecord) -> float:
        """The value of a move at the root: proven, or else estimated, or else 0.5."""
        if record.bounds.proven:
            return seen_by(self.turn, record.bounds.low)
        return self.estimate(record)

    def estimate(self, record: MoveRecord) -> float:
        """The mean result of a move at the root."""
        return record.played.mean if record.played.visits else 0.5

    def variation(self, record: MoveRecord) -> list[str]:
        """The chosen move, and then at each entry the one that would be chosen there."""
        moves = [record.move.text]
        position = self.position.after(record.move)
        while (entry := self.table.get(position)) and entry.total:
            best = max(may_be_best(entry), key=self.preference)
            moves.append(best.move.text)
            position = position.after(best.move)
        return moves

    def statistics(self) -> list[MoveStatistics]:
        """All that was found out about the moves at the root, in legal order."""
        return self.root.statistics()
