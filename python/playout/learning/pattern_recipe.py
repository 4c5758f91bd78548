"""Learning patterns: gradient descent on the margins of games, phase by phase."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.evaluation.pattern_fit import descend
from mcts_core.evaluation.patterns import POINTS
from mcts_core.evaluator import Evaluator
from mcts_core.position import Position
from playout.games import game_of, size_of
from playout.learning.learned import Learned
from playout.learning.patterns import Layout, Patterns, layout_of, square_kinds
from playout.learning.recipe import Facts, Lesson, Play, Table
from playout.learning.weights import Arrays

PHASES = 16
SOLVED = 12  # empty squares from which games are played by the exact solver
# Men by which boards of the phases beside it may differ from a phase that learns from them
NEAR = 2
RATES = (0.2, 0.05)  # learning rates of the first and the last epoch
FIRST_SQUARE = 100.0  # of a gradient: as if each weight had met an error of 10 before
HELD_OUT = 0.02  # share of the positions that only measure the error
USUAL_SCALE = 6.0 * POINTS  # of an evaluation that has learned nothing
MOST_WEIGHT = 32767


@dataclass(frozen=True)
class PatternRecipe:
    """Patterns of the usual kinds for a square board."""

    @property
    def learned(self) -> type[Learned]:
        """Its class."""
        return Patterns

    def play(self, start: Position, nodes: int, generation: int) -> Play:
        """The first generation plays at random, until the exact solver takes over."""
        rows, cols = size_of(start)
        return Play(
            plies=(rows // 2, rows * cols // 2),
            nodes=nodes if generation else 0,
            men=max(0, rows * cols - SOLVED),
        )

    def first(self, start: Position) -> Evaluator:
        """Patterns whose weights are all 0."""
        layout = layout_of(start, square_kinds(size_of(start)))
        weights = np.zeros((1, len(layout.tied)), np.int16)
        men = _most_men(start)
        return layout.compiled(start, weights, np.zeros(1, np.int32), men, USUAL_SCALE)

    def fit(self, lesson: Lesson) -> tuple[Facts, Arrays, float]:
        """Go on from the weights of the generation before."""
        start = lesson.start
        kinds = square_kinds(size_of(start))
        fit = _Fit(lesson, layout_of(start, kinds))
        error = fit.run(lesson.epochs, lesson.heard)
        arrays: Arrays = {
            "weights": _whole(fit.weights, MOST_WEIGHT).astype(np.int16),
            "biases": _whole(fit.biases, 1 << 24).astype(np.int32),
        }
        facts: Facts = {
            "most_men": fit.men,
            "kinds": [list(kind) for kind in kinds],
            "scale": fit.scale(),
        }
        return facts, arrays, error


class _Fit:
    """Weights that learn, one set for each phase."""

    def __init__(self, lesson: Lesson, layout: Layout) -> None:
        self.layout, self.start = layout, lesson.start
        self.men = _most_men(lesson.start)
        self.shape = layout.compiled(
            lesson.start,
            np.zeros((PHASES, len(layout.tied)), np.int16),
            np.zeros(PHASES, np.int32),
            self.men,
            USUAL_SCALE,
        )
        self.weights = np.zeros((PHASES, layout.n_tied), np.float32)
        self.squares = np.full_like(self.weights, FIRST_SQUARE)
        self.biases = np.zeros(PHASES, np.float32)
        if lesson.before is not None:
            self.weights += lesson.before.arrays["weights"] / np.float32(POINTS)
            self.biases += lesson.before.arrays["biases"] / np.float32(POINTS)
        self.rng = np.random.Generator(np.random.SFC64(lesson.seed))
        rows = {name: np.concatenate([t[name] for t in lesson.tables]) for name in lesson.tables[0]}
        n = len(rows["own"])
        self.n_held_out = max(
            1, int(HELD_OUT * n)
        )  # the newest games, which no other rows come from
        order = np.concatenate(
            [np.arange(n - self.n_held_out, n), self.rng.permutation(n - self.n_held_out)]
        )
        self.own = np.ascontiguousarray(rows["own"][order])
        self.enemy = np.ascontiguousarray(rows["enemy"][order])
        self.label = labels_of({name: column[order] for name, column in rows.items()}, lesson.share)
        self.result = rows["result"][order]
        men = np.bitwise_count(self.own | self.enemy).astype(np.int32)
        self.rows = [self._rows_near(men, phase) for phase in range(PHASES)]

    def _rows_near(self, men: NDArray[np.int32], phase: int) -> NDArray[np.int32]:
        """The boards that a phase learns from: its own, and those a few men off."""
        low, high = (-(-p * self.men // PHASES) + 1 for p in (phase, phase + 1))
        near = (men >= low - NEAR) & (men < high + NEAR)
        near[: self.n_held_out] = False
        return np.flatnonzero(near).astype(np.int32)

    def run(self, epochs: int, heard: Callable[[int, float], None]) -> float:
        """Learn. Returns the error on positions that were held out."""
        error = self.error()
        first, last = RATES
        with ThreadPoolExecutor() as pool:
            for epoch in range(epochs):
                rate = first * (last / first) ** (epoch / max(1, epochs - 1))
                orders = [self.rng.permutation(rows) for rows in self.rows]
                list(pool.map(self.learn, range(PHASES), orders, [rate] * PHASES))
                error = self.error()
                heard(epoch + 1, error)
        return error

    def learn(self, phase: int, order: NDArray[np.int32], rate: float) -> None:
        """One epoch of a phase. Phases share no weights, so they may learn at the same time."""
        if len(order):
            self.biases[phase], _ = self._descend(phase, order, rate)

    def _descend(self, phase: int, order: NDArray[np.int32], rate: float) -> tuple[float, float]:
        return descend(
            self.shape,
            self.layout.tied,
            self.weights[phase],
            self.squares[phase],
            float(self.biases[phase]),
            self.own,
            self.enemy,
            self.label,
            order,
            rate,
        )

    def error(self) -> float:
        """The root of the mean squared error on positions that were held out."""
        total = 0.0
        phases, _ = self.shape.indices(self.own[: self.n_held_out], self.enemy[: self.n_held_out])
        for phase in range(PHASES):
            order = np.flatnonzero(phases == phase).astype(np.int32)
            if len(order):
                total += self._descend(phase, order, 0.0)[1] * len(order)
        return float(np.sqrt(total / self.n_held_out))

    def boards(self) -> Table:
        """The planes of the positions that were held out."""
        return {"own": self.own[: self.n_held_out], "enemy": self.enemy[: self.n_held_out]}

    def predictions(self) -> NDArray[np.float64]:
        """The predicted margins of the positions that were held out."""
        phases, indices = self.shape.indices(**self.boards())
        used = self.layout.tied[indices]
        sums = self.weights[phases[:, None], used].sum(axis=1) + self.biases[phases]
        predictions: NDArray[np.float64] = sums.astype(np.float64)
        return predictions

    def scale(self) -> float:
        """The points that make a win e times as likely: Newton's method on the logistic loss."""
        margin, won = self.predictions(), (np.sign(self.result[: self.n_held_out]) + 1.0) / 2.0
        slope = POINTS / USUAL_SCALE
        for _ in range(20):
            expected = 1.0 / (1.0 + np.exp(-slope * margin))
            curvature = float((margin * margin * expected * (1.0 - expected)).sum())
            if curvature <= 0.0:
                break
            slope += float((margin * (won - expected)).sum()) / curvature
            slope = min(max(slope, 0.01), 10.0)
        return round(POINTS / slope, 1)


def labels_of(rows: Table, share: float) -> NDArray[np.float32]:
    """The margin that each position is taught: `share` by the score of the search."""
    margin = rows["result"].astype(np.float32)
    searched = np.clip(rows["score"].astype(np.float32) / np.float32(POINTS), -64.0, 64.0)
    labels: NDArray[np.float32] = (1.0 - np.float32(share)) * margin + np.float32(share) * searched
    return labels


def _most_men(start: Position) -> int:
    game = game_of(start)
    assert game is not None
    return game.most_men(size_of(start))


def _whole(values: NDArray[Any], most: int) -> NDArray[Any]:
    whole: NDArray[Any] = np.clip(np.rint(values * POINTS), -most, most)
    return whole
