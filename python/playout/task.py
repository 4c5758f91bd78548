"""A search as checked data: a position, a method, its settings and limits."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self, get_args

import numpy as np

from mcts_core.errors import BadPosition, shown
from mcts_core.games.python_game import PythonPosition
from mcts_core.position import Position
from mcts_core.rng import known_seed
from mcts_core.search.driver import Driver
from mcts_core.search.growing import LEARNERS
from playout.arguments import (
    AnySeed,
    Seed,
    memory_size,
    number,
    on_this_machine,
    one_of,
    whole_number,
)
from playout.names import Rewards, SearchPolicy
from playout.policies import AnyPolicy, checked_policy, compiled_policy

if TYPE_CHECKING:
    from playout.method import Method

REWARDS: tuple[Rewards, ...] = get_args(Rewards)
SEARCH_POLICIES: tuple[SearchPolicy, ...] = get_args(SearchPolicy)
MEMORY = 2**30  # bytes, the default limit of the table
MOST_PLAYOUTS = 2**31 - 1  # of one call; a tree counts up to 0xFF000000 in all
MOST_THREADS = 1024


class PythonGame(Protocol):
    """A position of a game written in plain Python: what a search needs at least.

    Its `turn` (0 or 1), `code(move)` with `n_codes`, `copy()` and `max_plies` are optional.

    >>> import playout as po
    >>> class Coin:
    ...     is_taken = False
    ...     def legal_moves(self): return [] if self.is_taken else ["take"]
    ...     def play(self, move): self.is_taken = True
    ...     def is_over(self): return self.is_taken
    ...     def result(self): return 1.0
    ...     def key(self): return self.is_taken
    ...
    >>> po.search(Coin(), playouts=10, seed=1).value
    1.0
    """

    def legal_moves(self) -> Sequence[Any]:
        """The moves: objects of any type whose `str` differ; none when the game is over."""

    def play(self, move: Any, /) -> object:
        """Make a move."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def result(self) -> float:
        """The result of a finished game, from 0 to 1, as the first player sees it."""

    def key(self) -> Hashable:
        """A hashable value that identifies the position and the side to move."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search. The first one met ends it."""

    playouts: int | None
    seconds: float | None
    until_sure: float | None

    @classmethod
    def checked(cls, playouts: int | None, seconds: float | None, until_sure: float | None) -> Self:
        """Limits made of valid arguments, at least one of them."""
        if playouts is None and seconds is None and until_sure is None:
            raise ValueError(
                "a search needs a limit: playouts=10_000, seconds=1.0 or until_sure=0.01"
            )
        if playouts is not None:
            playouts = whole_number("playouts", playouts, 1, MOST_PLAYOUTS)
        if seconds is not None:
            seconds = number("seconds", seconds, 0.0, above=True)
        if until_sure is not None:
            until_sure = number("until_sure", until_sure, 0.0, above=True)
            if until_sure >= 1.0:
                raise ValueError(
                    "until_sure must be a standard error of results from 0 to 1, such as 0.01, "
                    f"not {shown(until_sure)}"
                )
        return cls(playouts, seconds, until_sure)


@dataclass(frozen=True, slots=True)
class Task:
    """A search without its limits."""

    position: Position
    method: Method
    seed: Seed
    threads: int
    memory: int  # bytes
    policy: AnyPolicy
    solver: bool
    rewards: Rewards = "result"

    @classmethod
    def checked(
        cls,
        position: Position | PythonGame,
        method: Method,
        *,
        seed: AnySeed | None,
        threads: int,
        memory: int | str | None,
        policy: AnyPolicy,
        solver: bool,
        rewards: Rewards = "result",
    ) -> Self:
        """A task made of arguments of `playout.search`, which are checked."""
        root = searchable(position)
        threads = whole_number("threads", threads, 1, MOST_THREADS)
        method.check_use(threads, solver)
        method.check_policy(checked_policy(policy, SEARCH_POLICIES))
        return cls(
            position=root,
            method=method,
            seed=known_seed(seed),
            threads=threads,
            memory=MEMORY if memory is None else memory_size("memory", memory),
            policy=policy,
            solver=solver,
            rewards=one_of("rewards", rewards, REWARDS),
        )

    def from_position(self, position: Position) -> Task:
        """The same task for another position."""
        return replace(self, position=position)

    def seeded(self, sequence: np.random.SeedSequence) -> Task:
        """The same task with another seed."""
        return replace(self, seed=sequence)

    def whole_flights(self, playouts: int) -> int:
        """This number of playouts, rounded up to whole flights."""
        flight = self.method.flight
        return -(-playouts // flight) * flight

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the result table, after the move."""
        return (*self.method.shown, "proven") if self.solver else self.method.shown

    def engine(self, budget: int | None = None) -> Driver:
        """A new compiled search for this task. Halving needs the `budget` of playouts."""
        on_this_machine(self.memory)
        return self.method.engine(self.position, self.options(budget), self.seed)

    def options(self, budget: int | None = None) -> dict[str, Any]:
        """The settings as the engine takes them."""
        learner = self.policy if is_learner(self.policy) else None
        policy = "random" if learner else compiled_policy(self.policy)
        options = self.method.options() | {"policy": policy, "rewards": self.rewards}
        if self.method.grows_tree:
            options |= {"solver": self.solver, "memory": self.memory}
            options |= {"learner": learner, "budget": budget}
        return options | self.method.parts(self.position)


def is_learner(policy: AnyPolicy) -> bool:
    """Whether this policy learns during a search."""
    return isinstance(policy, str) and policy in LEARNERS


def is_position(thing: object) -> bool:
    """Whether this is a position, or looks like one of a game in Python."""
    return isinstance(thing, Position) or hasattr(thing, "legal_moves")


def wrapped(position: Position | PythonGame, what: str = "a search starts from") -> Position:
    """The position itself, or that of an object of a game in Python."""
    if isinstance(position, Position):
        return position
    if isinstance(position, type) or not is_position(position):
        raise BadPosition(
            f"{what} a position, such as playout.Breakthrough(), not {shown(position)}"
        )
    return PythonPosition(position)


def searchable(position: Position | PythonGame) -> Position:
    """A private copy of an unfinished position. An object of a game in Python is wrapped."""
    own = wrapped(position).private()
    if own.is_over:
        raise BadPosition("this game is over, so there is nothing to search: take a move back")
    return own
