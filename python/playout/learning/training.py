"""Training a network on labelled positions: gradient descent in numpy (Adam, Kingma and Ba 2015).

The network is that of `mcts_core/evaluation/net_score.pyx` in floating point. The loss of a
position is the cross-entropy between its label, an expected result from 0 to 1, and the
logistic function of the network's output. After each step the weights are clipped to the range
of the integers that they become.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mcts_core.evaluation import net as compiled
from playout.learning.net import rounded
from playout.learning.weights import Arrays

Floats: TypeAlias = NDArray[np.float32]

BATCH = 2048  # positions a step
RATES = (2e-3, 8e-5)  # learning rates of the first and the last step; between them a cosine
DECAYS = (0.9, 0.999)  # Adam's
HELD_OUT = 0.02  # share of the positions that only measure the error


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The size of a network and of its board."""

    hidden: int = 32
    heads: int = 4
    most_men: int = 32


@dataclass(frozen=True, kw_only=True)
class Examples:
    """Labelled positions: planes as words of 64 bits, and the mover's expected result."""

    own: NDArray[np.uint64]
    enemy: NDArray[np.uint64]
    label: Floats

    def __len__(self) -> int:
        return len(self.label)

    def part(self, rows: Any) -> Examples:
        """Some of the positions."""
        return Examples(own=self.own[rows], enemy=self.enemy[rows], label=self.label[rows])


