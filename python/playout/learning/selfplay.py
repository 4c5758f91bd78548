"""Positions from self-play, chunk by chunk: each is a pure function of its place in the plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mcts_core.evaluation.net import SCALE
from mcts_core.evaluation.rows import Rows
from mcts_core.evaluator import Evaluator
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.minimax.selfplay import SelfPlay
from mcts_core.position import Position
from playout.games import size_of
from playout.learning.net import compiled_net
from playout.learning.training import Examples, Shape, logistic
from playout.learning.weights import Arrays

Table: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """What it takes to play one chunk, on any machine."""

    start: Position
    arrays: Arrays | None  # of the network that plays; None: the first generation
    shape: Shape
    nodes: int
    plies: tuple[int, int]
    seed: int
    generation: int
    number: int
    size: int

    def play(self) -> Table:
        """The planes, scores and results of its positions."""
        games = SelfPlay(self.start, self.evaluator(), self.nodes, self.plies)
        seed = np.random.SeedSequence(self.seed)
        own, enemy, score, result = games.fill(seed, self.generation, self.number, self.size)
        return {"own": own, "enemy": enemy, "score": score, "result": result}

    def evaluator(self) -> Evaluator:
        """The network; in the first generation rows in Breakthrough, elsewhere tactics alone."""
        if self.arrays is not None:
            return compiled_net(self.start, self.arrays, self.shape.most_men)
        if isinstance(self.start, Breakthrough):
            return Rows(self.start)
        return compiled_net(self.start, nothing(self.start, self.shape), self.shape.most_men)


def play(chunk: Chunk) -> Table:
    """Play a chunk: a function, so that any executor can call it."""
    return chunk.play()


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
