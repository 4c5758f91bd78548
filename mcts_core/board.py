"""A board as data: how a game describes the look of its position, and that board as lines of text.

This package draws no pictures: `playout.render.board` does, and registers itself by `draw_with`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple


class Board(NamedTuple):
    """The squares as they are drawn: the top row first, one character a square.

    `w` and `b` are white and black pieces; anything else is empty.

    >>> import playout as po
    >>> board = po.ConnectFour(4).board
    >>> board.rows[0], board.caption
    ('.......', 'white to move')
    """

    rows: list[str]
    ranks: list[str]  # the label of each row, the top row's first
    marked: frozenset[tuple[int, int]] = frozenset()  # (row from the top, column) of the last move
    colours: tuple[str, str] = ("#eeeed2", "#a9b88f")  # of the squares, alternating
    caption: str = ""
    names: str = "abcdefgh"  # of the columns from the left, a character each
    targets: dict[str, tuple[int, int]] | None = None  # squares of moves whose text names none

    @property
    def files(self) -> str:
        """The names of the columns that this board has."""
        return self.names[: len(self.rows[0])]


def squares_named(board: Board, move: str) -> tuple[tuple[int, int], ...]:
    """Return the squares that a move's text names by file and rank, in order; none for a pass.

    For a move in the board's `targets`, this is that square.

    >>> squares_named(Board(["b.", ".w"], ["2", "1"]), "b1a2")
    ((1, 1), (0, 0))
    >>> squares_named(Board(["..", ".w"], ["2", "1"], names="12", targets={"1": (1, 0)}), "1")
    ((1, 0),)
    """
    if board.targets and move in board.targets:
        return (board.targets[move],)
    named = re.findall(r"([a-h])(\d+)", move)
    return tuple(
        (board.ranks.index(rank), board.files.index(file))
        for file, rank in named
        if rank in board.ranks and file in board.files
    )


def text(board: Board) -> str:
    """Return the board as lines of text.

    >>> print(text(Board(["b.", ".w"], ["2", "1"], caption="white to move")))
    2  b .
    1  . w
       a b   white to move
    """
    lines = [f"{rank}  {' '.join(row)}" for rank, row in zip(board.ranks, board.rows, strict=True)]
    return "\n".join([*lines, f"   {' '.join(board.files)}   {board.caption}".rstrip()])


# Pictures

_draw: Callable[[Board], str] | None = None


def draw_with(draw: Callable[[Board], str]) -> None:
    """Set the function that draws a board as SVG. `playout` calls this once, at import."""
    global _draw
    _draw = draw


def picture(board: Board) -> str | None:
    """Return the board as SVG; None if `draw_with` was never called."""
    return None if _draw is None else _draw(board)
