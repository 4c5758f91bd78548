"""Searches with an evaluator of many positions at once: the base of PUCT and Gumbel.

An evaluator is a function of arrays: from the planes of n positions and the masks of their legal
actions it computes n rows of logits and n values, from 0 (a loss) to 1 (a win). There are no
playouts: the value of a new position is what a simulation adds to the moves that led there.

A simulation has the steps of `tree.py`, but several of them fly together:

1. Walk down: each walk ends at a new position, or at one whose value is known or asked for already.
2. Evaluate all new positions in one call.
3. Update: add the value at the end of each walk to its moves. Their visits were counted on the way,
   and looked like losses to the other walks of the flight (virtual loss).

Before the first flight the root is evaluated alone, which is no simulation. The tree has no table:
a position that is reached in two ways is there twice.

A node has a record only of moves that were tried. Untried moves differ by their logits alone, so
the one with the largest logit is tried next, the first of equals. The root has records of all
moves, in legal order, because noise changes what is tried there.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, inf
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .base import MethodWithTies, SearchWithTree, Task
from .choose import Preference
from .game import BoardPosition, seen_by
from .record import UNKNOWN, Bounds, MoveRecord, MoveStatistics, statistics_of
from .solver import best_of

Evaluator: TypeAlias = Callable[[NDArray[Any], NDArray[Any]], tuple[Any, Any]]


class MethodWithEvaluator(MethodWithTies, Protocol):
    """What PUCT and Gumbel have."""

    @property
    def evaluator(self) -> Evaluator:
        """The function of arrays."""


@dataclass(slots=True, eq=False)
class Edge(MoveRecord):
    """The record of a move, its logit, and the node that it leads to."""

    index: int = 0
    """Among the legal moves."""
    logit: float = 0.0
    child: Node | None = None


class Node:
    """A position that is evaluated, or about to be."""

    def __init__(self, position: BoardPosition) -> None:
        self.position = position
        self.turn = position.turn
        self.legal = position.legal_moves
        self.visits = 1
        """One for the evaluation, and one for each walk that goes on from here."""
        self.edges: list[Edge] = []
        self.untried: list[int] = []
        """Indices of moves without a record, in the order in which they are tried."""
        self.logits: list[float] = []
        self.total = 0.0
        """The sum of exp(logit - most) over all moves."""
        self.value = 0.0
        """The mover's."""
        self.is_waiting = True
        self.bounds = UNKNOWN
        if position.result is not None:
            self.bounds = Bounds(position.result, position.result)
            self.value = seen_by(self.turn, position.result)
            self.is_waiting = False

    def expand(self, logits: Sequence[float], value: float) -> None:
        """Store what the evaluator says, with the logits of the legal moves only."""
        self.logits, self.value, self.is_waiting = list(logits), value, False
        self.total = sum_in_order(exp(logit - self.most) for logit in logits)
        self.untried = sorted(range(len(logits)), key=lambda i: -logits[i])

    @property
    def most(self) -> float:
        """The largest logit."""
        return max(self.logits)

    def prior(self, index: int) -> float:
        """The probability of a move by the evaluator: softmax of the logits."""
        return exp(self.logits[index] - self.most) / self.total

    def edge(self, index: int) -> Edge:
        """A fresh record of a move."""
        move = self.legal[index]
        code = self.position.code(move)
        return Edge(move, code, prior=self.prior(index), index=index, logit=self.logits[index])

    def try_next(self) -> Edge:
        """Add the record of the next untried move."""
        self.edges.append(self.edge(self.untried.pop(0)))
        return self.edges[-1]

    def complete(self) -> None:
        """Add records of all other moves, and sort them in legal order."""
        while self.untried:
            self.try_next()
        self.edges.sort(key=lambda edge: edge.index)

    def bounds_of(self, edge: Edge) -> Bounds:
        """What is proven of a move."""
        return edge.child.bounds if edge.child else UNKNOWN

    @property
    def moves(self) -> list[Edge]:
        """A record of each legal move, in legal order; a fresh one for a move without."""
        known = {edge.index: edge for edge in self.edges}
        rows = [known.get(i) or self.edge(i) for i in range(len(self.legal))]
        for row in rows:
            row.bounds = self.bounds_of(row)
        return rows


def sum_in_order(numbers: Any) -> float:
    """The sum, added from left to right (Python's `sum` is more exact)."""
    total = 0.0
    for number in numbers:
        total += number
    return total


@dataclass(slots=True)
class Walk:
    """One simulation: its steps, and the node where it ends."""

    leaf: Node
    steps: list[tuple[Node, Edge]] = field(default_factory=list)


