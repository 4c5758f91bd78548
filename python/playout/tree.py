"""The tree of a search as an object. It reads the engine's table on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mcts_core.position import Move, Moves, Position
from playout.arguments import whole_number
from playout.render import tree as render_tree

Rows: TypeAlias = NDArray[np.void]  # rows of an engine, one for each legal move
Reader: TypeAlias = Callable[[Position], Rows | None]  # the rows of a position in the table

MOST = 2**62
MOST_PLIES = 30  # of a line


class Node:
    """A position of the tree, with the statistics of the move that led to it.

    `visits` and `mean` are those of that move, as the player who made it sees them. Those of the
    root are of all its moves together, as the player to move sees them. A position reached in
    several ways appears once for each way.

    >>> import playout as po
    >>> root = po.search(po.Breakthrough(4), "uct", playouts=300, seed=1).tree
    >>> [node.depth for node in root.walk(depth=1)]
    [0, 1, 1, 1, 1, 1, 1]
    >>> sum(child.visits for child in root.children)
    300
    """

    __slots__ = ("_reader", "depth", "mean", "move", "position", "proven", "visits")

    def __init__(
        self,
        reader: Reader,
        position: Position,
        *,
        move: Move | None,
        visits: int,
        mean: float,
        depth: int,
        proven: float | None,
    ) -> None:
        self._reader = reader
        self.position = position
        self.move = move  # the move that led here; None at the root
        self.visits = visits
        self.mean = mean
        self.depth = depth
        self.proven = proven  # 1, 0.5 or 0, seen as `mean` is; None: not proven

    @property
    def children(self) -> tuple[Node, ...]:
        """A node for each move with visits, the most visited first."""
        rows = self._reader(self.position)
        if rows is None:
            return ()
        visits = rows["visits"].tolist()
        tried = [index for index, n in enumerate(visits) if n > 0]
        tried.sort(key=lambda index: -visits[index])
        moves = self.position.legal_moves
        return tuple(self._child(moves[index], rows, index) for index in tried)

    def _child(self, move: Move, rows: Rows, index: int) -> Node:
        after = self.position.copy()
        after.push(move)
        visits = int(rows["visits"][index])
        return Node(
            self._reader,
            after,
            move=move,
            visits=visits,
            mean=float(rows["wins"][index]) / visits,
            depth=self.depth + 1,
            proven=_proven(rows, self.position.turn, index),
        )

    def line(self, most: int = MOST_PLIES) -> Moves:
        """The most visited moves below this node, at most `most` of them.

        >>> import playout as po
        >>> root = po.search(po.Breakthrough(4), "uct", playouts=300, seed=1).tree
        >>> root.line(2)[0] == root.children[0].move
        True
        """
        after, length = self.position.copy(), len(self.position.history)
        for _ in range(whole_number("most", most, 0, MOST_PLIES)):
            rows = None if after.is_over else self._reader(after)
            if rows is None or not rows["visits"].any():
                break
            after.push_index(int(rows["visits"].argmax()))
        return Moves(after.history[length:])

    def walk(self, depth: int | None = None, visits: int = 1) -> Iterator[Node]:
        """This node and those below it, each before its children.

        At most `depth` levels below this node, and only nodes with at least `visits` visits.
        """
        levels = MOST if depth is None else whole_number("depth", depth, 0, MOST)
        least = whole_number("visits", visits, 1, MOST)
        return (node for node, _ in self._walk(levels, least))

    def _walk(self, levels: int, least: int) -> Iterator[tuple[Node, Node | None]]:
        """The nodes with their parents."""
        below: list[tuple[Node, Node | None]] = [(self, None)]
        while below:
            node, parent = below.pop()
            yield node, parent
            if node.depth - self.depth < levels:
                children = [child for child in node.children if child.visits >= least]
                below += [(child, node) for child in reversed(children)]

    def to_dict(self, depth: int = 3, visits: int | None = None) -> dict[str, Any]:
        """The tree in plain Python types, limited as in `to_json`."""
        levels, least = self._limits(depth, visits)
        found: dict[Node, dict[str, Any]] = {}
        for node, parent in self._walk(levels, least):
            found[node] = node._facts()
            if parent is not None:
                found[parent].setdefault("children", []).append(found[node])
        return found[self]

    def to_json(self, depth: int = 3, visits: int | None = None, indent: int | None = None) -> str:
        """The tree as JSON text: `depth` levels, of moves with at least `visits` visits.

        By default these are 1 % of this node's visits.

        >>> import playout as po
        >>> tree = po.search(po.Breakthrough(5), "uct", playouts=300, seed=1).tree
        >>> sorted(json.loads(tree.to_json(depth=1)))
        ['children', 'mean', 'move', 'visits']
        """
        return json.dumps(self.to_dict(depth, visits), indent=indent)

    @classmethod
    def from_dict(cls, found: Any, position: Position) -> Node:
        """The tree that `to_dict` described, of this position; a ValueError says what is wrong."""
        from playout.reading import tree_from

        return tree_from(found, position)

    @classmethod
    def from_json(cls, text: str, position: Position) -> Node:
        """The tree that `to_json` wrote, of this position.

        >>> import playout as po
        >>> tree = po.search(po.Breakthrough(5), "uct", playouts=300, seed=1).tree
        >>> again = Node.from_json(tree.to_json(depth=2), po.Breakthrough(5))
        >>> again.to_dict() == tree.to_dict(depth=2)
        True
        """
        return cls.from_dict(json.loads(text), position)

    def to_dot(self, depth: int = 3, visits: int | None = None) -> str:
        """The tree in the DOT language of Graphviz, limited as in `to_json`.

        >>> import playout as po
        >>> tree = po.search(po.Breakthrough(5), "uct", playouts=300, seed=1).tree
        >>> print(tree.to_dot(depth=1).splitlines()[0])
        digraph search {
        """
        levels, least = self._limits(depth, visits)
        names: dict[Node, str] = {}
        lines = ["digraph search {", '  node [shape=box, fontname="sans-serif"];']
        for node, parent in self._walk(levels, least):
            names[node] = f"n{len(names)}"
            lines.append(f'  {names[node]} [label="{node._label()}"];')
            if parent is not None:
                width = 0.5 + 4.5 * node.visits / max(1, self.visits)
                lines.append(f"  {names[parent]} -> {names[node]} [penwidth={width:.2f}];")
        return "\n".join([*lines, "}"])

    def _limits(self, depth: int, visits: int | None) -> tuple[int, int]:
        least = max(1, self.visits // 100) if visits is None else visits
        return whole_number("depth", depth, 0, MOST), whole_number("visits", least, 1, MOST)

    def _facts(self) -> dict[str, Any]:
        facts = {
            "move": None if self.move is None else str(self.move),
            "visits": self.visits,
            "mean": self.mean if self.visits else None,
        }
        return facts if self.proven is None else facts | {"proven": self.proven}

    def _label(self) -> str:
        name = "root" if self.move is None else str(self.move)
        text = name.replace("\\", "\\\\").replace('"', '\\"')
        return f"{text}\\n{self.visits}\\n{self.mean:.3f}"

    def __str__(self) -> str:
        """Two levels as indented text."""
        levels, least = self._limits(2, None)
        return "\n".join(
            "    " * (n.depth - self.depth) + n._line() for n in self.walk(levels, least)
        )

    def _repr_html_(self) -> str:
        return render_tree.html(self)

    def _line(self) -> str:
        sure = "" if self.proven is None else f"  proven {self.proven:g}"
        return f"{self.move or 'root'}  {self.visits}  {self.mean:.3f}{sure}"

    def __repr__(self) -> str:
        return f"<Node {self._line()}>"


def root_node(position: Position, reader: Reader) -> Node:
    """The root node, with the sums of all its moves."""
    rows = reader(position)
    if rows is None:
        raise AttributeError("the search has moved on, and its table no longer holds this position")
    visits = int(rows["visits"].sum())
    mean = float(rows["wins"].sum()) / visits if visits else float("nan")
    return Node(
        reader,
        position.copy(),
        move=None,
        visits=visits,
        mean=mean,
        depth=0,
        proven=_proven(rows, position.turn, slice(None)),
    )


def _proven(rows: Rows, turn: int, moves: int | slice) -> float | None:
    """The proven result of a move, or of the best of several, as the player to move sees it."""
    low, high = rows["low"][moves], rows["high"][moves]
    if turn:
        low, high = 1.0 - high, 1.0 - low
    return float(low.max()) if low.max() == high.max() else None
