"""A tree for notebooks: nested lists to unfold, with bars, beside the root's board.

Only the most visited nodes are listed, so the page stays small for a tree of any size.
"""

from __future__ import annotations

import heapq
from html import escape
from typing import TYPE_CHECKING, TypeAlias

from mcts_core.board import Board
from playout.render import bars
from playout.render import board as pictures
from playout.render import text as render
from playout.render.html import beside

if TYPE_CHECKING:
    from playout.tree import Node

LEVELS = 6  # levels listed below the node
CHILDREN = 6  # listed children of a node; the others are only counted
LINES = 150  # listed nodes in all
LEAST_SHARE = 0.002  # of the root's visits; nodes with less have no children listed

# The nodes whose children are listed, with these children.
Opened: TypeAlias = "dict[Node, tuple[Node, ...]]"


def html(node: Node) -> str:
    """What a notebook shows: the board with the moves tried, beside the tree."""
    board = render.board_of(node.position)
    picture = "" if board is None else pictures.svg(board, heat=_heat(node, board))
    name = "root" if node.move is None else f"after {node.move}"
    return beside(
        picture,
        f"<div><b>{escape(render.game_name(node.position))}, {escape(name)}</b>: "
        f"{node.visits:,} visits</div>"
        f"{_lines(node, _opened(node), is_open=True)}"
        '<div style="font-size:90%">'
        f"{bars.key(bars.MEAN, 'value to the player who made the move')}"
        f"{bars.key(bars.VISITS, 'share of the visits')}"
        "<div>The most visited moves; <code>walk</code> gives all.</div></div>",
    )


def _heat(node: Node, board: Board) -> list[pictures.Heat]:
    children = node.children
    values = [child.mean if child.proven is None else child.proven for child in children]
    moves = zip(children, values, strict=True)
    return pictures.heat_map(board, ((str(c.move), value, c.visits) for c, value in moves))


def _opened(root: Node) -> Opened:
    """The nodes whose children are listed: the most visited ones, until LINES is reached."""
    opened: Opened = {}
    left, least = LINES, LEAST_SHARE * root.visits
    waiting = [(-root.visits, 0, root)]  # the number breaks ties, so that nodes are never compared
    n_waited = 0
    while waiting and left > 0:
        _, _, node = heapq.heappop(waiting)
        children = node.children
        if not children:
            continue
        opened[node] = children
        left -= len(children[:CHILDREN])
        for child in children[:CHILDREN]:
            if child.depth - root.depth < LEVELS and child.visits >= least:
                n_waited += 1
                heapq.heappush(waiting, (-child.visits, n_waited, child))
    return opened


def _lines(node: Node, opened: Opened, *, is_open: bool = False) -> str:
    """The children of a node with their children; the first is unfolded if `is_open`."""
    children = opened.get(node, ())
    parts = []
    for index, child in enumerate(children[:CHILDREN]):
        summary, below = _summary(child, node), _lines(child, opened)
        unfolded = ' open="open"' if is_open and index == 0 else ""
        parts.append(
            f'<details{unfolded} style="margin-left:1.2em">'
            f'<summary style="cursor:pointer">{summary}</summary>{below}</details>'
            if below
            else _indented(summary)
        )
    hidden = children[CHILDREN:]
    if hidden:
        visits = sum(child.visits for child in hidden)
        parts.append(_indented(f"... and {len(hidden)} more, {visits:,} visits"))
    return "".join(parts)


def _indented(content: str) -> str:
    """A line that cannot be unfolded, aligned with those that can."""
    return f'<div style="margin-left:2.2em">{content}</div>'


def _summary(child: Node, parent: Node) -> str:
    """The move, its value and its share of the visits, as bars and numbers."""
    share = child.visits / max(1, parent.visits)
    value = bars.bars([bars.Bar(child.mean, bars.MEAN)], f"value {child.mean:.3f}", width=60)
    visits = bars.bars(
        [bars.Bar(share, bars.VISITS)], f"{share:.0%} of the visits", middle=False, width=60
    )
    sure = "" if child.proven is None else f" &#183; proven {child.proven:g}"
    return (
        f'<b style="display:inline-block;min-width:4em">{escape(str(child.move))}</b> '
        f"{value} {child.mean:.3f} &#160; {visits} {child.visits:,}{sure}"
    )
