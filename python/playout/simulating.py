"""The simulations of a tree search one by one, by the plain-Python twin.

The twin agrees with the engine visit for visit, so what is shown here is what the engine does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mcts_core.errors import BadMethod, BadPosition
from mcts_core.position import Moves, Position
from mcts_core.rng import known_seed
from playout.arguments import AnySeed, whole_number
from playout.games import GAMES, game_of
from playout.method import Method
from playout.methods import method_of
from playout.reference.base import Task
from playout.reference.convert import position as twin_of
from playout.reference.record import Entry, MoveRecord
from playout.reference.search import begin
from playout.reference.tree import TreeSearch, Walk
from playout.render import simulation as render
from playout.task import searchable

SHOWN = 6  # moves of a position that the choice is shown for
MOST = 100_000


@dataclass(frozen=True, eq=False)
class Simulation:
    """One simulation of a tree search, in its four phases. In a notebook: four pictures.

    >>> import playout as po
    >>> first, second = po.simulations(po.Breakthrough(4), "uct", n=2, seed=1)
    >>> second
    <Simulation 2: b2a3, then 3 random moves, result 0>
    >>> second.path, len(second.playout), second.end.result
    (<1 moves: b2a3>, 3, 0.0)
    """

    number: int
    """1 for the first one of the search."""
    position: Position
    """The position that is searched."""
    choices: list[dict[str, Any]]
    """Selection: for each position of the walk, the best moves and how their scores are made."""
    leaf: Position
    """Where the walk ends."""
    grown: bool
    """Expansion: whether the walk added `leaf` to the tree. If not, the game ended there."""
    end: Position
    """Playout: the end of the random game. Its history is the walk and the random moves."""
    result: float
    """Backup: the first player's result, which counts for every move of the walk. With an
    evaluation that ends playouts early, it is what the evaluation expects."""
    root: list[tuple[int, float]]
    """Visits and mean of each legal move of `position` afterwards."""
    _run: list[Simulation] = field(repr=False)

    @property
    def path(self) -> Moves:
        """The moves of the walk."""
        return self.leaf.history

    @property
    def playout(self) -> Moves:
        """The random moves after the walk."""
        return Moves(self.end.history[len(self.path) :])

    @property
    def amaf(self) -> Moves:
        """The moves of `position` that AMAF counts the result for, in methods that have AMAF.

        They are all those that the side to move makes, at once, later in the walk, or at random.
        """
        named = {self.position.code(move): move for move in self.position.legal_moves}
        at, made = self.position.copy(), []
        for move in self.end.history:
            if at.turn == self.position.turn:
                made.append(named.get(at.code(move)))
            at.push(move)
        return Moves([move for move in dict.fromkeys(made) if move is not None])

    @property
    def earlier(self) -> list[Simulation]:
        """The simulations before this one. They made the tree that it walks through."""
        return self._run[: self.number - 1]

    def to_dict(self) -> dict[str, Any]:
        """The simulation as plain types, for JSON."""
        return {
            "path": [str(move) for move in self.path],
            "choices": self.choices,
            "grown": self.grown,
            "playout": [str(move) for move in self.playout],
            "result": self.result,
            "amaf": [str(move) for move in self.amaf],
            "leaf": self.leaf.board.rows,
            "end": self.end.board.rows,
            "root": [list(row) for row in self.root],
        }

    def __repr__(self) -> str:
        return (
            f"<Simulation {self.number}: {' '.join(self.path)}, "
            f"then {len(self.playout)} random moves, result {self.result:g}>"
        )

    def _repr_svg_(self) -> str:
        return render.svg(self)


def simulations(
    position: Position, method: str | Method = "uct", n: int = 100, *, seed: AnySeed | None = None
) -> list[Simulation]:
    """The first `n` simulations of a tree search, each with what it did.

    The plain-Python twin plays them. It agrees with `search` visit for visit.

    >>> import playout as po
    >>> game = po.Breakthrough(5)
    >>> last = po.simulations(game, "rave", n=50, seed=1)[-1]
    >>> found = po.search(game, "rave", playouts=50, seed=1)
    >>> sorted(visits for visits, _ in last.root) == sorted(found.moves["visits"].tolist())
    True
    """
    method, n = method_of(method), whole_number("n", n, 1, MOST)
    if not method.grows_tree:
        raise BadMethod(f"{method!r} grows no tree to look into: use UCT, RAVE or GRAVE")
    root = searchable(position).copy(past=False)
    if game_of(root) is None:
        raise BadPosition(
            f"{root!r} has no twin in plain Python that could play simulations: give a position of "
            f"{', '.join(game.title for game in GAMES.values())}"
        )
    search = begin(Task(twin_of(root), known_seed(seed)), method)
    assert isinstance(search, TreeSearch)
    watch = _Watch(search)
    run: list[Simulation] = []
    for number in range(1, n + 1):
        search.simulate()
        run.append(watch.seen(number, root, run))
    return run


class _Watch:
    """Notes what a search chooses and what it counts."""

    def __init__(self, search: TreeSearch) -> None:
        self._search, self._walk = search, Walk()
        self._choices: list[dict[str, Any]] = []
        select, update = search.select, search.update

        def selecting(walk: Sequence[Entry], moves: Sequence[MoveRecord]) -> MoveRecord:
            chosen = select(walk, moves)
            self._choices.append(self._choice(walk, moves, chosen))
            return chosen

        def updating(walk: Walk) -> None:
            self._walk = walk
            update(walk)

        search.select, search.update = selecting, updating  # type: ignore[method-assign]

    def seen(self, number: int, root: Position, run: list[Simulation]) -> Simulation:
        """What the last simulation did."""
        walk, choices = self._walk, self._choices
        self._choices = []
        leaf = _after(root, [record.move.text for record in walk.made])
        moves = self._search.root.moves
        return Simulation(
            number=number,
            position=root,
            choices=choices,
            leaf=leaf,
            grown=len(walk.entries) > len(walk.made),
            end=_after(leaf, walk.game.moves if walk.game else []),
            result=walk.result,
            root=[(each.counted.visits, round(each.counted.mean, 4)) for each in moves],
            _run=run,
        )

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


def _after(position: Position, moves: Sequence[str]) -> Position:
    """The position after some moves."""
    after = position.copy()
    for move in moves:
        after.push(move)
    return after
