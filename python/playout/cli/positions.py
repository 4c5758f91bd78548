"""The position that options describe: a game and its size, a line of text, moves to play."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from mcts_core.errors import BadPosition, IllegalMove, shown
from mcts_core.position import Position
from playout import python_games
from playout.cli import files
from playout.cli.errors import Fault
from playout.games import DEFAULT, GAMES, Game, size_text

F = TypeVar("F", bound=Callable[..., Any])


def _text_given(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The text of the position; `-` means standard input."""
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
    """Add the options that describe a position."""
    options = [
        click.option("-g", "--game", metavar="NAME", help=_games_help()),
        click.option("--size", metavar="N|RxC", help=_sizes_help()),
        click.option(
            "--first-rows",
            type=int,
            metavar="N",
            help="Breakthrough: rows of men each side begins with, 1 or 2; 2 by default, "
            "1 on 3 rows.",
        ),
        click.option(
            "--position",
            metavar="TEXT",
            callback=_text_given,
            help="Begin from this position: a line as playout prints it, for Othello also OBF, "
            "GGF, or GAMES.wtb:7:40, a WTHOR file, the number of a game and how many of its moves; "
            "- reads a line from standard input.",
        ),
        click.option("--moves", metavar="MOVES", help=_moves_help()),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _games_help() -> str:
    others = [name for name in GAMES if name != DEFAULT.name]
    own = "module:Class, a game of yours in Python"
    return f"{DEFAULT.name} (the default), {', '.join(others)} or {own}."


def _sizes_help() -> str:
    boards = [
        f"{game.title} {game.sizes}, {size_text(game.default)} by default"
        for game in GAMES.values()
    ]
    return f"Of the board: 5, or 6x5 for 6 rows of 5. {'; '.join(boards)}."


def _moves_help() -> str:
    examples = [f'"{game.example_moves}" ({game.title})' for game in GAMES.values()]
    return f"Then play these: {', '.join(examples)}."


def position_from(
    game: str | None = None,
    size: str | None = None,
    first_rows: int | None = None,
    position: str | None = None,
    moves: str | None = None,
) -> Position:
    """The position that these options describe.

    >>> position_from("breakthrough", "6x5", moves="a2a3").fen
    'bbbbb/bbbbb/...../w..../.wwww/wwwww b'
    >>> position_from("othelo")
    Traceback (most recent call last):
    ValueError: --game must be one of 'breakthrough', 'othello', 'connect-four', not 'othelo'; \
did you mean 'othello'?
    """
    named = None
    if game is not None:
        named = python_games.named(game, "--game")
    options = {"first_rows": first_rows}
    if position is None:
        named = named or DEFAULT
        start = _start(named, size, options)
    else:
        for name, value in {"size": size, **options}.items():
            if value is not None:
                raise Fault(f"--position tells the board already: leave {_flag(name)} out")
        named, start = _from_file(position, named) or _from_line(position, named)
    return start if moves is None else after(named, start, moves)


def to_search(**options: Any) -> Position:
    """The same, but a finished game is refused."""
    found = position_from(**options)
    if found.is_over:
        raise Fault("this game is over, so there is no move to look for: take some of --moves back")
    return found


def _start(game: Game, size: str | None, options: dict[str, Any]) -> Position:
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in game.options:
            takers = " and ".join(each.title for each in GAMES.values() if name in each.options)
            raise Fault(f"{_flag(name)} is for {takers}: leave it out for {game.title}")
    rows, columns = game.default if size is None else _sides(size)
    return game.start(rows, columns, **given)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _sides(size: str) -> tuple[int, int]:
    """The rows and columns of `5` or `6x5`."""
    found = re.fullmatch(r"([0-9]{1,4})(?:\s*+[xX]\s*+([0-9]{1,4}))?", size.strip())
    if not found:
        raise Fault(
            f"--size is a number such as 5, or rows and columns such as 6x5, not {shown(size)}"
        )
    return int(found[1]), int(found[2] or found[1])


def _game_of_line(text: str) -> Game:
    """The game that this line of text belongs to."""
    for game in GAMES.values():
        if game.line.match(text):
            return game
    examples = ", ".join(f"{game.title} {game.example!r}" for game in GAMES.values())
    raise BadPosition(f"--position: {shown(text)} is no position of a known game. {examples}")


def _from_line(text: str, named: Game | None) -> tuple[Game, Position]:
    game = named or _game_of_line(text)
    try:
        return game, game.read(text)
    except BadPosition as fault:
        raise BadPosition(f"--position: {fault}") from None


FILE = re.compile(
    r"(?P<path>.+(?P<suffix>\.[a-z]+))(?::(?P<number>[0-9]{1,9}))?(?::(?P<plies>[0-9]{1,4}))?",
    re.IGNORECASE,
)


def _from_file(text: str, named: Game | None) -> tuple[Game, Position] | None:
    """A position of a game in a file, `PATH:GAME:MOVES`; None if the text names no such file.

    By default it is the first game, after all its moves.
    """
    found = FILE.fullmatch(text)
    suffix = found["suffix"].lower() if found else ""
    games = GAMES.values() if named is None else (named,)
    game = next((game for game in games if suffix in game.files), None)
    if found is None or game is None:
        return None
    path, number = Path(found["path"]), int(found["number"] or 1)
    try:
        data = files.read_bytes(path)
    except (OSError, ValueError) as fault:  # ValueError: no file can have that name
        reason = fault.strerror if isinstance(fault, OSError) else fault
        raise Fault(f"--position: {path} cannot be read: {reason}") from None
    try:
        ended = game.files[suffix](data)
    except BadPosition as fault:
        raise BadPosition(f"--position: {path}: {fault}") from None
    if not 1 <= number <= len(ended):
        raise Fault(f"--position: {path} has {len(ended)} games, and none with number {number}")
    position = ended[number - 1]
    plies = len(position.history) if found["plies"] is None else int(found["plies"])
    if plies > len(position.history):
        raise Fault(
            f"--position: game {number} of {path} has {len(position.history)} moves, not {plies}"
        )
    while len(position.history) > plies:
        position.pop()
    return game, position


def after(game: Game, start: Position, moves: str) -> Position:
    """The position after the moves."""
    try:
        return game.play(start, moves)
    except (BadPosition, IllegalMove) as fault:
        raise type(fault)(f"--moves: {fault}") from None


def own_game(options: dict[str, Any]) -> dict[str, str]:
    """`--game module:Class`, which imports the class of a file with games: given with the file."""
    name = options["game"]
    if name is None or ":" not in name:
        return {}
    return {"game": python_games.named(name, "--game").name}


def game_of(position: Position) -> Game:
    """The game of a position that came from options."""
    found = python_games.any_game_of(position)
    assert found is not None
    return found
