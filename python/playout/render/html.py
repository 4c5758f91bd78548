"""A result for notebooks: the board with the moves drawn on it, beside the table with bars.

The HTML is self-contained, without scripts, and uses the colours of the page that contains it.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Any

from mcts_core.board import Board, squares_named
from mcts_core.evaluation.othello_eval import END
from playout.columns import as_rows
from playout.render import bars
from playout.render import board as pictures
from playout.render import text as render

if TYPE_CHECKING:
    from playout.result import Result

ARROWS = 8  # moves drawn as arrows at most
LEAST_SHARE = 0.02  # of the visits; moves with less have no arrow
SURE = 1.96  # standard errors on either side of a mean: 95 % of a normal distribution
WORDS = ("method", "move", "bars", "line")  # left-aligned columns


def html(result: Result, effort: str = "") -> str:
    """What a notebook shows: the board beside the table. `effort`: instead of what was done."""
    notes = [*render.rest(result), *render.notes(result)]
    return beside(
        picture(result),
        f"<div><b>{escape(render.headline(result))}</b></div>"
        f"<div>{escape(effort or render.effort(result))}</div>"
        f"{_table(result)}{_keys(result)}"
        + "".join(f"<div>{escape(note)}</div>" for note in notes),
    )


def beside(picture: str, content: str) -> str:
    """A picture, and content on its right; below it on a narrow page."""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">'
        f"{picture}<div>{content}</div></div>"
    )


# The board


def picture(result: Result) -> str:
    """The board with heat and arrows as SVG; empty if the game has no board."""
    board = render.board_of(result.position)
    return "" if board is None else pictures.svg(board, arrows(result, board), heat(result, board))


def heat(result: Result, board: Board) -> list[pictures.Heat]:
    """Value and visits of each move, on the square where it ends.

    Alpha-beta's points have no fixed range, so they have no colour. Moves with only a bound are
    left out.
    """
    rows = as_rows(result.moves)
    if result.method.plays_out:
        method = result.method
        return pictures.heat_map(
            board, [(row["move"], method.worth(row), row[method.counted]) for row in rows]
        )
    drawn = []
    for row in rows:
        squares = squares_named(board, row["move"])
        if row.get("exact", True) and squares:
            label, note = _points(row["value"])
            shown = f"{label} {note}" if note else f"{row['value']:g}"
            title = f"{row['move']}: {shown}"
            drawn.append(pictures.Heat(squares[-1], math.nan, 1.0, label, note, title))
    return drawn


def arrows(result: Result, board: Board) -> list[pictures.Arrow]:
    """The most visited moves; thicker for more visits. The chosen move is last, so on top.

    Alpha-beta has an arrow only for the best move.
    """
    if not result.method.plays_out:
        squares = squares_named(board, str(result.move))
        return [pictures.Arrow(squares=squares, is_best=True)]
    rows = as_rows(result.moves)
    visits = [row["visits"] for row in rows]
    total, most = max(1, sum(visits)), max(1, *visits)
    drawn = [
        pictures.Arrow(
            squares=squares_named(board, row["move"]),
            weight=row["visits"] / most,
            is_best=index == 0,
            title=f"{row['move']}: {row['visits']} visits, mean {row['mean']:.3f}",
        )
        for index, row in enumerate(rows[:ARROWS])
        if index == 0 or row["visits"] >= LEAST_SHARE * total
    ]
    return drawn[::-1]


def _points(value: float) -> tuple[str, str]:
    """Alpha-beta's points as label and note. From END on: a game won or lost by n discs."""
    if abs(value) > END:
        return "won" if value > 0 else "lost", f"by {abs(value) - END:.0f}"
    points = round(abs(value))
    sign = "" if points == 0 else "-" if value < 0 else "+"
    return f"{sign}{pictures.short_number(points)}", ""


# The table


def _table(result: Result) -> str:
    """The cells of the text table, with bars of the values after the move."""
    columns = result.moves.dtype.names or ()
    names, texts = render.cells(result)
    head = [cell("th", escape(name), column) for name, column in zip(names, columns, strict=True)]
    if result.method.plays_out:
        head.insert(1, cell("th", "0 to 1", "bars"))
    rows = as_rows(result.moves[: len(texts)])
    body = [_row(row, cells) for row, cells in zip(rows, texts, strict=True)]
    return table(head, body)


def table(head: list[str], body: list[str]) -> str:
    """A table made of head cells and whole rows."""
    return (
        '<table style="border-collapse:collapse;margin:0.6em 0;background:transparent">'
        f"<thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    )


def _row(row: dict[str, Any], texts: list[str]) -> str:
    cells = [escape(text) for text in texts]
    if "beta" in row:
        place = list(row).index("beta")
        cells[place] = _weight(row["beta"], cells[place])
    shown = [cell("td", text, column) for text, column in zip(cells, row, strict=True)]
    if "mean" in row:
        shown.insert(1, cell("td", _value_bars(row), "bars"))
    return f"<tr>{''.join(shown)}</tr>"


def cell(tag: str, content: str, column: str) -> str:
    """A cell: words left-aligned, numbers right-aligned; a line of moves may be wrapped."""
    align = "left" if column in WORDS else "right"
    style = (
        f"text-align:{align};padding:0.15em 0.6em;background:transparent;color:inherit;"
        "border-bottom:1px solid rgba(128,128,128,0.35);font-variant-numeric:tabular-nums;"
        f"white-space:{'normal' if column == 'line' else 'nowrap'}"
    )
    return f'<{tag} style="{style}">{content}</{tag}>'


def _value_bars(row: dict[str, Any]) -> str:
    """The mean with its 95 % interval, and AMAF's mean below it if the method has AMAF."""
    mean, error = row["mean"], SURE * row["stderr"]
    shown = [bars.Bar(mean, bars.MEAN, error)]
    title = "no playouts" if math.isnan(mean) else f"Monte Carlo {mean:.3f} \u00b1 {error:.3f}"
    if "amaf_mean" in row:
        amaf = row["amaf_mean"]
        shown.append(bars.Bar(amaf, bars.AMAF))
        title += "" if math.isnan(amaf) else f", AMAF {amaf:.3f}"
    return bars.bars(shown, f"{row['move']}: {title}")


def _weight(beta: float, figure: str) -> str:
    """AMAF's weight as a number and a bar."""
    if math.isnan(beta):
        return figure
    bar = bars.Bar(beta, bars.WEIGHT)
    return f"{figure} {bars.bars([bar], f'beta {beta:.3f}', middle=False, width=50)}"


def _keys(result: Result) -> str:
    """A legend for the colours of the bars."""
    columns = result.moves.dtype.names or ()
    if not result.method.plays_out:
        return ""
    keys = [bars.key(bars.MEAN, "Monte Carlo, 95 %")]
    if "amaf_mean" in columns:
        keys.append(bars.key(bars.AMAF, "AMAF"))
    if "beta" in columns:
        keys.append(bars.key(bars.WEIGHT, "beta: AMAF's weight"))
    return f'<div style="font-size:90%">{"".join(keys)}</div>'
