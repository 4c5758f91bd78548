"""Output of commands: the console, boards in colour, tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mcts_core.board import Board, squares_named
from mcts_core.board import text as text_of
from mcts_core.position import Position
from playout.cli.positions import game_of
from playout.cli.visible import visible_lines
from playout.render import text as render

LAST_MOVE = "#4a7fb5"
MEN = {"w": "bold #ffffff", "b": "bold #000000"}
LEGAL = "#fff3a0"  # the dots on squares that a disc may be placed on
TALL, BELOW = 3, 8  # lines of a large square, and of what stands around the board


class Screen(Console):
    """A console that passes every `str` through `visible`, because a user may have written it.

    Use a rich `Text` for output that this package formats itself.
    """

    def render_str(self, text: str, **how: Any) -> Text:
        """The text that rich lays out."""
        return super().render_str(visible_lines(text), **how)


def console() -> Console:
    """A console for standard output, with the colours and the width of the terminal, if any."""
    return Screen(highlight=False, markup=False, emoji=False)


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def print_json(found: dict[str, Any]) -> None:
    """Print one JSON object."""
    print(json.dumps(found, indent=2))


def print_whole(screen: Console, line: str, style: str = "") -> None:
    """Print a line without line breaks, so that it is copied as a whole."""
    screen.print(line, style=style, soft_wrap=True)


def board_of(
    screen: Console, position: Position, *, legal: bool = False, large: bool = False
) -> Text:
    """The board in colour; in letters if the terminal has too few colours.

    `legal` marks the squares on which a disc may be placed. `large`: squares of three lines, if the
    terminal is tall enough.
    """
    board = render.board_of(position)
    if board is None:
        return Text(str(position))
    has_colours = screen.color_system in ("256", "truecolor") and not screen.no_color
    if not has_colours or not _draws(screen, "●•"):
        return Text(text_of(board))
    squares = game_of(position).backgrounds
    open_squares = _open_squares(position, board) if legal else set()
    is_large = large and screen.height >= TALL * len(board.rows) + BELOW
    wide, text = (7 if is_large else 3), Text()
    for row, (rank, men) in enumerate(zip(board.ranks, board.rows, strict=True)):
        backs = [
            LAST_MOVE if (row, column) in board.marked else squares[(row + column) % 2]
            for column in range(len(men))
        ]
        empty = [(" ", f"on {back}") for back in backs]
        drawn = [
            _drawn(man, (row, column) in open_squares, back)
            for column, (man, back) in enumerate(zip(men, backs, strict=True))
        ]
        lines = [("", empty), (rank, drawn), ("", empty)] if is_large else [(rank, drawn)]
        for name, line in lines:
            text.append(f"{name:^3}")
            for character, style in line:
                text.append(f"{character:^{wide}}", style=style)
            text.append("\n")
    files = "".join(f"{name:^{wide}}" for name in board.files)
    text.append(f"   {files}  {board.caption}")
    return text


def _drawn(man: str, is_open: bool, back: str) -> tuple[str, str]:
    """What stands on a square, and its style."""
    if man in MEN:
        return "●", f"{MEN[man]} on {back}"
    return ("•", f"bold {LEGAL} on {back}") if is_open else (" ", f"on {back}")


def room_for_bars(screen: Console) -> int:
    """The width for a table with bars; 0 if the terminal cannot print their character."""
    return screen.width if _draws(screen, "━") else 0


def _draws(screen: Console, characters: str) -> bool:
    try:
        characters.encode(screen.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _open_squares(position: Position, board: Board) -> set[tuple[int, int]]:
    """The squares where a move places a new man: those of moves that name only one square."""
    named = (squares_named(board, move) for move in position.legal_moves)
    return {squares[0] for squares in named if len(squares) == 1}


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], best: int | None = None) -> Table:
    """A plain table. The first column is left-aligned, the others right; row `best` is marked."""
    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column, head in enumerate(heads):
        made.add_column(head, justify="right" if column else "left", no_wrap=True)
    for number, row in enumerate(rows):
        made.add_row(*row, style="bold green" if number == best else None)
    return made


def mover(position: Position) -> str:
    """The name of the side to move."""
    return game_of(position).sides[position.turn]
