"""A result as text for the terminal, and texts that its pictures use too."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mcts_core.board import Board
from mcts_core.games.python_game import PythonPosition
from mcts_core.position import Position
from playout.columns import as_rows

if TYPE_CHECKING:
    from playout.result import Result

ROWS = 20  # moves listed; the others are only counted

HEADS = {"amaf_visits": "AMAF visits", "amaf_mean": "AMAF mean"}


def text(result: Result) -> str:
    """Headline, table and principal variation."""
    names, rows = cells(result)
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    lines = [_line(names, widths), *(_line(row, widths) for row in rows)]
    return "\n".join(
        [headline(result), effort(result), "", *lines, *rest(result), "", *notes(result)]
    )


def _line(cells: list[str], widths: list[int]) -> str:
    """A line of the table: the move left-aligned, numbers right-aligned."""
    first = cells[0].ljust(widths[0])
    numbers = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return "  ".join([first, *numbers]).rstrip()


def game_name(position: Position) -> str:
    """The name of the game's class; for a game in Python, of the user's class."""
    game = position.object if isinstance(position, PythonPosition) else position
    return type(game).__name__


def board_of(position: Position) -> Board | None:
    """The board of a position; None if the game has none."""
    try:
        return position.board
    except NotImplementedError:
        return None


def line_of(position: Position) -> str | None:
    """The position as a line of text; None if the game has no such text."""
    try:
        return position.fen
    except NotImplementedError:
        return None


def place(position: Position) -> str:
    """The game, the size of its board and the side to move."""
    board = board_of(position)
    if board is None:
        return game_name(position)
    size = f"{game_name(position)} {len(board.rows)}x{len(board.files)}"
    return f"{size}, {board.caption}" if board.caption else size


def headline(result: Result) -> str:
    """The position, the move and its value in one line."""
    return f"{place(result.position)}: {result.move}, value {result.value:.3f}"


def effort(result: Result) -> str:
    """What the search did, and why it ended."""
    if not result.method.plays_out:
        return (
            f"depth {result.depth} of {result.method!r}: {result.nodes:,} nodes in "
            f"{seconds_text(result.seconds)} (ended: {result.reason})"
        )
    speed = f", {result.playouts / result.seconds:,.0f}/s" if result.seconds > 0 else ""
    time = seconds_text(result.seconds)
    done = f"{result.playouts:,} playouts of {result.method!r} in {time}{speed}"
    nodes = f", {result.nodes:,} nodes in {result.bytes / 2**20:,.1f} MiB" if result.nodes else ""
    ends = {"sure": "sure enough", "proven": "the result is proven"}
    return f"{done}{nodes} (ended: {ends.get(result.reason, result.reason)})"


def seconds_text(seconds: float) -> str:
    """A duration in a unit that suits it.

    >>> seconds_text(0.0000021), seconds_text(0.25), seconds_text(12.3), seconds_text(4000)
    ('2.1 us', '250 ms', '12.3 s', '4,000 s')
    >>> seconds_text(0.0009999)             # the unit after rounding
    '1 ms'
    """
    units = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6))
    unit, size = next((pair for pair in units if seconds >= 0.9995 * pair[1]), units[-1])
    number = seconds / size
    return f"{number:,.0f} {unit}" if number >= 999.5 else f"{number:.3g} {unit}"


def cells(result: Result, rows: int = ROWS) -> tuple[list[str], list[list[str]]]:
    """The heads of the columns, and the best moves as rows of text, at most `rows` of them."""
    names = list(result.moves.dtype.names or ())
    lines = [[_text_of(value) for value in row.values()] for row in as_rows(result.moves[:rows])]
    return [HEADS.get(name, name) for name in names], lines


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def rest(result: Result) -> list[str]:
    """A line with the number of moves that are not listed, if any."""
    left = len(result.moves) - ROWS
    return [f"... and {left} more in .moves"] if left > 0 else []


def notes(result: Result) -> list[str]:
    """The lines below the table: the principal variation, the regret, the seed."""
    lines = [f"pv: {' '.join(result.pv)}"] if len(result.pv) > 1 else []
    if "exact" in (result.moves.dtype.names or ()) and not result.moves["exact"].all():
        lines.insert(0, "a value that is not exact: the move is worth that or less")
    if result.regret is not None:
        lines.append(f"regret: {result.regret:.1f} wins (bound: {result.regret_bound:.1f})")
    return lines if result.seed is None else [*lines, f"seed: {result.seed}"]
