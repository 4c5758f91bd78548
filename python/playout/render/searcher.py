"""A searcher for notebooks: its position, and what it knows of the moves."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from playout.render import board as pictures
from playout.render import html as render_html
from playout.render import text as render

if TYPE_CHECKING:
    from playout.searching import Searcher


def html(searcher: Searcher) -> str:
    """The result so far; the board alone if nothing is searched or the game is over."""
    position = searcher.position
    state = f"{searcher.method!r}, {'pondering' if searcher.is_pondering else 'waiting'}"
    if not position.is_over:
        result = searcher.result
        if result.playouts:
            return render_html.html(result, f"{state}: {result.playouts:,} playouts in the tree")
    board = render.board_of(position)
    return render_html.beside(
        "" if board is None else pictures.svg(board),
        f"<div><b>{escape(render.place(position))}</b></div><div>{escape(state)}</div>",
    )
