"""What a board looks like: one description, drawn as text or as SVG. Knows no game's rules."""

from __future__ import annotations

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
        return "abcdefgh"[: len(self.rows[0])]


def text(board: Board) -> str:
    """The board as lines of text.

    >>> print(text(Board(["b.", ".w"], ["2", "1"], caption="white to move")))
    2  b .
    1  . w
       a b   white to move
    """
    lines = [f"{rank}  {' '.join(row)}" for rank, row in zip(board.ranks, board.rows, strict=True)]
    return "\n".join([*lines, f"   {' '.join(board.files)}   {board.caption}".rstrip()])


def svg(board: Board) -> str:
    """The board as a self-contained SVG picture, readable on light and dark pages.

    >>> svg(Board(["b.", ".w"], ["2", "1"])).startswith("<svg")
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
