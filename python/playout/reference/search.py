"""The twin of `playout.search`, for all methods with playouts."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .amaf import AMAF, AMAFSearch
from .base import Search, Task
from .choose import Evidence, is_sure
from .convert import AnyPosition
from .convert import position as twin_of
from .flat import Flat, FlatSearch
from .game import Position
from .grave import GRAVE, GRAVESearch
from .gumbel import Gumbel, GumbelSearch
from .halving import Halving, Schedule
from .knowledge import Expert, Knowledge
from .playout import rewarded
from .policy import AnyPolicy, chooser_of
from .puct import PUCT, PUCTSearch
from .rave import RAVE, RAVESearch
from .record import Entry, MoveStatistics
from .rng import Seed
from .tree import TreeSearch, learns
from .ucb import UCB, UCBSearch
from .uct import UCT, UCTSearch
from .uct_tuned import UCTTuned, UCTTunedSearch

PLAYOUTS_BETWEEN_TESTS = 100  # of until_sure

SEARCHES: dict[str, tuple[type[Any], type[Search]]] = {
    "flat": (Flat, FlatSearch),
    "ucb": (UCB, UCBSearch),
    "amaf": (AMAF, AMAFSearch),
    "uct": (UCT, UCTSearch),
    "rave": (RAVE, RAVESearch),
    "grave": (GRAVE, GRAVESearch),
    "ucttuned": (UCTTuned, UCTTunedSearch),
    "puct": (PUCT, PUCTSearch),
    "gumbel": (Gumbel, GumbelSearch),
}


@dataclass(frozen=True)
class Result:
    """The result of a search. Values are as the player to move sees them."""

    move: str
    value: float
    pv: list[str]
    """The expected line of play, beginning with the chosen move."""
    playouts: int
    reason: str
    """Why the search ended: "playouts", "sure" or "proven"."""
    moves: list[MoveStatistics]
    """One for each legal move, in legal order."""
    regret: float | None = None
    """UCB: the cost of trying worse moves."""
    bound: float | None = None
    """UCB1's bound on its expectation."""
    table: Mapping[Position, Entry] = field(default_factory=dict, repr=False)
    """The tree: the entry of each position in it; empty for methods without a tree."""

    def entry(self, position: AnyPosition) -> list[MoveStatistics] | None:
        """The statistics of a position's moves; None if the position is not in the tree.

        >>> from playout.reference import Breakthrough
        >>> position = Breakthrough(5)
        >>> result = search(position, "uct", playouts=300, seed=1)
        >>> below = result.entry(position.play(result.move))
        >>> sum(row.visits for row in below) == max(row.visits for row in result.moves) - 1
        True
        >>> result.entry(Breakthrough(6)) is None
        True
        """
        entry = self.table.get(twin_of(position))
        return entry.statistics() if entry else None


