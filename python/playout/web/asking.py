"""What a request asks for, checked part by part: nothing is a path, and all work has a bound."""

from __future__ import annotations

import json
import re
from typing import Any

from mcts_core.errors import BadMethod, BadPosition, shown
from mcts_core.position import Position
from playout.arena.levels import levels
from playout.arena.limit import Limit
from playout.arena.players import Searching, player_from
from playout.arguments import number, whole_number
from playout.exchange import of_position
from playout.games import Game, game_named
from playout.record import Record

MOST_MOVES = 500  # of a game
LONGEST_LINE = 20_000  # characters of a position or a game
LONGEST_MOVE = 20
MOST_PLAYOUTS = 5_000_000
MOST_NODES = 50_000_000
MOST_SECONDS = 60.0
MOST_SEED = 2**53 - 1  # what JavaScript counts to
MEMORY = 2**28  # bytes of a search
# A method with settings. No slash and no point without a digit after it: no name of a file.
PLAYER = re.compile(r"(?:[A-Za-z0-9_ (),=@'\"+-]|\.(?=[0-9])){1,200}")


class Asked:
    """A JSON object from the page.

    >>> Asked({"playouts": 10**9}).whole("playouts", 1, MOST_PLAYOUTS, 1000)
    Traceback (most recent call last):
    ValueError: playouts must be a whole number from 1 to 5000000, not 1000000000
    """

    def __init__(self, found: object) -> None:
        if not isinstance(found, dict):
            raise ValueError("a request is a JSON object")
        self._found: dict[str, Any] = found

    @classmethod
    def of_text(cls, text: str | bytes) -> Asked:
        """From JSON text."""
        try:
            return cls(json.loads(text))
        except (ValueError, RecursionError) as fault:
            raise ValueError(f"a request is a JSON object: {shown(str(fault))}") from None

    def text(self, name: str, most: int = 200, default: str = "") -> str:
        """A text that is not too long."""
        value = self._found.get(name, default)
        if not isinstance(value, str) or len(value) > most:
            raise ValueError(f"{name} must be a text of at most {most:,} characters")
        return value

    def texts(self, name: str, most: int, each: int) -> list[str]:
        """A list of such texts."""
        values = self._found.get(name, [])
        if not isinstance(values, list) or len(values) > most:
            raise ValueError(f"{name} must be a list of at most {most:,} texts")
        if not all(isinstance(value, str) and len(value) <= each for value in values):
            raise ValueError(f"{name} must be texts of at most {each} characters")
        return values

    def whole(self, name: str, least: int, most: int, default: int) -> int:
        """A whole number in a range."""
        return whole_number(name, self._found.get(name, default), least, most)

    def has(self, name: str) -> bool:
        """Whether the request has this part."""
        return self._found.get(name) is not None

    # Parts that several requests have

    @property
    def game(self) -> Game:
        """The game by name."""
        return game_named(self.text("game"))

    @property
    def position(self) -> Position:
        """The start, of a `size` or by its line, with the moves after it."""
        game, start = self.game, self.text("start", LONGEST_LINE)
        moves = self.texts("moves", MOST_MOVES, LONGEST_MOVE)
        position = game.read(start) if start else game.start(*self.size(game))
        for place, move in enumerate(moves, start=1):
            try:
                position.push(move)
            except ValueError as fault:
                raise BadPosition(f"move {place}: {fault}") from None
        return position

    def size(self, game: Game) -> tuple[int, int]:
        """The rows and columns of the board."""
        rows, columns = game.default
        if not self.has("rows"):
            return rows, columns
        return self.whole("rows", 1, 99, rows), self.whole("columns", 1, 99, columns)

    @property
    def record(self) -> Record:
        """The game as a record, with the names of the players."""
        record = of_position(self.position)
        names = self.texts("players", 2, 200)
        if len(names) == 2:
            record.players = names[0], names[1]
        record.seed = self.seed
        return record

    @property
    def seed(self) -> int:
        """The seed, 0 by default."""
        return self.whole("seed", 0, MOST_SEED, 0)

    def player(self, position: Position, name: str = "method") -> Searching:
        """A level by name, or a method with settings and a limit; the limits are cut to ours."""
        text = self.text(name, default="best")
        named = {level.name: level for level in levels(position)}
        found = named.get(text) or _read(name, text)
        limit = self._limit(found)
        checked = Searching(found.method, limit, found.policy, found.solver, memory=MEMORY)
        checked.check(position)
        return checked

    def _limit(self, player: Searching) -> Limit:
        """The limit of the player's text, or of the request, within our bounds."""
        own = player.limit
        seconds = own.seconds or number("seconds", self._found.get("seconds") or MOST_SECONDS)
        seconds = min(max(seconds, 0.01), MOST_SECONDS)
        if not player.method.plays_out:
            nodes = own.nodes or self.whole("nodes", 1, MOST_NODES, MOST_NODES)
            return Limit(nodes=min(nodes, MOST_NODES), seconds=seconds)
        playouts = own.playouts
        if playouts is None and self.has("playouts"):
            playouts = self.whole("playouts", 1, MOST_PLAYOUTS, MOST_PLAYOUTS)
        if playouts is None:  # the seconds are enough, and let `best` choose by them
            return Limit(seconds=seconds)
        return Limit(playouts=min(playouts, MOST_PLAYOUTS), seconds=seconds)


def _read(name: str, text: str) -> Searching:
    """The player that a text names; refuses files, threads, memory and what is kept."""
    if not PLAYER.fullmatch(text):
        raise BadMethod(
            f"{name}: {shown(text)} is no method with settings, such as RAVE(bias=0.01)"
        )
    found = player_from(text)
    if found.is_you:
        raise BadMethod(f"{name} must be a method or a level, not {shown(text)}")
    if found.busy_threads > 1 or found.memory is not None or found.keep:
        raise BadMethod(f"{name}: threads, memory and keep cannot be set from the page")
    return found