class BatchedSearch(SearchWithTree[Node]):
    """The loop that PUCT and Gumbel share; they supply `prepare` and `scores`."""

    keeps_bounds = True

    def __init__(self, task: Task, method: MethodWithEvaluator) -> None:
        super().__init__(task, method)
        if not isinstance(task.position, BoardPosition):
            raise ValueError("an evaluator needs the planes of a board")
        self.evaluator = method.evaluator
        self.solver = task.solver
        self.lanes: int = getattr(method, "lanes", 1)
        self.root = Node(task.position)

    @abstractmethod
    def prepare(self) -> None:
        """Add noise at the root, which is evaluated and complete."""

    @abstractmethod
    def scores(self, node: Node) -> list[float]:
        """The scores of the records of a node, then of the next untried move, if there is one."""

    def simulate(self, at_most: int = 1) -> None:
        """One flight of up to `at_most` simulations."""
        if self.root.is_waiting:
            self.evaluate([self.root])
            self.root.complete()
            self.prepare()
        new: list[Node] = []
        flight = [self.walk_down(new) for _ in range(min(self.lanes, at_most))]
        self.evaluate([node for node in new if node.is_waiting])
        for walk in flight:
            self.update(walk)
        self.playouts += len(flight)

    def walk_down(self, new: list[Node]) -> Walk:
        """Follow the best moves to the end of the tree, and add the position there."""
        walk = Walk(self.root)
        while not walk.leaf.is_waiting and not walk.leaf.bounds.proven:
            node = walk.leaf
            edge = self.best(node)
            walk.steps.append((node, edge))
            node.visits += 1
            edge.played.visits += 1
            if edge.child is None:
                edge.child = Node(node.position.after(edge.move))
                new.append(edge.child)
                walk.leaf = edge.child
                break
            walk.leaf = edge.child
        return walk

    def best(self, node: Node) -> Edge:
        """The move with the best score, the first of equals, without those proven no better."""
        certain = node.bounds.seen_by(node.turn).low
        scores = self.scores(node)
        best = max(
            (score, -edge.index, place)
            for place, (score, edge) in enumerate(zip(scores, self.choices(node), strict=True))
            if node.bounds_of(edge).seen_by(node.turn).high > certain
        )[2]
        return node.edges[best] if best < len(node.edges) else node.try_next()

    def choices(self, node: Node) -> list[Edge]:
        """The records of a node, and one of the next untried move."""
        return [*node.edges, *(node.edge(index) for index in node.untried[:1])]

    def evaluate(self, nodes: Sequence[Node]) -> None:
        """Have nodes evaluated in one call."""
        if not nodes:
            return
        first = nodes[0].position
        planes = np.zeros((len(nodes), 2, first.rows, first.cols), np.uint8)
        mask = np.zeros((len(nodes), first.n_codes), np.bool_)
        codes = [[node.position.code(move) for move in node.legal] for node in nodes]
        for row, node in enumerate(nodes):
            for plane, squares in zip(planes[row], node.position.planes, strict=True):
                plane.reshape(-1)[squares] = 1
            mask[row, codes[row]] = True
        logits, values = (np.asarray(each, np.float32) for each in self.evaluator(planes, mask))
        for row, node in enumerate(nodes):
            node.expand([float(logits[row, code]) for code in codes[row]], float(values[row]))

    def update(self, walk: Walk) -> None:
        """Add the value of a walk's end to its moves, and what is proven there."""
        value = seen_by(walk.leaf.turn, walk.leaf.value)
        for node, edge in walk.steps:
            edge.played.wins += seen_by(node.turn, value)
        if self.solver and walk.leaf.bounds.proven:
            for node, _ in reversed(walk.steps):
                node.bounds = best_of([move.bounds for move in node.moves], node.turn)

    # The final choice.

    def candidates(self) -> Sequence[MoveRecord]:
        """The moves that are not proven to be worse than another."""
        return best_moves(self.root)

    # What is reported.

    def variation(self, record: MoveRecord) -> list[str]:
        """The chosen move, and then the most visited ones."""
        moves = [record.move.text]
        node = record.child if isinstance(record, Edge) else None
        while node and node.edges:
            best = max(best_moves(node), key=tried_first)
            moves.append(best.move.text)
            node = best.child
        return moves

    def statistics(self) -> list[MoveStatistics]:
        """The statistics of the moves at the root, in legal order."""
        return statistics_of(self.root.moves, {})


def best_moves(node: Node) -> list[Edge]:
    """The moves of a node that are not proven to be worse than another."""
    rows = node.moves
    certain = max(row.bounds.seen_by(node.turn).low for row in rows)
    if certain == max(row.bounds.seen_by(node.turn).high for row in rows):
        return [row for row in rows if row.bounds.seen_by(node.turn).low == certain]
    return [row for row in rows if row.bounds.seen_by(node.turn).high >= certain]


def tried_first(edge: Edge) -> Preference:
    """The most visited move; of equally visited ones the one with the better mean."""
    return edge.played.visits, edge.played.mean if edge.played.visits else -inf