def search(
    position: AnyPosition,
    method: object,
    *,
    playouts: int,
    seed: Seed,
    policy: AnyPolicy = "random",
    solver: bool = False,
    until_sure: float | None = None,
    memory_entries: int | None = None,
    rewards: str = "result",
) -> Result:
    """Search a position by a method.

    `method` is a name, for the method with default settings, or an object like `UCT(c=0.2)`. The
    search ends after `playouts` playouts, or earlier: when the best move is known to within
    `until_sure`, or with `solver=True` when the value is proven. `memory_entries` limits the tree.
    With `rewards="margin"` a finished game counts its margin.

    >>> from playout.reference import Breakthrough, Othello
    >>> result = search(Breakthrough(5), "uct", playouts=1000, seed=1)
    >>> result.move, round(result.value, 3), result.pv[:3]
    ('b2c3', 0.546, ['b2c3', 'b4c3', 'a1b2'])
    >>> lost = search(Othello(4), GRAVE(ref=20), playouts=5000, seed=1, solver=True)
    >>> lost.value, lost.reason, lost.playouts
    (0.0, 'proven', 749)

    Any game can be searched. Here two players take one, two or three from a heap, and the player
    who takes the last one wins (plain_game.py shows another kind of class):

    >>> from playout.reference import Move, Position
    >>> @dataclass(frozen=True)
    ... class Heap(Position):
    ...     size: int
    ...     turn: int = 0
    ...
    ...     @property
    ...     def legal_moves(self):
    ...         return [Move(f"take {n}") for n in (1, 2, 3) if n <= self.size]
    ...
    ...     @property
    ...     def result(self):
    ...         return float(self.turn) if self.size == 0 else None
    ...
    ...     def after(self, move):
    ...         return Heap(self.size - int(move.text[-1]), 1 - self.turn)
    ...
    ...     def code(self, move):
    ...         return 3 * self.turn + int(move.text[-1])
    >>> result = search(Heap(10), "uct", playouts=1000, seed=1, solver=True)
    >>> result.move, result.value, result.reason, result.playouts
    ('take 2', 1.0, 'proven', 31)
    """
    root = rewarded(twin_of(position), rewards)
    if root.result is not None:
        raise ValueError("there is nothing to search: the game is over")
    if playouts < 1:
        raise ValueError(f"the number of playouts must be 1 or more, not {playouts}")
    if not learns(policy):
        chooser_of(policy)
    running = begin(Task(root, seed, policy, solver, memory_entries, playouts), method)
    reason = run(running, playouts, until_sure)
    chosen = running.chosen()
    return Result(
        move=chosen.move.text,
        value=running.value(chosen),
        pv=running.variation(chosen),
        playouts=running.playouts,
        reason=reason,
        moves=running.statistics(),
        regret=running.regret if isinstance(running, UCBSearch) else None,
        bound=running.bound if isinstance(running, UCBSearch) else None,
        table=running.table if isinstance(running, TreeSearch) else {},
    )


def begin(task: Task, method: object) -> Search:
    """The search that a method names, before its first playout.

    A method is recognised by the name of its class, and read by its fields. So the methods of the
    library work as well as those of this package. A missing field has its default.

    >>> from playout.reference import Breakthrough
    >>> begin(Task(Breakthrough(5), seed=1), "minimax")
    Traceback (most recent call last):
    ValueError: there is no method 'minimax'; there are: flat, ucb, amaf, uct, rave, grave, \
ucttuned, puct, gumbel
    """
    name = method if isinstance(method, str) else type(method).__name__.lower()
    if name == "halving":
        return begin_halving(task, Halving() if isinstance(method, str) else method)
    if name not in SEARCHES:
        raise ValueError(f"there is no method {name!r}; there are: {', '.join(SEARCHES)}")
    settings, search_class = SEARCHES[name]
    if task.solver and not search_class.keeps_bounds:
        raise ValueError(f"{name} has no tree: solver is for those that do")
    if task.memory_entries and not issubclass(search_class, TreeSearch):
        raise ValueError(f"{name} has no table: memory_entries is for those that do")
    running = search_class(task, settings(**settings_of(method, settings)))
    if isinstance(running, TreeSearch):
        knowledge = Knowledge(**settings_of(method, Knowledge))
        running.expert = Expert(knowledge, task.position)
    return running


def settings_of(method: object, kind: type[Any]) -> dict[str, Any]:
    """The settings of a method that a class of settings has. A missing one has its default."""
    return {f.name: getattr(method, f.name, f.default) for f in fields(kind)}


def begin_halving(task: Task, method: Any) -> Search:
    """The search of a tree method, with a schedule at its root."""
    running = begin(task, method.method)
    if not isinstance(running, TreeSearch) or task.playouts is None:
        raise ValueError("halving shares out a known number of playouts at the root of a tree")
    running.ties = method.ties
    running.schedule = Schedule(running.root, task.playouts, method.amaf)
    return running


def run(running: Search, playouts: int, until_sure: float | None) -> str:
    """Simulate until there is a reason to stop, and return the reason."""
    while running.playouts < playouts:
        before = running.playouts
        running.simulate(playouts - before)
        if running.proven:
            return "proven"
        time_to_test = running.playouts // PLAYOUTS_BETWEEN_TESTS > before // PLAYOUTS_BETWEEN_TESTS
        if until_sure is not None and time_to_test and is_sure(ranked(running), until_sure):
            return "sure"
    return "playouts"


def ranked(running: Search) -> list[Evidence]:
    """The counts of the moves that may be chosen, the best move first."""
    moves = sorted(running.candidates(), key=running.preference, reverse=True)
    return [running.evidence(move) for move in moves]
