"""Best-first minimax: a tree that grows where the best play seems to go.

The value of a leaf is that of its evaluation, and the value of any other position is that of its
best child, seen by the player to move (negamax). Each step walks down to a leaf, at each position
to the child with the largest value + scope * sqrt((N + 1) / (n + 2)), where N and n are the visits
of the position and of the child. The leaf gets all its children, and the values above it change.

With scope 0 this is unbounded best-first minimax (Korf and Chickering, 1996): it always follows the
best line. A larger scope (as in the Othello program "uctoth") also looks at other moves.

A position is settled when its value is certain: the game is over, it is won, or all children are
settled. Walks go to children that are not settled ("completion", Cohen-Solal, 2020).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from typing import TypeAlias

from .alphabeta import leaf_of
from .convert import AnyPosition
from .convert import position as twin_of
from .evaluation import Evaluate
from .game import BoardPosition, Move

PROVEN = 25_001  # the least value of a certain win

LeafSearch: TypeAlias = Callable[[BoardPosition], tuple[int, int]]
"""The value of a leaf, and the number of positions that were looked at for it."""


@dataclass(slots=True)
class Node:
    """A position in the tree, its value to its mover, and the steps that went through it."""

    position: BoardPosition
    move: Move | None
    above: Node | None = field(default=None, repr=False)
    value: int = 0
    is_settled: bool = False
    visits: int = 0
    children: list[Node] = field(default_factory=list)

    @property
    def score(self) -> int:
        """The value to the player who moves here; a certain result is a ply farther away."""
        if self.value >= PROVEN:
            return 1 - self.value
        return -self.value - 1 if self.value <= -PROVEN else -self.value

    @property
    def preference(self) -> tuple[int, int, int]:
        """Certain wins first, certain losses last; the others by visits, then by value.

        A certain draw gets no more visits, so it comes before the others if it has the best value.
        """
        if abs(self.score) >= PROVEN:
            return (1 if self.score > 0 else -1, self.score, 0)
        is_sure = self.is_settled and self.above is not None and self.score == self.above.value
        return (0, self.above.visits if self.above and is_sure else self.visits, self.score)

    def best(self) -> Node:
        """The child whose move is played."""
        return max(self.children, key=lambda child: child.preference)

    def revalue(self) -> None:
        """Set the value from the children."""
        self.value = max(child.score for child in self.children)
        self.is_settled = self.value >= PROVEN or all(child.is_settled for child in self.children)


@dataclass(frozen=True)
class BestFirstResult:
    """The result of a search; the value is seen by the player to move."""

    move: str
    value: int
    nodes: int
    root: Node = field(repr=False)


def best_first(
    position: AnyPosition,
    nodes: int,
    evaluation: str | Evaluate = "rows",
    scope: float = 25.6,
    leaf: LeafSearch | None = None,
) -> BestFirstResult:
    """Search a position while it takes fewer than `nodes` positions; the first step always counts.

    `evaluation` is as in `alpha_beta`, and `scope` is in points of it. `leaf` replaces the
    evaluation, to look beyond a leaf before it is valued.

    >>> from .breakthrough import Breakthrough
    >>> best_first(Breakthrough(5), nodes=1000)
    BestFirstResult(move='a2a3', value=384, nodes=999)
    """
    start = twin_of(position)
    if not isinstance(start, BoardPosition):
        raise ValueError(f"best_first has evaluations for games on boards, not for {start!r}")
    if start.is_over:
        raise ValueError("the game is over, so there is nothing to search")
    root, spent = Node(start, None), 0
    value_of = leaf or static_leaf(start, evaluation)
    while not root.is_settled:
        line = walk(root, scope)
        children, looked_at = expanded(line[-1], value_of)
        if spent and spent + looked_at >= nodes:
            break
        spent += looked_at
        line[-1].children = children
        for node in reversed(line):
            node.visits += 1
            node.revalue()
    best = root.best()
    assert best.move is not None
    return BestFirstResult(best.move.text, best.score, spent, root)


def static_leaf(start: BoardPosition, evaluation: str | Evaluate) -> LeafSearch:
    """The evaluation alone."""
    value = leaf_of(start, evaluation)
    return lambda position: (int(value(position, 0)), 1)


def walk(root: Node, scope: float) -> list[Node]:
    """The nodes from the root to the leaf to expand."""
    line = [root]
    while line[-1].children:
        node = line[-1]

        def promise(child: Node, visits: int = node.visits) -> float:
            return -child.value + scope * sqrt((visits + 1.0) / (child.visits + 2.0))

        line.append(max((c for c in node.children if not c.is_settled), key=promise))
    return line


def expanded(node: Node, leaf: LeafSearch) -> tuple[list[Node], int]:
    """The children of a leaf with their values, and the number of positions looked at."""
    children, looked_at = [], 0
    for move in node.position.legal_moves:
        after = node.position.after(move)
        value, cost = leaf(after)
        looked_at += cost
        children.append(Node(after, move, node, value, after.is_over or abs(value) >= PROVEN))
    return children, looked_at
