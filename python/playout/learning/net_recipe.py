"""Learning a network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcts_core.evaluation.net import SCALE
from mcts_core.evaluation.rows import Rows
from mcts_core.evaluator import Evaluator
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.position import Position
from playout.games import size_of
from playout.learning.learned import Learned
from playout.learning.net import Net, by_square, compiled_net
from playout.learning.recipe import Facts, Lesson, Play, Table
from playout.learning.symmetries import symmetries_of
from playout.learning.training import Examples, Shape, logistic, train
from playout.learning.weights import Arrays


@dataclass(frozen=True)
class NetRecipe:
    """A network of this shape."""

    shape: Shape

    @property
    def learned(self) -> type[Learned]:
        """Its class."""
        return Net

    def play(self, start: Position, nodes: int, generation: int) -> Play:
        """Every generation plays alike."""
        rows = size_of(start)[0]
        return Play(plies=(rows // 2, 2 * rows), nodes=nodes)

    def first(self, start: Position) -> Evaluator:
        """Rows in Breakthrough, elsewhere tactics alone."""
        if isinstance(start, Breakthrough):
            return Rows(start)
        return compiled_net(start, nothing(start, self.shape), self.shape.most_men)

    def fit(self, lesson: Lesson) -> tuple[Facts, Arrays, float]:
        """Train a new network on the games."""
        parts = [examples_of(table, lesson.share) for table in lesson.tables]
        examples = Examples(
            own=np.concatenate([part.own for part in parts]),
            enemy=np.concatenate([part.enemy for part in parts]),
            label=np.concatenate([part.label for part in parts]),
        )
        arrays, error = train(
            examples,
            self.shape,
            symmetries_of(lesson.start),
            epochs=lesson.epochs,
            seed=lesson.seed,
            heard=lesson.heard,
        )
        arrays["inputs"] = by_square(arrays["inputs"], lesson.start)
        return {"most_men": self.shape.most_men}, arrays, error


def nothing(start: Position, shape: Shape) -> Arrays:
    """The network that knows nothing: every score is 0."""
    rows, cols = size_of(start)
    return {
        "inputs": np.zeros((2 * rows * cols, shape.hidden), np.int16),
        "biases": np.zeros(shape.hidden, np.int16),
        "weights": np.zeros((shape.heads, shape.hidden), np.int16),
        "head_biases": np.zeros(shape.heads, np.int32),
    }


def examples_of(rows: Table, share: float) -> Examples:
    """Label positions: `share` by the score of the search, the rest by the result of the game."""
    result = rows["result"].astype(np.float32) / 2.0
    predicted = logistic(rows["score"].astype(np.float32) / np.float32(SCALE))
    label = (1.0 - share) * result + share * predicted
    return Examples(own=rows["own"], enemy=rows["enemy"], label=label.astype(np.float32))
