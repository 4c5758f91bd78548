"""A comparison as text for the terminal, and as HTML with a board for each method."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from mcts_core.board import Board, squares_named
from playout.columns import as_rows
from playout.method import Method
from playout.render import board as pictures
from playout.render import html as render_html
from playout.render import text as render

if TYPE_CHECKING:
    from playout.comparison import Comparison

HEADS = ("method", "move", "share", "value", "stderr", "right", "regret", "ms a run")
WHOLE_SIZE = 6  # columns; wider boards are drawn smaller, so that several fit on the page
BEST_SHOWN = 8  # best moves named at most


def text(comparison: Comparison) -> str:
    """Headline, table, the exactly best moves, and the seed."""
    rows = _cells(comparison)
    widths = [max(map(len, column)) for column in zip(HEADS, *rows, strict=True)]
    lines = [_line(row, widths) for row in [list(HEADS), *rows]]
    return "\n".join([_headline(comparison), "", *lines, "", *_notes(comparison)])


def _line(cells: list[str], widths: list[int]) -> str:
    placed = [
        cell.ljust(width) if column in render_html.WORDS else cell.rjust(width)
        for column, cell, width in zip(HEADS, cells, widths, strict=True)
    ]
    return "  ".join(placed).rstrip()


def html(comparison: Comparison) -> str:
    """A board for each method with the moves it chose, and the table, in the page's colours."""
    return (
        f"<div><div><b>{escape(_headline(comparison))}</b></div>"
        f"{_pictures(comparison)}"
        f"{_table(comparison)}"
        + "".join(
            f"<div>{escape(note)}</div>" for note in [_legend(comparison), *_notes(comparison)]
        )
        + "</div>"
    )


def _table(comparison: Comparison) -> str:
    head, *body = [
        [
            render_html.cell(tag, escape(content), column)
            for content, column in zip(row, HEADS, strict=True)
        ]
        for tag, row in [("th", list(HEADS)), *(("td", row) for row in _cells(comparison))]
    ]
    return render_html.table(head, [f"<tr>{''.join(row)}</tr>" for row in body])


def _pictures(comparison: Comparison) -> str:
    board = render.board_of(comparison.position)
    if board is None:
        return ""
    zoom = min(1.0, WHOLE_SIZE / len(board.files))
    figures = [
        f'<figure style="margin:0;zoom:{zoom:g}">'
        f'<figcaption style="text-align:center">{escape(repr(method))}</figcaption>'
        f"{_picture(comparison, method, board)}</figure>"
        for method in comparison.methods
    ]
    style = "display:flex;flex-wrap:wrap;gap:0.5em 1em;margin:0.6em 0"
    return f'<div style="{style}">{"".join(figures)}</div>'


def _picture(comparison: Comparison, method: Method, board: Board) -> str:
    return pictures.svg(board, arrows(comparison, method, board), heat(comparison, method, board))


def arrows(comparison: Comparison, method: Method, board: Board) -> list[pictures.Arrow]:
    """The moves that a method chose; thicker if more runs chose them, the most frequent on top."""
    return [
        pictures.Arrow(
            squares=squares_named(board, move),
            weight=share,
            is_best=index == 0,
            title=f"{move}: chosen by {share:.0%}",
        )
        for index, (move, share, _) in enumerate(_choices(comparison, method))
    ][::-1]


def heat(comparison: Comparison, method: Method, board: Board) -> list[pictures.Heat]:
    """On the square where a move ends: the share of runs that chose it, in the colour of its value.

    The value is the exact one if known, otherwise the mean of the runs. If several moves end on one
    square, the figure belongs to the first and the title lists all.
    """
    ending: dict[tuple[int, int], list[tuple[str, float, float]]] = {}
    for choice in _choices(comparison, method):
        squares = squares_named(board, choice[0])
        if squares:
            ending.setdefault(squares[-1], []).append(choice)
    return [
        pictures.Heat(
            square=square,
            value=rows[0][2],
            weight=math.sqrt(rows[0][1]),
            label=f"{rows[0][1]:.0%}",
            title="\n".join(f"{move}: chosen by {share:.0%}" for move, share, _ in rows),
        )
        for square, rows in ending.items()
    ]


def _choices(comparison: Comparison, method: Method) -> list[tuple[str, float, float]]:
    """The chosen moves at the full budget with share and value, the most frequent first."""
    row = comparison.methods.index(method)
    moves, values = comparison.moves[row, -1], comparison.values[row, -1]
    shares, truth = comparison.shares(method), comparison.truth
    return [
        (
            str(comparison.position.legal_moves[index]),
            float(shares[index]),
            float(values[moves == index].mean() if truth is None else truth["exact"][index]),
        )
        for index in np.argsort(-shares, kind="stable")
        if shares[index] > 0
    ]


def _headline(comparison: Comparison) -> str:
    guided = "" if comparison.policy == "random" else f", {comparison.policy} playouts"
    searches = "search" if comparison.runs == 1 else "searches"
    return (
        f"{render.place(comparison.position)}: {comparison.runs:,} {searches} of each method, "
        f"{comparison.budgets[-1]:,} playouts{guided}, {render.seconds_text(comparison.seconds)}"
    )


def _cells(comparison: Comparison) -> list[list[str]]:
    """The table as texts."""
    cells = []
    for row in as_rows(comparison.rows):
        numbers = [f"{row['share']:.0%}", *(_number(row[x], ".3f") for x in ("value", "stderr"))]
        numbers += [_number(row["right"], ".0%"), _number(row["regret"], ".3f")]
        cells.append([row["method"], row["move"], *numbers, f"{1000 * row['seconds']:.3g}"])
    return cells


def _number(value: float, form: str) -> str:
    return "" if math.isnan(value) else format(value, form)


def _notes(comparison: Comparison) -> list[str]:
    return [_verdict(comparison), f"seed: {comparison.seed}"]


def _legend(comparison: Comparison) -> str:
    """A text that explains the figures and colours on the boards."""
    if render.board_of(comparison.position) is None:
        return ""
    worth = "is worth" if comparison.truth is not None else "is taken to be worth"
    return (
        "On the boards: the share of the searches that chose the move, in the colour of what it "
        f"{worth}, from brown (loses) to green (wins)."
    )


def _verdict(comparison: Comparison) -> str:
    """The exactly best moves, or that the position is not solved."""
    legal, best = comparison.position.legal_moves, comparison.best
    if comparison.truth is None or best is None:
        return (
            "not solved, so nobody knows which moves are best; the most frequent choice of all "
            f"methods is {comparison.majority}"
        )
    worth = {1.0: "win", 0.5: "draw", 0.0: "lose"}[float(comparison.truth["exact"].max())]
    if len(best) == len(legal):
        return f"exactly: all {len(legal)} moves {worth}, so that no choice is wrong"
    named = [move for move in legal if move in best]
    rest = f" and {len(named) - BEST_SHOWN} more" if len(named) > BEST_SHOWN else ""
    return (
        f"exactly best: {len(best)} of {len(legal)} moves {worth}: "
        f"{' '.join(named[:BEST_SHOWN])}{rest}"
    )
