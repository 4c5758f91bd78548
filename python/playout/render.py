"""A result as a table: text for the terminal, HTML with the board for notebooks."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Any

from mcts_core import board as pictures
from mcts_core.position import Position
from mcts_core.python_game import PythonPosition

if TYPE_CHECKING:
    from playout.result import Result

ROWS = 20  # moves listed; the rest is counted
ARROWS = 8  # moves drawn
LEAST_SHARE = 0.02  # of the visits, for a move to be drawn

HEADS = {"amaf_visits": "AMAF visits", "amaf_mean": "AMAF mean"}


def text(result: Result) -> str:
    """Headline, table and principal variation."""
    names, rows = _cells(result)
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    lines = [_line(names, widths), *(_line(row, widths) for row in rows)]
    return "\n".join(
        [_headline(result), _effort(result), "", *lines, *_rest(result), "", *_notes(result)]
    )


def _line(cells: list[str], widths: list[int]) -> str:
    """The move on the left, numbers on the right."""
    first = cells[0].ljust(widths[0])
    numbers = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return "  ".join([first, *numbers]).rstrip()


def html(result: Result) -> str:
    """The board with the moves drawn on it beside the table; follows the page's own colours."""
    names, rows = _cells(result)
    notes = [*_rest(result), *_notes(result)]
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">'
        f"{_picture(result)}<div>"
        f"<div><b>{escape(_headline(result))}</b></div><div>{escape(_effort(result))}</div>"
        f"{table(names, rows)}"
        + "".join(f"<div>{escape(note)}</div>" for note in notes)
        + "</div></div>"
    )


def table(names: list[str], rows: list[list[str]], words: int = 1) -> str:
    """An HTML table: the first columns are words, on the left; the others numbers, on the right."""
    head, *body = [
        "<tr>"
        + "".join(_cell(tag, cell, column < words) for column, cell in enumerate(row))
        + "</tr>"
        for tag, row in [("th", names), *(("td", row) for row in rows)]
    ]
    return (
        '<table style="border-collapse:collapse;margin:0.6em 0;background:transparent">'
        f"<thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"
    )


def _cell(tag: str, content: str, is_word: bool) -> str:
    align = "left" if is_word else "right"
    style = (
        f"text-align:{align};padding:0.15em 0.6em;background:transparent;color:inherit;"
        "border-bottom:1px solid rgba(128,128,128,0.35);font-variant-numeric:tabular-nums"
    )
    return f'<{tag} style="{style}">{escape(content)}</{tag}>'


def _picture(result: Result) -> str:
    board = board_of(result.position)
    return "" if board is None else pictures.svg(board, _arrows(result, board))


def _arrows(result: Result, board: pictures.Board) -> list[pictures.Arrow]:
    """The most visited moves, thicker the more visits; the chosen one last, so on top.

    Alpha-beta knows only how good the best one is.
    """
    rows = result.moves
    if not result.method.plays_out:
        squares = pictures.squares_named(board, str(result.move))
        title = f"{result.move}: {result.value:g}"
        return [pictures.Arrow(squares=squares, is_best=True, title=title)]
    total, most = max(1, int(rows["visits"].sum())), max(1, int(rows["visits"].max()))
    arrows = [
        pictures.Arrow(
            squares=pictures.squares_named(board, str(row["move"])),
            weight=int(row["visits"]) / most,
            is_best=index == 0,
            title=f"{row['move']}: {row['visits']} visits, mean {row['mean']:.3f}",
        )
        for index, row in enumerate(rows[:ARROWS])
        if index == 0 or row["visits"] >= LEAST_SHARE * total
    ]
    return arrows[::-1]


def game_name(position: Position) -> str:
    """The name of the game's class; of the user's own, if the game is written in Python."""
    game = position.object if isinstance(position, PythonPosition) else position
    return type(game).__name__


def board_of(position: Position) -> pictures.Board | None:
    """What there is to draw of a position; a game may have no board."""
    try:
        return position.board
    except NotImplementedError:
        return None


def line_of(position: Position) -> str | None:
    """The position as one line of text, if the game has such lines."""
    try:
        return position.fen
    except NotImplementedError:
        return None


def place(position: Position) -> str:
    """The game, the size of its board and whose move it is."""
    board = board_of(position)
    if board is None:
        return game_name(position)
    size = f"{game_name(position)} {len(board.rows)}x{len(board.files)}"
    return f"{size}, {board.caption}" if board.caption else size


def _headline(result: Result) -> str:
    return f"{place(result.position)}: {result.move}, value {result.value:.3f}"


def _effort(result: Result) -> str:
    if not result.method.plays_out:
        return (
            f"depth {result.depth} of {result.method!r}: {result.nodes:,} nodes in "
            f"{result.seconds:.3g} s (ended: {result.reason})"
        )
    speed = f", {result.playouts / result.seconds:,.0f}/s" if result.seconds > 0 else ""
    done = f"{result.playouts:,} playouts of {result.method!r} in {result.seconds:.3g} s{speed}"
    nodes = f", {result.nodes:,} nodes in {result.bytes / 2**20:,.1f} MiB" if result.nodes else ""
    ends = {"sure": "sure enough", "proven": "the result is proven"}
    return f"{done}{nodes} (ended: {ends.get(result.reason, result.reason)})"


def _cells(result: Result) -> tuple[list[str], list[list[str]]]:
    """The heads of the columns, and the table as texts."""
    names = list(result.moves.dtype.names or ())
    rows = [[_text_of(value) for value in row.tolist()] for row in result.moves[:ROWS]]
    return [HEADS.get(name, name) for name in names], rows


def _text_of(value: Any) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _rest(result: Result) -> list[str]:
    left = len(result.moves) - ROWS
    return [f"... and {left} more in .moves"] if left > 0 else []


def _notes(result: Result) -> list[str]:
    notes = [f"pv: {' '.join(result.pv)}"] if len(result.pv) > 1 else []
    if result.regret is not None:
        notes.append(f"regret: {result.regret:.1f} wins (bound: {result.regret_bound:.1f})")
    return notes if result.seed is None else [*notes, f"seed: {result.seed}"]
