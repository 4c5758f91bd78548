"""How options become a position: a game and its size, a line of text, the moves played."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from mcts_core.errors import BadPosition, IllegalMove, shown
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.games.othello import Othello
from mcts_core.position import Position
from playout import formats
from playout.arguments import one_of
from playout.cli.errors import Fault

GAMES: dict[str, type[Position]] = {"breakthrough": Breakthrough, "othello": Othello}

F = TypeVar("F", bound=Callable[..., Any])


def _text_given(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The position's text; `-` stands for what comes on standard input."""
    if value == "-" and not ctx.resilient_parsing:
        value = sys.stdin.read()
        if not value.strip():
            raise Fault("--position -: nothing came on standard input; pipe a position into it")
    return None if value is None else _one_line(value)


def _one_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and not lines[0].startswith("(;"):
        raise Fault(f"--position takes one position in one line, not {len(lines)} lines")
    return " ".join(lines)


def position_options(command: F) -> F:
    """The options that name a position."""
    options = [
        click.option("-g", "--game", metavar="NAME", help="breakthrough (the default) or othello."),
        click.option(
            "--size",
            metavar="N|RxC",
            help="Of the board: 5, or 6x5 for 6 rows of 5. Breakthrough 3 to 8, Othello 4, 6 or 8; "
            "8 unless said.",
        ),
        click.option(
            "--first-rows",
            type=int,
            metavar="N",
            help="Breakthrough: rows of men each side begins with, 1 or 2; 2 unless said, "
            "1 on 3 rows.",
        ),
        click.option(
            "--position",
            metavar="TEXT",
            callback=_text_given,
            help="Begin from this position: a line as playout prints it, OBF or GGF; "
            "- reads it from standard input.",
        ),
        click.option(
            "--moves", metavar="MOVES", help='Then play these: "a2a3 d4d3", or f5d6c3 for Othello.'
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def position_from(
    game: str | None = None,
    size: str | None = None,
    first_rows: int | None = None,
    position: str | None = None,
    moves: str | None = None,
) -> Position:
    """The position that these options name.

    >>> position_from("breakthrough", "6x5", moves="a2a3").fen
    'bbbbb/bbbbb/...../w..../.wwww/wwwww b'
    >>> position_from("othelo")
    Traceback (most recent call last):
    ValueError: --game must be one of 'breakthrough', 'othello', not 'othelo'; \
did you mean 'othello'?
    """
    if game is not None:
        game = one_of("--game", game.strip().lower(), list(GAMES))
    if position is None:
        start = _start(game or "breakthrough", size, first_rows)
    else:
        for name, value in (("--size", size), ("--first-rows", first_rows)):
            if value is not None:
                raise Fault(f"--position tells the board already: leave {name} out")
        start = _from_text(game or _game_of(position), position)
    return start if moves is None else _after(start, moves)


def to_search(**options: Any) -> Position:
    """The same, and not the end of a game."""
    found = position_from(**options)
    if found.is_over:
        raise Fault("this game is over, so there is no move to look for: take some of --moves back")
    return found


def _start(game: str, size: str | None, first_rows: int | None) -> Position:
    if game == "othello":
        if first_rows is not None:
            raise Fault("--first-rows is for Breakthrough: leave it out for Othello")
        rows, columns = _sides(size or "8")
        if rows != columns:
            raise Fault(f"an Othello board is square: --size {rows}, not {rows}x{columns}")
        return Othello(rows)
    rows, columns = _sides(size or "8")
    if first_rows is None:
        first_rows = 1 if rows == 3 else 2  # as many as there is room for
    return Breakthrough(rows, columns, first_rows=first_rows)


def _sides(size: str) -> tuple[int, int]:
    """The rows and columns of `5` or `6x5`."""
    found = re.fullmatch(r"([0-9]{1,4})(?:\s*+[xX]\s*+([0-9]{1,4}))?", size.strip())
    if not found:
        raise Fault(
            f"--size is a number such as 5, or rows and columns such as 6x5, not {shown(size)}"
        )
    return int(found[1]), int(found[2] or found[1])


def _game_of(text: str) -> str:
    """The game whose notation this is."""
    if "/" in text and not text.startswith("(;"):
        return "breakthrough"
    if re.match(r"\(;|[XO*0-]", text, re.IGNORECASE):
        return "othello"
    raise BadPosition(
        f"--position: {shown(text)} is neither a line of Breakthrough ('bbb/.../www w') nor one of "
        "Othello ('-----OX--XO----- X')"
    )


def _from_text(game: str, text: str) -> Position:
    try:
        if game == "breakthrough":
            return Breakthrough.from_fen(text)
        return (formats.read_ggf if text.startswith("(;") else formats.read_obf)(text).position
    except BadPosition as fault:
        raise BadPosition(f"--position: {fault}") from None


def _after(start: Position, moves: str) -> Position:
    """The position after the moves."""
    if isinstance(start, Othello):
        try:
            return formats.read_moves(moves, start=start)
        except BadPosition as fault:
            raise BadPosition(f"--moves: {fault}") from None
    position = start.copy()
    for number, move in enumerate(re.split(r"[\s,]+", moves.strip(" ,")), start=1):
        if move:
            try:
                position.push(move)
            except IllegalMove as fault:
                raise IllegalMove(f"--moves, number {number}: {fault}") from None
    return position


def colours(position: Position) -> tuple[str, str]:
    """The names of the first player and the second."""
    return ("black", "white") if isinstance(position, Othello) else ("white", "black")


def game_of(position: Position) -> str:
    """The name of a position's game, as --game takes it."""
    return next(name for name, kind in GAMES.items() if isinstance(position, kind))
