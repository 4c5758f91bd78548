"""Games in Python by name, for commands, matches and records: `module:Class`.

Only a command imports a module that it was given. A file with games names its class, too, and is
read only if that class has been used in this process before, because an import runs code.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from importlib import import_module
from typing import Any

from mcts_core.errors import BadPosition, shown
from mcts_core.games.python_game import PythonPosition
from mcts_core.position import Position
from playout.games import WOOD, Game, game_named, game_of, play_moves

NAME = re.compile(r"(?P<module>[^\W\d][\w.]*):(?P<name>[^\W\d][\w.]*)")
NEVER = re.compile(r"(?!)")
START = "start"  # the line of a position that the class makes without arguments
NO_SIZE = (0, 0)
KNOWN: dict[str, Game] = {}  # the classes that this process has used


def named(text: str, what: str = "game") -> Game:
    """The game of the package with this name, or the class `module:Class`, which is imported.

    >>> named("othello").title
    'Othello'
    >>> named("playout.missing:Nim", "--game")
    Traceback (most recent call last):
    ValueError: --game: 'playout.missing:Nim': No module named 'playout.missing'
    """
    found = NAME.fullmatch(text.strip())
    if found is None:
        return game_named(text, what)
    if os.getcwd() not in sys.path:  # as `python -m` does
        sys.path.insert(0, os.getcwd())
    try:
        kind: Any = import_module(found["module"])
        for part in found["name"].split("."):
            kind = getattr(kind, part)
    except (ImportError, AttributeError) as fault:
        raise ValueError(f"{what}: {shown(text)}: {fault}") from None
    if not isinstance(kind, type):
        raise ValueError(f"{what}: {shown(text)} is no class of positions")
    return known(kind)


def known(kind: type) -> Game:
    """The entry of a class, which is known from now on."""
    game = _entry(kind)
    return KNOWN.setdefault(game.name, game)


def any_game_of(position: Position) -> Game | None:
    """The game of a position: of the package, or a class in Python."""
    if isinstance(position, PythonPosition):
        return known(type(position.object))
    return game_of(position)


def game_again(name: str, what: str = "game") -> Game:
    """The game that a file names. A class must be known to this process."""
    if NAME.fullmatch(name) is None:
        return game_named(name, what)
    if name not in KNOWN:
        raise ValueError(
            f"{what}: {shown(name)} is a class that was not imported: a command does that by "
            f"--game {name}, Python by playout.Record of a position"
        )
    return KNOWN[name]


@cache
def _entry(kind: type) -> Game:
    def start(*size: int) -> Position:
        if size and size != NO_SIZE:
            raise BadPosition(f"{kind.__name__} has no --size: its class says how it begins")
        try:
            return PythonPosition(kind())
        except TypeError as fault:
            raise BadPosition(
                f"{kind.__name__}() does not make a first position: {fault}"
            ) from None

    def read(line: str) -> Position:
        if line == START:
            return start()
        if not callable(getattr(kind, "from_fen", None)):
            raise BadPosition(
                f"{shown(line)}: {kind.__name__} reads no lines: it has no from_fen()"
            )
        return PythonPosition(kind.from_fen(line))  # type: ignore[attr-defined]

    def write(position: Position) -> str:
        if callable(getattr(kind, "from_fen", None)):
            line = getattr(position.object, "fen", None)  # type: ignore[attr-defined]
            return str(line() if callable(line) else line)
        if position == start():
            return START
        raise BadPosition(
            f"this game began where {kind.__name__}() does not, so it needs text: give the class "
            "`fen`, a line, and `from_fen(line)`"
        )

    return Game(
        name=f"{kind.__module__}:{kind.__qualname__}",
        position=PythonPosition,
        title=kind.__name__,
        sizes="",
        default=NO_SIZE,
        start=start,
        example=START,
        line=NEVER,
        read=read,
        write=write,
        example_moves="",
        play=play_moves,
        sides=("white", "black"),
        backgrounds=WOOD,
        benchmarks=(),
        perft=(NO_SIZE, []),
    )
