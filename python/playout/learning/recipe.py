"""How a kind of evaluation is learned: what self-play needs, and how it is fitted to the games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mcts_core.evaluator import Evaluator
from mcts_core.position import Position
from playout.learning.learned import Learned
from playout.learning.weights import Arrays

Table: TypeAlias = dict[str, NDArray[Any]]
"""Columns: the planes `own` and `enemy`, the `score` of the search and the `result` of the game."""

Facts: TypeAlias = dict[str, Any]
Heard: TypeAlias = Callable[[int, float], None]
"""Is called after each epoch with its number and the error on positions that were held out."""


@dataclass(frozen=True, kw_only=True)
class Play:
    """How a generation plays: random moves at first, then searches, then a solver."""

    plies: tuple[int, int]
    """Random moves of an opening: the least and the most."""
    nodes: int
    """Of each search; 0: all moves are random."""
    men: int = 0
    """On the board from where the game's exact solver takes over; 0: it does not."""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """What a generation learns from."""

    start: Position
    tables: list[Table]
    """The games of this generation and of those just before, in chunks."""
    share: float
    """Of a label, by the score of the search; the rest is the game's result."""
    before: Learned | None
    """What has played the games; None in the first generation."""
    epochs: int
    seed: np.random.SeedSequence
    heard: Heard


class Recipe(Protocol):
    """A kind of evaluation that can be learned."""

    @property
    def learned(self) -> type[Learned]:
        """Its class."""

    def play(self, start: Position, nodes: int, generation: int) -> Play:
        """How a generation plays, where `nodes` is what the user asks for."""

    def first(self, start: Position) -> Evaluator:
        """What plays the first generation."""

    def fit(self, lesson: Lesson) -> tuple[Facts, Arrays, float]:
        """What a file holds besides the game, and the error on positions that were held out."""
