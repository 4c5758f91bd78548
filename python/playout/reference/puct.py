"""PUCT: the search of AlphaZero (Silver et al., 2018).

The policy of a network, `P`, steers the search, and its value replaces playouts. A walk goes to the
move with the highest `Q + c P / (n + 1)`: moves that the network likes are tried first, and those
with few visits for their probability again. Noise in the policy of the root makes the games of
self-play differ, as does the temperature by which the move to play is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

from .base import Task
from .batched import BatchedSearch, Evaluator, Node, sum_in_order
from .draws import gamma
from .record import MoveRecord
from .rng import SFC64


@dataclass(frozen=True)
class PUCT:
    """The settings, with the names and defaults of AlphaZero."""

    evaluator: Evaluator
    pb_c_init: float = 1.25
    pb_c_base: float = 19652.0
    dirichlet_fraction: float = 0.25
    dirichlet_alpha: float = 0.3
    temperature: float = 1.0
    fpu: float = 0.0
    lanes: int = 1
    ties: str = "random"


class PUCTSearch(BatchedSearch):
    """Walks by PUCT."""

    def __init__(self, task: Task, method: PUCT) -> None:
        super().__init__(task, method)
        self.method = method

    def prepare(self) -> None:
        """Mix noise into the priors of the root."""
        share = self.method.dirichlet_fraction
        if share == 0.0:
            return
        noise = dirichlet(self.generator, self.method.dirichlet_alpha, len(self.root.edges))
        for edge, drawn in zip(self.root.edges, noise, strict=True):
            edge.prior = (1.0 - share) * edge.prior + share * drawn

    def scores(self, node: Node) -> list[float]:
        """`Q + c P / (n + 1)`; `fpu` stands for the mean of an untried move."""
        base = self.method.pb_c_base
        growth = self.method.pb_c_init + log((node.visits + base + 1.0) / base)
        c = growth * sqrt(node.visits)
        return [
            (edge.played.mean if edge.played.visits else self.method.fpu)
            + c * edge.prior / (edge.played.visits + 1.0)
            for edge in self.choices(node)
        ]

    def chosen(self) -> MoveRecord:
        """The best move, or with a temperature one drawn by `visits ** (1 / temperature)`."""
        if self.method.temperature == 0.0:
            return super().chosen()
        candidates = self.candidates()
        most = max(record.played.visits for record in candidates)
        power = 1.0 / self.method.temperature
        weights = [(record.played.visits / most) ** power for record in candidates]
        return drawn_by(weights, candidates, self.generator)


def drawn_by(
    weights: Sequence[float], records: Sequence[MoveRecord], generator: SFC64
) -> MoveRecord:
    """One of the records, drawn in proportion to weights, by one number."""
    ticket = generator.uniform() * sum_in_order(weights)
    total = 0.0
    for weight, record in zip(weights, records, strict=True):
        total += weight
        if ticket < total:
            return record
    return records[-1]


def dirichlet(generator: SFC64, alpha: float, n: int) -> list[float]:
    """n shares from the symmetric Dirichlet distribution: gamma draws over their sum.

    A gamma draw with a shape below 1 is one with a shape above 1, times a power of a uniform
    number.

    >>> shares = dirichlet(SFC64(1), 0.3, 5)
    >>> round(sum(shares), 9), min(shares) >= 0.0
    (1.0, True)
    """
    draws = [
        gamma(generator, alpha + 1.0) * above_zero(generator) ** (1.0 / alpha) for _ in range(n)
    ]
    total = sum_in_order(draws)
    return [drawn / total if total > 0.0 else 1.0 / n for drawn in draws]


def above_zero(generator: SFC64) -> float:
    """A number between 0 and 1, neither of them included."""
    while (drawn := generator.uniform()) == 0.0:
        pass
    return drawn
