"""What a board looks like: one description, drawn as text or as SVG. Knows no game's rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

SQUARE = 40  # pixels of one square in a picture
MARGIN = 22  # pixels round the board, for the coordinates


class Board(NamedTuple):
    """The squares as they are drawn: the top row first, one character a square.

    `w` and `b` are men, white and black; anything else is empty.
    """

    rows: list[str]
    ranks: list[str]  # the label of each row, the top row's first
    marked: frozenset[tuple[int, int]] = frozenset()  # (row from the top, column) of the last move
    colours: tuple[str, str] = ("#eeeed2", "#a9b88f")  # of the squares, alternating
    caption: str = ""

    @property
    def files(self) -> str:
        """The letters of the columns."""
        return "abcdefgh"[: len(self.rows[0])]


class Arrow(NamedTuple):
    """A move drawn on the board: from square to square, or a ring on a single square."""

    squares: tuple[tuple[int, int], ...]  # (row from the top, column) each
    weight: float = 1.0  # 0 to 1: how thick
    is_best: bool = False  # in the colour of the move to look at first
    title: str = ""  # shown when the pointer rests on it


def squares_named(board: Board, move: str) -> tuple[tuple[int, int], ...]:
    """The squares that a move's text names by file and rank, in order; none for a pass.

    >>> squares_named(Board(["b.", ".w"], ["2", "1"]), "b1a2")
    ((1, 1), (0, 0))
    """
    named = re.findall(r"([a-h])(\d+)", move)
    return tuple(
        (board.ranks.index(rank), board.files.index(file))
        for file, rank in named
        if rank in board.ranks and file in board.files
    )


def text(board: Board) -> str:
    """The board as lines of text.

    >>> print(text(Board(["b.", ".w"], ["2", "1"], caption="white to move")))
    2  b .
    1  . w
       a b   white to move
    """
    lines = [f"{rank}  {' '.join(row)}" for rank, row in zip(board.ranks, board.rows, strict=True)]
    return "\n".join([*lines, f"   {' '.join(board.files)}   {board.caption}".rstrip()])


def svg(board: Board, arrows: Iterable[Arrow] = ()) -> str:
    """The board as a self-contained SVG picture, readable on light and dark pages.

    Arrows are drawn in the order given, so that later ones lie on top.

    >>> svg(Board(["b.", ".w"], ["2", "1"]), [Arrow(((1, 1), (0, 0)))]).startswith("<svg")
    True
    """
    n_rows, n_cols = len(board.rows), len(board.files)
    width, height = n_cols * SQUARE + 2 * MARGIN, n_rows * SQUARE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{board.caption or "board"}">',
        '<g font-family="sans-serif" font-size="12" fill="#888" text-anchor="middle">',
    ]
    for col, name in enumerate(board.files):
        x = MARGIN + (col + 0.5) * SQUARE
        parts += [_label(x, MARGIN - 8, name), _label(x, height - MARGIN + 15, name)]
    for row, name in enumerate(board.ranks):
        y = MARGIN + (row + 0.5) * SQUARE + 4
        parts += [_label(MARGIN / 2, y, name), _label(width - MARGIN / 2, y, name)]
    parts.append("</g>")
    for row in range(n_rows):
        for col in range(n_cols):
            parts.append(_square(board, row, col))
    parts += [_arrow(arrow) for arrow in arrows if arrow.squares]
    parts.append("</svg>")
    return "".join(parts)


def _label(x: float, y: float, name: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{name}</text>'


def _square(board: Board, row: int, col: int) -> str:
    x, y = MARGIN + col * SQUARE, MARGIN + row * SQUARE
    colour = board.colours[(row + col) % 2]
    drawn = f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{colour}"/>'
    if (row, col) in board.marked:
        drawn += (
            f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" '
            'fill="#f0c030" fill-opacity="0.55" class="last-move"/>'
        )
    man = board.rows[row][col]
    if man in "wb":
        fill, edge = ("#fff", "#333") if man == "w" else ("#222", "#ddd")
        drawn += (
            f'<circle cx="{x + SQUARE / 2:g}" cy="{y + SQUARE / 2:g}" r="{0.38 * SQUARE:g}" '
            f'fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
        )
    return drawn


def _arrow(arrow: Arrow) -> str:
    """A shaft and a head, or a ring where only one square is named."""
    colour = "#d9480f" if arrow.is_best else "#1c6fb5"
    width = 2 + 9 * arrow.weight
    (x1, y1), (x2, y2) = _centre(arrow.squares[0]), _centre(arrow.squares[-1])
    if (x1, y1) == (x2, y2):
        shape = (
            f'<circle cx="{x1:g}" cy="{y1:g}" r="{0.42 * SQUARE - width / 2:.1f}" '
            f'fill="none" stroke="{colour}" stroke-width="{width:.1f}"/>'
        )
    else:
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        along, head = ((x2 - x1) / length, (y2 - y1) / length), 7 + width
        base = (x2 - head * along[0], y2 - head * along[1])
        side = (-0.6 * head * along[1], 0.6 * head * along[0])
        corners = [(x2, y2), _plus(base, side), _plus(base, (-side[0], -side[1]))]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        shape = (
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{base[0]:.1f}" y2="{base[1]:.1f}" '
            f'stroke="{colour}" stroke-width="{width:.1f}" stroke-linecap="round"/>'
            f'<polygon points="{points}" fill="{colour}"/>'
        )
    title = f"<title>{escape(arrow.title)}</title>" if arrow.title else ""
    return f'<g opacity="0.8" class="move">{title}{shape}</g>'


def _centre(square: tuple[int, int]) -> tuple[float, float]:
    row, col = square
    return MARGIN + (col + 0.5) * SQUARE, MARGIN + (row + 0.5) * SQUARE


def _plus(point: tuple[float, float], step: tuple[float, float]) -> tuple[float, float]:
    return point[0] + step[0], point[1] + step[1]
