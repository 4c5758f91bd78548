"""Monte Carlo tree search: the base of UCT, RAVE and GRAVE.

The tree starts with the root and grows by one position in each simulation:

1. Select: walk down from the root. At each position the method's formula chooses a move. Stop at a
   position that is not in the tree, or at the end of the game.
2. Grow: add that position.
3. Play out: finish the game from there by the policy.
4. Update: count the result for every move of the walk.

So good moves get more and more visits, and so do good replies to them, and the mean results at the
root converge to the result of perfect play.

The tree is stored in a table: a position that can be reached in several ways has one entry. Counts
belong to a move at an entry. A simulation counts for the moves that it made, not for other ways to
the same positions.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeGuard

from .base import MethodWithTies, SearchWithTree, Task
from .game import Move, Position, seen_by
from .halving import Schedule
from .knowledge import Expert, Knowledge
from .mast import MAST
from .playout import Playout, play_to_end
from .policy import AnyPolicy, Learner
from .ppaf import PPAF
from .record import UNKNOWN, Bounds, Entry, MoveRecord, MoveStatistics
from .rng import SFC64
from .solver import back_up, may_be_best, worth_trying

LEARNERS: dict[str, type[Learner]] = {"mast": MAST, "ppaf": PPAF}
"""The policies that learn in a tree."""


def learns(policy: AnyPolicy) -> TypeGuard[str]:
    """Does this policy learn in a tree?"""
    return isinstance(policy, str) and policy in LEARNERS


class MethodWithLanes(MethodWithTies, Protocol):
    """What all methods with a tree have: the number of simulations in a flight."""

    @property
    def lanes(self) -> int:
        """1 by default."""


@dataclass(slots=True)
class Walk:
    """The state of one simulation."""

    entries: list[Entry] = field(default_factory=list)
    """The entries that it is counted in. A new entry is last; no move was made at it yet."""
    made: list[MoveRecord] = field(default_factory=list)
    """The moves made at these entries."""
    leaf: Position | None = None
    """The position to play out; None if the result is known."""
    bounds: Bounds = UNKNOWN
    """The bounds of the position that the walk ends at."""
    value: float | None = None
    """Its value to the first player, if it was evaluated."""
    game: Playout | None = None
    """The playout."""

    @property
    def steps(self) -> Iterator[tuple[Entry, MoveRecord]]:
        """The entries at which a move was made, each with that move."""
        return zip(self.entries, self.made, strict=False)

    @property
    def result(self) -> float:
        """The result of the playout, or the known result, for the first player."""
        return self.game.result if self.game else self.bounds.low

    @property
    def moves(self) -> list[Move]:
        """All moves, in the tree and in the playout."""
        return [*(move.move for move in self.made), *(self.game.made if self.game else ())]

    @property
    def codes(self) -> Sequence[int]:
        """The AMAF codes of all moves, in the tree and in the playout."""
        return [*(move.code for move in self.made), *(self.game.codes if self.game else ())]


class TreeSearch(SearchWithTree[Entry]):
    """The loop that all methods with a tree share; a method supplies `select`."""

    keeps_bounds = True

    def __init__(self, task: Task, method: MethodWithLanes) -> None:
        super().__init__(task, method)
        self.solver = task.solver
        self.memory_entries = task.memory_entries
        self.lanes = method.lanes
        streams = range(1, self.lanes)
        self.generators = [self.generator, *(SFC64(task.seed, place) for place in streams)]
        self.learner = LEARNERS[task.policy]() if learns(task.policy) else None
        self.schedule: Schedule | None = None  # chooses at the root instead of `select`
        self.expert = Expert(Knowledge(), task.position)
        self.root = Entry(task.position)
        self.records = self.root.moves
        self.table = {task.position: self.root}

    @abstractmethod
    def select(self, walk: Sequence[Entry], moves: Sequence[MoveRecord]) -> MoveRecord:
        """Choose one of these moves of the last entry of a walk."""

    def parts(self, walk: Sequence[Entry], move: MoveRecord) -> dict[str, float | None]:
        """What the choice of a move at the end of a walk is made of; None: not known yet."""
        played = move.played
        return {"visits": played.visits, "mean": played.mean if played.visits else None}

    def simulate(self, at_most: int = 1) -> None:
        """One simulation, in the four steps above; with lanes, a flight of up to `at_most`.

        All simulations of a flight walk down before the first is played out, and all are played out
        before the first is counted. A walk counts its visits at once. Until their results are added
        these look like losses, so the next walk tends to go elsewhere (virtual loss). Each lane has
        its own random stream, which continues from flight to flight.
        """
        flight = [self.walk_down() for _ in range(min(self.lanes, at_most))]
        for walk, generator in zip(flight, self.generators, strict=False):
            if walk.leaf is not None:
                walk.game = self.play_out(walk.leaf, walk.value, generator)
        for walk in flight:
            self.update(walk)
            if self.learner:
                self.learner.learn(self.position, walk.moves, walk.result)
            if self.solver:
                back_up(walk.entries, walk.made, walk.bounds)
            known = walk.bounds.low if walk.bounds.proven else None
            self.expert.back_up(
                walk.entries, walk.made, walk.value if known is None else known, known
            )
        self.playouts += len(flight)

    def advance(self, move: Move) -> None:
        """Make the position after a move the root. The table stays, and what was learned."""
        self.position = self.position.after(move)
        self.turn = self.position.turn
        self.root = self.table.get(self.position) or self.grow(self.position)
        self.records = self.root.moves
        self.playouts = 0

    def walk_down(self) -> "Walk":
        """Select and grow: walk to a position to play out, or to a known result."""
        walk = Walk()
        entry: Entry | None = self.root
        while entry and not entry.bounds.proven:
            walk.entries.append(entry)
            if not entry.total:
                self.expert.prepare(entry)
            planned = self.schedule.next() if self.schedule and entry is self.root else None
            trying = worth_trying(entry) if self.solver else entry.moves
            move = planned or self.select(walk.entries, trying)
            walk.made.append(move)
            position = entry.position.after(move.move)
            entry = self.table.get(position)

        if entry:  # the solver has proven its value
            walk.bounds = entry.bounds
        elif position.result is not None:
            walk.bounds = Bounds(position.result, position.result)
        else:
            walk.value, is_certain = self.expert.look_at(position)
            if is_certain and walk.value is not None:
                walk.bounds = Bounds(walk.value, walk.value)
            else:
                walk.leaf = position
                if not self.is_full:
                    walk.entries.append(self.grow(position))
        for entry, move in walk.steps:
            entry.total += 1
            move.played.visits += 1
        return walk

    def play_out(self, leaf: Position, value: float | None, generator: SFC64) -> Playout:
        """Finish the game from a leaf, or cut it short and evaluate its last position."""
        if self.expert.cut is None:
            return play_to_end(leaf, generator, self.learner or self.policy)
        if self.expert.cut == 0:
            assert value is not None
            return Playout(value, (), ())
        return self.expert.play_out(leaf, generator)

    def adjusted(self, entry: Entry, move: MoveRecord, score: float) -> float:
        """The score of a move by the method's formula, adjusted by what the expert knows."""
        return self.expert.adjust(entry, move, score)

    @property
    def is_full(self) -> bool:
        """Is the table full? Then the tree stops growing."""
        return self.memory_entries is not None and len(self.table) >= self.memory_entries

    def grow(self, position: Position) -> Entry:
        """Add an entry for a position."""
        entry = self.table[position] = Entry(position)
        return entry

    def update(self, walk: "Walk") -> None:
        """Add the result of a simulation to the moves that it made. Their visits are counted."""
        for entry, move in walk.steps:
            move.played.wins += seen_by(entry.turn, walk.result)

    # The final choice.

    def candidates(self) -> Sequence[MoveRecord]:
        """The moves that are not proven to be worse than another."""
        return may_be_best(self.root)

    # What is reported.

    def variation(self, record: MoveRecord) -> list[str]:
        """The chosen move, and then at each entry the move that would be chosen there."""
        moves = [record.move.text]
        position = self.position.after(record.move)
        while (entry := self.table.get(position)) and entry.total:
            best = max(may_be_best(entry), key=self.preference)
            moves.append(best.move.text)
            position = position.after(best.move)
        return moves

    def statistics(self) -> list[MoveStatistics]:
        """The statistics of the moves at the root, in legal order."""
        return self.root.statistics()
