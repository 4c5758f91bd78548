"""A comparison as text for the terminal, and as HTML with a board for each method."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from mcts_core import board as pictures
from playout import render
from playout.methods import Method

if TYPE_CHECKING:
    from playout.comparison import Comparison

HEADS = ("method", "move", "share", "value", "stderr", "right", "regret", "ms a run")
LEFT = 2  # the columns that are words
BEST_SHOWN = 8  # best moves named


def text(comparison: Comparison) -> str:
    """Headline, table, what is exactly best, and how to repeat it."""
    rows = _cells(comparison)
    widths = [max(map(len, column)) for column in zip(HEADS, *rows, strict=True)]
    lines = [_line(row, widths) for row in [list(HEADS), *rows]]
    return "\n".join([_headline(comparison), "", *lines, "", *_notes(comparison)])


def _line(cells: list[str], widths: list[int]) -> str:
    placed = [
        cell.ljust(width) if column < LEFT else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(placed).rstrip()


def html(comparison: Comparison) -> str:
    """A board for each method with the moves it chose, and the table; in the page's own colours."""
    return (
        f"<div><div><b>{escape(_headline(comparison))}</b></div>"
        f"{_pictures(comparison)}"
        f"{render.table(list(HEADS), _cells(comparison), LEFT)}"
        + "".join(f"<div>{escape(note)}</div>" for note in _notes(comparison))
        + "</div>"
    )


def _pictures(comparison: Comparison) -> str:
    board = render.board_of(comparison.position)
    if board is None:
        return ""
    figures = [
        f'<figure style="margin:0"><figcaption style="text-align:center">{escape(repr(method))}'
        f"</figcaption>{_picture(comparison, method, board)}</figure>"
        for method in comparison.methods
    ]
    style = "display:flex;flex-wrap:wrap;gap:0.5em 1em;margin:0.6em 0"
    return f'<div style="{style}">{"".join(figures)}</div>'


def _picture(comparison: Comparison, method: Method, board: pictures.Board) -> str:
    """The chosen moves as arrows, thicker the more runs chose them; the usual one on top."""
    shares = comparison.shares(method)
    legal = comparison.position.legal_moves
    arrows = [
        pictures.Arrow(
            squares=pictures.squares_named(board, legal[index]),
            weight=float(shares[index]),
            is_best=index == shares.argmax(),
            title=f"{legal[index]}: chosen by {shares[index]:.0%}",
        )
        for index in np.argsort(shares, kind="stable")
        if shares[index] > 0
    ]
    return pictures.svg(board, arrows)


def _headline(comparison: Comparison) -> str:
    guided = "" if comparison.policy == "random" else f", {comparison.policy} playouts"
    searches = "search" if comparison.runs == 1 else "searches"
    return (
        f"{render.place(comparison.position)}: {comparison.runs:,} {searches} of each method, "
        f"{comparison.budgets[-1]:,} playouts{guided}, {comparison.seconds:.3g} s"
    )


def _cells(comparison: Comparison) -> list[list[str]]:
    """The table as texts."""
    cells = []
    for row in comparison.rows.tolist():
        method, move, share, value, stderr, right, regret, seconds = row
        numbers = [f"{share:.0%}", *(_number(x, ".3f") for x in (value, stderr))]
        numbers += [_number(right, ".0%"), _number(regret, ".3f"), f"{1000 * seconds:.3g}"]
        cells.append([method, move, *numbers])
    return cells


def _number(value: float, form: str) -> str:
    return "" if math.isnan(value) else format(value, form)


def _notes(comparison: Comparison) -> list[str]:
    return [_verdict(comparison), f"seed: {comparison.seed}"]


def _verdict(comparison: Comparison) -> str:
    """What the choices are measured by."""
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
