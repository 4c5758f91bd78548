"""An exact solution for notebooks: the board with the best moves, beside every score."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mcts_core.board import squares_named
from playout.render import board as pictures
from playout.render import text as render
from playout.render.html import beside, cell, table

if TYPE_CHECKING:
    from playout.solving import Solution


def html(solution: Solution) -> str:
    """What a notebook shows."""
    board = render.board_of(solution.position)
    picture = ""
    if board is not None:
        arrows = [
            pictures.Arrow(squares_named(board, move), 0.4, True)
            for move in solution.best_moves
            if solution.is_solved
        ]
        picture = pictures.svg(board, arrows)
    lines = str(solution).split("\n")[:2]  # the result, and the line of best play
    rows = [
        f"<tr>{cell('td', escape(move), 'move')}{cell('td', f'{score:+d}', 'score')}</tr>"
        for move, score in solution.scores.items()
    ]
    head = [cell("th", "move", "move"), cell("th", "score", "score")]
    return beside(
        picture,
        f"<div><b>{escape(render.place(solution.position))}</b></div>"
        + "".join(f"<div>{escape(line)}</div>" for line in lines)
        + (table(head, rows) if rows else ""),
    )
