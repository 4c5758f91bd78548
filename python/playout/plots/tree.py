"""The tree of a search by matplotlib: its most visited nodes, from left to right."""

from __future__ import annotations

import heapq
from typing import Any

from matplotlib.axes import Axes

from playout.arguments import whole_number
from playout.plots import figure as figures
from playout.render import board as pictures
from playout.render import text as render
from playout.tree import Node

MOST, MOST_LEVELS = 10_000, 200
COLUMN, LINE = 1.9, 0.36  # inches: the width of a level, the height of a leaf


def draw_tree(node: Node, ax: Any, nodes: int = 30, depth: int = 4) -> list[Axes]:
    """Draw the tree: thicker lines for more visits, nodes in the colour of their value."""
    levels = whole_number("depth", depth, 1, MOST_LEVELS)
    below = _most_visited(node, whole_number("nodes", nodes, 1, MOST), levels)
    heights = _heights(node, below)
    n_leaves = max(heights.values()) + 1
    shown = max(each.depth for each in heights) - node.depth
    size = (COLUMN * (shown + 1) + 0.4, max(1.6, LINE * n_leaves + 1.0))
    (axes,) = figures.axes_for(ax, 1, size)
    for parent, children in below.items():
        for child in children:
            _draw_line(axes, node, (parent, heights[parent]), (child, heights[child]))
    for each, height in heights.items():
        _draw_node(axes, node, each, height)
    axes.set_xlim(-0.15, shown + 0.8)
    axes.set_ylim(n_leaves - 0.4, -0.6)
    axes.set_axis_off()
    axes.set_title(_title(node), fontsize=10)
    return [axes]


def _most_visited(root: Node, n: int, levels: int) -> dict[Node, list[Node]]:
    """The nodes to draw, by parent. Each step adds the most visited child of a drawn node."""
    below: dict[Node, list[Node]] = {}
    waiting: list[tuple[int, int, Node, Node]] = []
    n_waited = 0  # breaks ties, so that the heap never compares nodes
    last = root
    for _ in range(n):
        if last.depth - root.depth < levels:
            for child in last.children:
                n_waited += 1
                heapq.heappush(waiting, (-child.visits, n_waited, child, last))
        if not waiting:
            break
        _, _, last, parent = heapq.heappop(waiting)
        below.setdefault(parent, []).append(last)
    return below


def _heights(root: Node, below: dict[Node, list[Node]]) -> dict[Node, float]:
    """The height of each node: leaves below each other, a parent in the middle of its children."""
    heights: dict[Node, float] = {}
    n_leaves = 0

    def place(node: Node) -> None:
        nonlocal n_leaves
        children = below.get(node, [])
        for child in children:
            place(child)
        if children:
            heights[node] = (heights[children[0]] + heights[children[-1]]) / 2
        else:
            heights[node] = n_leaves
            n_leaves += 1

    place(root)
    return heights


def _draw_line(ax: Axes, root: Node, parent: tuple[Node, float], child: tuple[Node, float]) -> None:
    x = parent[0].depth - root.depth
    share = child[0].visits / max(1, root.visits)
    ax.plot(
        [x, x + 0.35, x + 1], [parent[1], child[1], child[1]], color="#9aa7b0",
        linewidth=0.8 + 7 * share, solid_capstyle="round", zorder=1,
    )  # fmt: skip


def _draw_node(ax: Axes, root: Node, node: Node, height: float) -> None:
    value = node.mean if node.proven is None else node.proven
    x = node.depth - root.depth
    ax.scatter(
        [x], [height], s=90, color=pictures.colour_of(value) if node.visits else "#fff",
        edgecolors="#333", linewidths=0.8, zorder=2,
    )  # fmt: skip
    name = "root" if node.move is None else str(node.move)
    sure = "" if node.proven is None else f", proven {node.proven:g}"
    text = f"{name}  {node.mean:.2f}, {node.visits:,}{sure}"
    ax.annotate(
        text,
        (x, height),
        parse_math=False,
        path_effects=figures.EDGED,
        xytext=(7, 5),
        textcoords="offset points",
        fontsize=8,
        zorder=3,
    )


def _title(node: Node) -> str:
    where = render.game_name(node.position)
    start = "" if node.move is None else f" after {node.move}"
    return f"{where}{start}: {node.visits:,} visits (move, value to its player, visits)"
