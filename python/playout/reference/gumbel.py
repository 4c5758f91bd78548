"""Gumbel search: policy improvement by planning (Danihelka, Guez, Schrittwieser and Silver, 2022).

PUCT needs many simulations before its visits are better than the policy of the network. This search
improves on the policy with any number of them, if the values are right:

- The move to play is the best by `noise + logit + s(q)`. The noise has the Gumbel distribution, so
  without values the move would be drawn from the policy. Which move is best is found by sequential
  halving: it considers the first `num_considered` moves by `noise + logit`, simulates all of them
  equally often, and keeps the better half.
- Moves without visits have the mean `mixed_value`, made of the evaluation and of what was visited.
  `s` scales means so that they count more as visits grow.
- Below the root, visits follow the improved policy `softmax(logit + s(q))` without any noise.
"""

from dataclasses import dataclass
from math import ceil, exp, log, log2

from .base import Task
from .batched import BatchedSearch, Edge, Evaluator, Node, sum_in_order
from .choose import Preference
from .puct import above_zero
from .record import MoveRecord

LEAST_SCORE = -1e9
NOT_CONSIDERED = 4e9
LEAST_RANGE = 1e-8
LEAST_PRIOR = 1e-300


@dataclass(frozen=True)
class Gumbel:
    """The settings, with the defaults of mctx."""

    evaluator: Evaluator
    num_considered: int = 16
    gumbel_scale: float = 1.0
    value_scale: float = 0.1
    maxvisit_init: float = 50.0
    ties: str = "random"


@dataclass(frozen=True)
class Scale:
    """How the means of a node become comparable with logits."""

    mixed: float
    """The mean that untried moves get."""
    least: float
    range: float
    factor: float

    def mean(self, edge: Edge) -> float:
        """The mean of a move, completed."""
        return edge.played.mean if edge.played.visits else self.mixed

    def of(self, mean: float) -> float:
        """`s(q)`."""
        return self.factor * ((mean - self.least) / self.range)


class GumbelSearch(BatchedSearch):
    """Sequential halving at the root, a deterministic choice below."""

    def __init__(self, task: Task, method: Gumbel) -> None:
        super().__init__(task, method)
        if task.playouts is None:
            raise ValueError("Gumbel shares out a known number of playouts")
        self.method = method
        self.budget = task.playouts
        self.noise: list[float] = []

    def prepare(self) -> None:
        """Draw the noise of the root's moves."""
        scale = self.method.gumbel_scale
        self.noise = [scale * -log(-log(above_zero(self.generator))) for _ in self.root.edges]

    def scores(self, node: Node) -> list[float]:
        """What a walk follows at the root, and below."""
        if node is not self.root:
            policy = self.improved(node)
            visited = [edge.played.visits / node.visits for edge in self.choices(node)]
            return [weight - share for weight, share in zip(policy, visited, strict=True)]
        n = min(self.method.num_considered, len(node.edges))
        considered = considered_visits(n, self.budget, node.visits - 1)
        return [
            score if edge.played.visits == considered else score - NOT_CONSIDERED
            for edge, score in zip(node.edges, self.merits(), strict=True)
        ]

    def merits(self) -> list[float]:
        """`noise + logit + s(q)` of the root's moves."""
        scale = self.scale(self.root)
        return [
            max(LEAST_SCORE, noise + (edge.logit - self.root.most) + scale.of(scale.mean(edge)))
            for noise, edge in zip(self.noise, self.root.edges, strict=True)
        ]

    def improved(self, node: Node) -> list[float]:
        """`softmax(logit + s(q))` of the records and of the next untried move, over all moves."""
        scale = self.scale(node)
        untried = scale.of(scale.mixed)
        sums = [edge.logit - node.most + scale.of(scale.mean(edge)) for edge in node.edges]
        rest = 0.0
        if node.untried:
            sums.append(node.logits[node.untried[0]] - node.most + untried)
            left = 1.0 - sum_in_order(edge.prior for edge in node.edges)
            rest = node.total * max(0.0, left) * exp(untried - max(sums))
        weights = [exp(each - max(sums)) for each in sums]
        total = rest
        for weight in weights[: len(node.edges)]:
            total += weight
        return [weight / total for weight in weights]

    def scale(self, node: Node) -> Scale:
        """How to scale the means of a node. Actions that are not legal count as untried."""
        mixed = mixed_value(node)
        means = [edge.played.mean if edge.played.visits else mixed for edge in node.edges]
        if len(node.edges) < node.position.n_codes:
            means.append(mixed)
        most_visits = max((edge.played.visits for edge in node.edges), default=0)
        factor = (self.method.maxvisit_init + most_visits) * self.method.value_scale
        return Scale(mixed, min(means), max(max(means) - min(means), LEAST_RANGE), factor)

    def preference(self, record: MoveRecord) -> Preference:
        """The most visited move; of equally visited ones the one with the better merit."""
        assert isinstance(record, Edge)
        return record.played.visits, self.merits()[record.index]


def mixed_value(node: Node) -> float:
    """The mean of the evaluation and of the visits, where each tried move counts by its prior."""
    total, weighted, visits = 0.0, 0.0, node.visits - 1.0
    for edge in node.edges:
        if edge.played.visits:
            prior = max(edge.prior, LEAST_PRIOR)
            total += prior
            weighted += prior * edge.played.mean
    return (node.value + visits * (weighted / total)) / (visits + 1.0) if total else node.value


def considered_visits(n: int, budget: int, index: int) -> int:
    """How many visits the moves have that simulation `index` chooses from.

    There are phases. In each, all moves still considered get a visit in turn, until the phase has
    its share of the budget; then half of them are left, but at least two.

    >>> [considered_visits(4, 16, index) for index in range(16)]
    [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    """
    if n <= 1:
        return index
    phases, visits = ceil(log2(n)), 0
    while True:
        rounds = max(1, budget // (phases * n))
        if index < rounds * n:
            return visits + index // n
        index, visits, n = index - rounds * n, visits + rounds, max(2, n // 2)
