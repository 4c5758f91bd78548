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
from collections.abc import Sequence

from .base import MethodWithTies, Search, Task
from .choose import Evidence, Preference, by_visits
from .game import Position, seen_by
from .playout import play_to_end
from .record import UNKNOWN, Bounds, Entry, MoveRecord, MoveStatistics
from .solver import back_up, may_be_best, worth_trying


class TreeSearch(Search):
    """The loop that all methods with a tree share; a method supplies `select`."""

    def __init__(self, task: Task, method: MethodWithTies) -> None:
        super().__init__(task, method)
        self.solver = task.solver
        self.memory_entries = task.memory_entries
        self.root = Entry(task.position)
        self.records = self.root.moves
        self.table = {task.position: self.root}

    @abstractmethod
    def select(self, walk: Sequence[Entry], moves: Sequence[MoveRecord]) -> MoveRecord:
        """One of these moves of the last entry of a walk that began at the root."""

    def simulate(self) -> None:
        """One simulation, in the four steps above."""
        walk: list[Entry] = []  # the entries that the simulation is counted in
        made: list[MoveRecord] = []  # the moves made at them
        codes: Sequence[int] = ()  # those of the playout

        # 1. Select
        entry: Entry | None = self.root
        while entry and not entry.bounds.proven:
            walk.append(entry)
            move = self.select(walk, worth_trying(entry) if self.solver else entry.moves)
            made.append(move)
            position = entry.position.after(move.move)
            entry = self.table.get(position)

        if entry:  # the solver knows how this ends
            bounds = entry.bounds
            result = bounds.low
        elif position.result is not None:
            result = position.result
            bounds = Bounds(result, result)
        else:
            # 2. Grow, and 3. play out
            bounds = UNKNOWN
            if not self.is_full:
                walk.append(self.grow(position))
            game = play_to_end(position, self.generator, self.policy)
            result, codes = game.result, game.codes

        # 4. Update
        self.update(walk, made, codes, result)
        if self.solver:
            back_up(walk, made, bounds)
        self.playouts += 1

    @property
    def is_full(self) -> bool:
        """Has the table as many entries as it may have? Then the tree stops growing."""
        return self.memory_entries is not None and len(self.table) >= self.memory_entries

    def grow(self, position: Position) -> Entry:
        """The new entry of a position."""
        entry = self.table[position] = Entry(position)
        return entry

    def update(
        self,
        walk: Sequence[Entry],
        made: Sequence[MoveRecord],
        codes: Sequence[int],
        result: float,
    ) -> None:
        """Count the result of a simulation for the moves that it made.

        A new leaf is the last entry of the walk. No move was made at it yet, so that `walk` is
        then longer by one than `made`.
        """
        for entry, move in zip(walk, made, strict=False):
            entry.total += 1
            move.played.add(seen_by(entry.turn, result))

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
