"""What is to be searched, checked once: a position, a method, its settings and limits."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

import numpy as np

from mcts_core.errors import BadPosition, shown
from mcts_core.games.python_game import PythonPosition
from mcts_core.playouts import POLICIES
from mcts_core.position import Position
from mcts_core.rng import seed_sequence
from mcts_core.search.driver import Driver
from playout.arguments import Seed, memory_size, number, one_of, whole_number

if TYPE_CHECKING:
    from playout.methods import Method

MEMORY = 2**30  # bytes that the table may take, by default
MOST_PLAYOUTS = 2**31 - 1  # of one call; a tree counts up to 0xFF000000 in all
MOST_THREADS = 1024


class PythonGame(Protocol):
    """A position of a game written in plain Python: what a search asks of it at least.

    Its `turn` (0 or 1), `code(move)` with `n_codes`, `copy()` and `max_plies` are optional.
    """

    def legal_moves(self) -> Sequence[Any]:
        """The moves: any objects whose texts differ; none when the game is over."""

    def play(self, move: Any) -> object:
        """Make a move."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def result(self) -> float:
        """Of an ended game, from 0 to 1, as the first player sees it."""

    def key(self) -> Hashable:
        """Tells positions, and the side to move, apart."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: the first of those that are given."""

    playouts: int | None
    seconds: float | None
    until_sure: float | None

    @classmethod
    def checked(cls, playouts: int | None, seconds: float | None, until_sure: float | None) -> Self:
        """The limits, of which there must be one."""
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
        return cls(playouts, seconds, until_sure)


@dataclass(frozen=True, slots=True)
class Task:
    """A search to be made, but for its limits."""

    position: Position
    method: Method
    seed: Seed  # as the result tells it: an int, or the SeedSequence that was given
    sequence: np.random.SeedSequence
    threads: int
    memory: int  # bytes
    policy: str
    solver: bool

    @classmethod
    def checked(
        cls,
        position: Position | PythonGame,
        method: Method,
        *,
        seed: Seed | None,
        threads: int,
        memory: int | str | None,
        policy: str,
        solver: bool,
    ) -> Self:
        """A task of valid arguments, which are the arguments of `playout.search`."""
        root = searchable(position)
        threads = whole_number("threads", threads, 1, MOST_THREADS)
        method.check_use(threads, solver)
        sequence = seed_sequence(seed)
        return cls(
            position=root,
            method=method,
            seed=sequence if sequence is seed else cast(int, sequence.entropy),
            sequence=sequence,
            threads=threads,
            memory=MEMORY if memory is None else memory_size("memory", memory),
            policy=one_of("policy", policy, POLICIES),
            solver=solver,
        )

    def from_position(self, position: Position) -> Task:
        """The same task for another position."""
        return replace(self, position=position)

    def seeded(self, sequence: np.random.SeedSequence) -> Task:
        """The same task with another seed."""
        return replace(self, seed=sequence, sequence=sequence)

    def whole_flights(self, playouts: int) -> int:
        """This number of playouts, or the few more that fill the method's last flight."""
        flight = self.method.flight
        return -(-playouts // flight) * flight

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the result's table, after the move."""
        return (*self.method.shown, "proven") if self.solver else self.method.shown

    def engine(self) -> Driver:
        """A compiled search that has not begun."""
        return self.method.engine(self.position, self.options(), self.sequence)

    def options(self) -> dict[str, Any]:
        """The settings as the compiled searches take them."""
        options = self.method.options() | {"policy": self.policy}
        if self.method.grows_tree:
            options |= {"solver": self.solver, "memory": self.memory}
        return options


def searchable(position: Position | PythonGame) -> Position:
    """A private copy of a position in which a move can be played; of a game in Python, wrapped."""
    if isinstance(position, type) or not hasattr(position, "legal_moves"):
        raise BadPosition(
            "a search starts from a position, such as playout.Breakthrough(), "
            f"not {shown(position)}"
        )
    own = position.private() if isinstance(position, Position) else PythonPosition(position)
    if own.is_over:
        raise BadPosition("this game is over, so there is nothing to search: take a move back")
    return own
