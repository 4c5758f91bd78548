"""The simulations of a tree search one by one, by the plain-Python twin.

The twin agrees with the engine visit for visit, so what is shown here is what the engine does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mcts_core.errors import BadMethod
from mcts_core.position import Position
from playout.method import Method
from playout.reference.base import Task
from playout.reference.convert import position as twin_of
from playout.reference.record import Entry, MoveRecord
from playout.reference.search import begin
from playout.reference.tree import TreeSearch, Walk

SHOWN = 6  # moves of a position that the choice is shown for


class Stepper:
    """A search by the twin that tells what each simulation did.

    >>> from playout import UCT, Breakthrough
    >>> first, second = Stepper(Breakthrough(4), UCT(), seed=1).steps(2)
    >>> first["path"], second["path"], first["grown"]
    (['a2b3'], ['b2a3'], True)
    """

    def __init__(self, position: Position, method: Method, seed: int) -> None:
        if not method.grows_tree:
            raise BadMethod(f"{method!r} grows no tree to look into: use UCT, RAVE or GRAVE")
        running = begin(Task(twin_of(position), seed), method)
        assert isinstance(running, TreeSearch)
        self._position, self._search = position, running
        self._choices: list[dict[str, Any]] = []
        self._walk = Walk()
        self._watch()

    def _watch(self) -> None:
        """Have the search call us where it chooses a move and where it counts a walk."""
        running = self._search
        select, update = running.select, running.update

        def selecting(walk: Sequence[Entry], moves: Sequence[MoveRecord]) -> MoveRecord:
            chosen = select(walk, moves)
            self._choices.append(self._choice(walk, moves, chosen))
            return chosen

        def updating(walk: Walk) -> None:
            self._walk = walk
            update(walk)

        running.select, running.update = selecting, updating  # type: ignore[method-assign]

    def steps(self, n: int) -> Iterator[dict[str, Any]]:
        """The next simulations."""
        for _ in range(n):
            self._choices = []
            self._search.simulate()
            yield self._step()

    def _step(self) -> dict[str, Any]:
        """What the last simulation did, in its four phases."""
        walk = self._walk
        path = [record.move.text for record in walk.made]
        played = list(walk.game.moves) if walk.game else []
        leaf = self._position.copy(past=False)
        for move in path:
            leaf.push(move)
        end = leaf.copy()
        for move in played:
            end.push(move)
        return {
            "path": path,
            "choices": self._choices,
            "grown": len(walk.entries) > len(walk.made),
            "playout": played,
            "result": walk.result,
            "leaf": leaf.board.rows,
            "end": end.board.rows,
            "root": [self._root_row(record) for record in self._search.root.moves],
        }

    def _root_row(self, record: MoveRecord) -> list[float]:
        """Visits and mean of a move at the root."""
        return [record.counted.visits, round(record.counted.mean, 4)]

    def _choice(
        self, walk: Sequence[Entry], moves: Sequence[MoveRecord], chosen: MoveRecord
    ) -> dict[str, Any]:
        """What the choice at an entry was made of: the moves with the best scores."""
        rows: list[dict[str, Any]] = [
            {"move": move.move.text, "chosen": move is chosen, **self._search.parts(walk, move)}
            for move in moves
        ]
        rows.sort(key=lambda row: (not row["chosen"], -(row.get("score") or 0.0)))
        return {"moves": rows[:SHOWN], "others": max(0, len(rows) - SHOWN)}
