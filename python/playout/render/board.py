"""Boards as SVG pictures: squares, men, arrows of moves and heat maps, for any game."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from mcts_core.board import Board, draw_with, squares_named

SQUARE = 40  # pixels: the side of a square
MARGIN = 22  # pixels round the board, for the coordinates
CAPTION = 20  # pixels below it, for the side to move or the result
HEAT_SCALE = 1.35  # a board with figures is enlarged by this factor, so that they are readable

# Colours of a heat map, as red, green, blue: a sure loss, an even chance, a sure win. Colour-blind
# people can tell them apart, and they differ from squares, men and arrows.
COLD, EVEN, HOT = (166, 97, 26), (250, 250, 245), (1, 133, 113)


class Arrow(NamedTuple):
    """A move drawn on the board: from square to square, or a ring on a single square."""

    squares: tuple[tuple[int, int], ...]  # (row from the top, column) each
    weight: float = 1.0  # 0 to 1: its thickness
    is_best: bool = False  # drawn in the colour of the best move
    title: str = ""  # shown when the pointer rests on it


class Heat(NamedTuple):
    """A square in the colour of a value, with figures on it."""

    square: tuple[int, int]  # (row from the top, column)
    value: float  # 0 (brown) through 0.5 (white) to 1 (green); nan: no colour
    weight: float = 1.0  # 0 to 1: the strength of the colour
    label: str = ""  # in the middle of the square
    note: str = ""  # smaller, below the label
    title: str = ""  # shown when the pointer rests on it


def heat_map(board: Board, moves: Iterable[tuple[str, float, int]]) -> list[Heat]:
    """Heat for moves, given as (move, value from 0 to 1, visits), on the squares where they end.

    If several moves end on one square, the first is shown and the title lists all, so give the best
    move first. Moves without visits and moves without a square, such as a pass, are left out.

    >>> board = Board(["bb", "ww"], ["2", "1"])
    >>> for heat in heat_map(board, [("a1b2", 0.75, 1500), ("b1b2", 0.5, 20)]):
    ...     print(heat.square, heat.label, heat.note, heat.title.splitlines())
    (0, 1) .75 1.5k ['a1b2: 0.750 from 1,500 playouts', 'b1b2: 0.500 from 20 playouts']
    """
    ending: dict[tuple[int, int], list[tuple[str, float, int]]] = {}
    most = 1
    for move, value, visits in moves:
        squares = squares_named(board, move)
        if squares and visits > 0:
            ending.setdefault(squares[-1], []).append((move, value, visits))
            most = max(most, visits)
    return [
        Heat(
            square=square,
            value=rows[0][1],
            weight=math.sqrt(rows[0][2] / most),
            label=_short_value(rows[0][1]),
            note=short_number(rows[0][2]),
            title="\n".join(f"{move}: {value:.3f} from {n:,} playouts" for move, value, n in rows),
        )
        for square, rows in ending.items()
    ]


def short_number(n: int) -> str:
    """A count in at most four characters.

    >>> [short_number(n) for n in (7, 999, 1500, 99_960, 2_000_000)]
    ['7', '999', '1.5k', '100k', '2M']
    """
    amount, unit = float(n), ""
    for larger in "kMGT":
        if amount < 999.5:
            break
        amount, unit = amount / 1000, larger
    return f"{amount:.1f}".removesuffix(".0") + unit if amount < 9.95 else f"{amount:.0f}{unit}"


def _short_value(value: float) -> str:
    """Two decimals without the leading 0; 1 and 0 for values that round to them."""
    if math.isnan(value):
        return ""
    return f"{value:.2f}".removeprefix("0") if 0.005 <= value < 0.995 else f"{value:.0f}"


def colour_of(value: float) -> str:
    """The colour of a value in a heat map. .45 and .55 are still distinguishable.

    >>> colour_of(0.0), colour_of(0.5), colour_of(1.0)
    ('#a6611a', '#fafaf5', '#018571')
    """
    off = max(-1.0, min(1.0, 2.0 * value - 1.0))
    strength, end = math.sqrt(abs(off)), HOT if off > 0 else COLD
    mixed = (round(e + (f - e) * strength) for e, f in zip(EVEN, end, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def svg(board: Board, arrows: Iterable[Arrow] = (), heat: Iterable[Heat] = ()) -> str:
    """The board as a self-contained SVG picture, readable on light and dark pages.

    Arrows are drawn in the given order, so later ones are on top. Heat is drawn below the men, its
    figures above everything; with heat, arrows end before the figures.

    >>> svg(Board(["b.", ".w"], ["2", "1"]), [Arrow(((1, 1), (0, 0)))]).startswith("<svg")
    True
    """
    heats = {spot.square: spot for spot in heat}
    n_rows, n_cols = len(board.rows), len(board.files)
    width, height = n_cols * SQUARE + 2 * MARGIN, n_rows * SQUARE + 2 * MARGIN
    whole = height + (CAPTION if board.caption else 0)
    scale = HEAT_SCALE if heats else 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {whole}" '
        f'width="{width * scale:g}" height="{whole * scale:g}" role="img" '
        f'aria-label="{escape(board.caption or "board")}">',
        '<g font-family="sans-serif" font-size="12" fill="#888" text-anchor="middle">',
    ]
    for col, name in enumerate(board.files):
        x = MARGIN + (col + 0.5) * SQUARE
        parts += [_label(x, MARGIN - 8, name), _label(x, height - MARGIN + 15, name)]
    for row, name in enumerate(board.ranks):
        y = MARGIN + (row + 0.5) * SQUARE + 4
        parts += [_label(MARGIN / 2, y, name), _label(width - MARGIN / 2, y, name)]
    if board.caption:
        parts.append(_label(width / 2, whole - 6, board.caption))
    parts.append("</g>")
    for row in range(n_rows):
        for col in range(n_cols):
            parts.append(_square(board, row, col, heats.get((row, col))))
    parts += [_arrow(arrow, arrow.squares[-1] in heats) for arrow in arrows if arrow.squares]
    parts += [_figures(spot) for spot in heats.values()]
    parts.append("</svg>")
    return "".join(parts)


def _label(x: float, y: float, name: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{escape(name)}</text>'


def _square(board: Board, row: int, col: int, heat: Heat | None) -> str:
    x, y = MARGIN + col * SQUARE, MARGIN + row * SQUARE
    colour = board.colours[(row + col) % 2]
    drawn = f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{colour}"/>'
    if (row, col) in board.marked:
        drawn += (
            f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" '
            'fill="#f0c030" fill-opacity="0.55" class="last-move"/>'
        )
    if heat is not None and not math.isnan(heat.value):
        drawn += (
            f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" '
            f'fill="{colour_of(heat.value)}" fill-opacity="{0.55 + 0.4 * heat.weight:.2f}" '
            'class="heat"/>'
        )
    man = board.rows[row][col]
    if man in "wb":
        fill, edge = ("#fff", "#333") if man == "w" else ("#222", "#ddd")
        drawn += (
            f'<circle cx="{x + SQUARE / 2:g}" cy="{y + SQUARE / 2:g}" r="{0.38 * SQUARE:g}" '
            f'fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
        )
    return drawn


def _figures(heat: Heat) -> str:
    """The figures of a heat map, with a white edge that separates them from men and arrows.

    The edge is a second text, because not every SVG program supports `paint-order`.
    """
    x, y = _centre(heat.square)
    title = f"<title>{escape(heat.title)}</title>" if heat.title else ""
    lines = [(heat.label, 13, y + (1 if heat.note else 4.5)), (heat.note, 10, y + 12)]
    texts = "".join(
        f'<text x="{x:g}" y="{height:g}" font-size="{size}">{escape(line)}</text>'
        for line, size, height in lines
        if line
    )
    return (
        '<g font-family="sans-serif" font-weight="bold" fill="#111" text-anchor="middle">'
        '<g stroke="#fff" stroke-width="3" stroke-linejoin="round" aria-hidden="true">'
        f'{texts}</g><g class="figures">{title}{texts}</g></g>'
    )


def _arrow(arrow: Arrow, stops_short: bool) -> str:
    """A shaft and a head, or a ring if the move names only one square."""
    colour = "#d9480f" if arrow.is_best else "#1c6fb5"
    start, end = _centre(arrow.squares[0]), _centre(arrow.squares[-1])
    width = 2 + 9 * arrow.weight
    if start == end:
        width = 2 + 4 * arrow.weight
        shape = (
            f'<circle cx="{end[0]:g}" cy="{end[1]:g}" r="{0.48 * SQUARE - width / 2:.1f}" '
            f'fill="none" stroke="{colour}" stroke-width="{width:.1f}"/>'
        )
    else:
        shape = _shaft_and_head(
            start, _on_the_way(start, end) if stops_short else end, width, colour
        )
    title = f"<title>{escape(arrow.title)}</title>" if arrow.title else ""
    return f'<g opacity="0.8" class="move">{title}{shape}</g>'


def _shaft_and_head(
    start: tuple[float, float], end: tuple[float, float], width: float, colour: str
) -> str:
    (x1, y1), (x2, y2) = start, end
    length = math.dist(start, end)
    along, head = ((x2 - x1) / length, (y2 - y1) / length), 7 + width
    base = (x2 - head * along[0], y2 - head * along[1])
    side = (-0.6 * head * along[1], 0.6 * head * along[0])
    corners = [end, _plus(base, side), _plus(base, (-side[0], -side[1]))]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{base[0]:.1f}" y2="{base[1]:.1f}" '
        f'stroke="{colour}" stroke-width="{width:.1f}" stroke-linecap="round"/>'
        f'<polygon points="{points}" fill="{colour}"/>'
    )


def _on_the_way(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    """The end of an arrow that leaves the middle of its last square free for figures."""
    return end[0] - 0.3 * (end[0] - start[0]), end[1] - 0.3 * (end[1] - start[1])


def _centre(square: tuple[int, int]) -> tuple[float, float]:
    row, col = square
    return MARGIN + (col + 0.5) * SQUARE, MARGIN + (row + 0.5) * SQUARE


def _plus(point: tuple[float, float], step: tuple[float, float]) -> tuple[float, float]:
    return point[0] + step[0], point[1] + step[1]


draw_with(svg)