def bits(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The 64 bits of each word, the lowest first."""
    as_bytes = words.astype("<u8").view(np.uint8).reshape(len(words), 8)
    return np.unpackbits(as_bytes, axis=1, bitorder="little")


def inputs_of(examples: Examples) -> Floats:
    """The inputs of the network: 64 squares of the mover, 64 of the opponent."""
    both = np.concatenate([bits(examples.own), bits(examples.enemy)], axis=1)
    return both.astype(np.float32)


class Trainer:
    """The weights in floating point, and one step of learning."""

    def __init__(self, shape: Shape, rng: np.random.Generator) -> None:
        self.shape = shape
        self.inputs = rng.normal(0.0, 0.1, (128, shape.hidden)).astype(np.float32)
        self.biases = np.full(shape.hidden, 0.3, np.float32)
        self.weights = rng.normal(0.0, 0.1, (shape.heads, shape.hidden)).astype(np.float32)
        self.head_biases = np.zeros(shape.heads, np.float32)
        self.most_input = compiled.most_input(shape.most_men) / compiled.UNIT
        self.most_head = compiled.MOST_HEAD_WEIGHT / compiled.HEAD_UNIT
        self.means = [np.zeros_like(p) for p in self.parameters]
        self.squares = [np.zeros_like(p) for p in self.parameters]
        self.steps = 0

    @property
    def parameters(self) -> list[Floats]:
        """All numbers that are learned."""
        return [self.inputs, self.biases, self.weights, self.head_biases]

    def heads_of(self, inputs: Floats) -> NDArray[np.intp]:
        """The head of each position, by the number of its men."""
        men = inputs.sum(axis=1).astype(np.intp)
        n_heads = self.shape.heads
        heads: NDArray[np.intp] = np.clip(
            (men - 1) * n_heads // self.shape.most_men, 0, n_heads - 1
        )
        return heads

    def forward(self, inputs: Floats) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """The output of each position in logits, its hidden units and its head."""
        hidden = np.clip(inputs @ self.inputs + self.biases, 0.0, 1.0)
        heads = self.heads_of(inputs)
        outputs = ((hidden * hidden) @ self.weights.T + self.head_biases)[
            np.arange(len(heads)), heads
        ]
        return outputs, hidden, heads

    def step(self, inputs: Floats, label: Floats, rate: float) -> None:
        """Learn from one batch."""
        outputs, hidden, heads = self.forward(inputs)
        error = np.zeros((len(label), self.shape.heads), np.float32)
        error[np.arange(len(label)), heads] = (logistic(outputs) - label) / len(label)
        slope = 2.0 * hidden * ((hidden > 0.0) & (hidden < 1.0))
        into_hidden = (error @ self.weights) * slope
        self.descend(
            [
                inputs.T @ into_hidden,
                into_hidden.sum(axis=0),
                error.T @ (hidden * hidden),
                error.sum(axis=0),
            ],
            rate,
        )
        np.clip(self.inputs, -self.most_input, self.most_input, out=self.inputs)
        np.clip(self.biases, -self.most_input, self.most_input, out=self.biases)
        np.clip(self.weights, -self.most_head, self.most_head, out=self.weights)

    def descend(self, gradients: list[Floats], rate: float) -> None:
        """Adam's step."""
        self.steps += 1
        first, second = (1.0 - decay**self.steps for decay in DECAYS)
        for p, g, mean, square in zip(
            self.parameters, gradients, self.means, self.squares, strict=True
        ):
            mean += (1.0 - DECAYS[0]) * (g - mean)
            square += (1.0 - DECAYS[1]) * (g * g - square)
            p -= (rate / first) * mean / (np.sqrt(square / second) + 1e-8)

    def loss(self, examples: Examples) -> float:
        """The mean cross-entropy of positions."""
        total = 0.0
        for begin in range(0, len(examples), 1 << 14):
            some = examples.part(slice(begin, begin + (1 << 14)))
            outputs, _, _ = self.forward(inputs_of(some))
            total += float((np.logaddexp(0.0, outputs) - some.label * outputs).sum())
        return total / len(examples)

    def arrays(self) -> Arrays:
        """The weights as the integers of the compiled network."""
        most = compiled.most_input(self.shape.most_men)
        unit, squared = compiled.UNIT, compiled.UNIT**2 * compiled.HEAD_UNIT
        return {
            "inputs": rounded(self.inputs, unit, most),
            "biases": rounded(self.biases, unit, most),
            "weights": rounded(self.weights, compiled.HEAD_UNIT, compiled.MOST_HEAD_WEIGHT),
            "head_biases": rounded(self.head_biases, squared, 1 << 29, np.int32),
        }


def logistic(outputs: Floats) -> Floats:
    """The expected result that outputs predict."""
    result: Floats = (1.0 / (1.0 + np.exp(-outputs))).astype(np.float32)
    return result


def train(
    examples: Examples,
    shape: Shape,
    symmetries: list[NDArray[np.intp]],
    *,
    epochs: int,
    seed: np.random.SeedSequence,
    heard: Callable[[int, float], None],
) -> tuple[Arrays, float]:
    """A network that fits the examples, and its error on positions that it has not seen.

    `symmetries` are orders of the 64 squares in which a position is worth the same. `heard` is
    called after each epoch with its number and the held-out error.
    """
    rng = np.random.Generator(np.random.SFC64(seed))
    trainer = Trainer(shape, rng)
    order = rng.permutation(len(examples))
    n_held_out = max(1, int(HELD_OUT * len(examples)))
    held_out, rest = examples.part(order[:n_held_out]), examples.part(order[n_held_out:])
    rates = _rates(epochs * _n_batches(rest))
    error = float("inf")
    for epoch in range(1, epochs + 1):
        shuffled = rng.permutation(len(rest))
        for i in range(_n_batches(rest)):
            batch = rest.part(shuffled[i * BATCH : (i + 1) * BATCH])
            inputs = inputs_of(batch)
            squares = symmetries[rng.integers(len(symmetries))]
            inputs = inputs[:, np.concatenate([squares, 64 + squares])]
            trainer.step(inputs, batch.label, next(rates))
        error = trainer.loss(held_out)
        heard(epoch, error)
    return trainer.arrays(), error


def _n_batches(examples: Examples) -> int:
    return max(1, len(examples) // BATCH)


def _rates(steps: int) -> Iterator[float]:
    """The learning rate of each step."""
    first, last = RATES
    for i in range(steps):
        yield last + (first - last) * 0.5 * (1.0 + float(np.cos(np.pi * i / steps)))
