"""A file of Python as a player. It runs in a process of its own, so that it can be killed.

We send each position as a line of JSON: where its game began, and its moves. `bot_process` answers
by a line: `ready`, `move` or `error`, a space, and a text as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from mcts_core.errors import BadMethod
from mcts_core.position import Position
from playout.arena.players import Choice
from playout.engines.client import Client, refuse_limits
from playout.games import game_of, root_of

if TYPE_CHECKING:
    from playout.engines.engine import Engine

FUNCTION = "choose"
ANSWERS = ("ready ", "move ", "error ")


class BotError(RuntimeError):
    """An exception that a bot raised; the message has its type and its text."""


class Bot(Client):
    """A function of a file: `command` is the file, `arguments` the name if it is not `choose`."""

    is_repeatable: ClassVar[bool] = True  # as far as can be known

    @classmethod
    def words(cls, engine: Engine) -> tuple[str, ...]:
        """Python, with the file as an argument."""
        name = engine.arguments or (FUNCTION,)
        return (sys.executable, "-P", "-m", "playout.engines.bot_process", engine.command, *name)

    @classmethod
    def check(cls, engine: Engine, position: Position) -> None:
        """Raise BadMethod if there is no such file. It is not run."""
        if not Path(engine.command).is_file():
            raise BadMethod(f"{engine.command} cannot be read: there is no such file")
        if len(engine.arguments) > 1:
            raise BadMethod(f"{engine.name}: after the file comes the name of one function")
        refuse_limits(engine, ("depth",), "a function is given the position alone")
        if engine.settings:
            raise BadMethod(f"{engine.name} has options, and a function has none: leave them out")

    def shake(self) -> None:
        """Wait until the file has been run."""
        word, text = self._answer(self.engine.patience)
        if word == "error":
            raise BadMethod(text)

    def ask(self, position: Position, left: float | None) -> Choice:
        """Call the function."""
        self.child.skip()
        self.child.send(told(position))
        word, text = self._answer(self.allowed(left))
        if word == "error":
            raise BotError(text)
        return Choice(text)

    def _answer(self, seconds: float) -> tuple[str, str]:
        line = self.child.until(lambda line: line.startswith(ANSWERS), seconds)[-1]
        word, _, text = line.partition(" ")
        return word, str(json.loads(text))


def told(position: Position) -> str:
    """A position as a line.

    >>> from playout import Breakthrough
    >>> told(Breakthrough(4))
    '{"game": "breakthrough", "start": "bbbb/bbbb/wwww/wwww w", "moves": []}'
    """
    game = game_of(position)
    assert game is not None
    moves = [str(move) for move in position.history]
    return json.dumps({"game": game.name, "start": root_of(position).fen, "moves": moves})
