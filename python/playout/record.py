"""A game as plain data: where it began, its moves, who played, the seed. JSON, with a version.

`playout.pgn` and `playout.sgf` write the same as text for people and other programs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from mcts_core.errors import BadPosition, shown
from mcts_core.position import Position
from playout.arguments import one_of
from playout.games import GAMES, Game, root_of
from playout.names import SearchPolicy
from playout.python_games import any_game_of, game_again
from playout.task import SEARCH_POLICIES

KIND, VERSION = "playout game", 1
MOST_DIGITS = 1000


@dataclass
class Record:
    """A game in progress, or ended.

    >>> import playout as po
    >>> game = po.Breakthrough(5)
    >>> move = game.push("a2a3")
    >>> record = Record(game, ("uct@1000", "you"), seed=1)
    >>> record.to_dict()["moves"], Record.from_dict(record.to_dict()) == record
    (['a2a3'], True)
    """

    position: Position
    players: tuple[str, str]  # the first player and the second
    seed: int
    policy: SearchPolicy = "random"  # of both players' playouts
    resigned: int | None = None  # the player who gave up
    verdict: tuple[float, str] | None = None
    """How a match ended the game before its rules did: the first player's result, and the reason,
    such as "clock"."""
    seconds: tuple[float | None, ...] = ()
    """Of each move, None where they are not known; may end before the last move."""
    expected: tuple[float | None, ...] = ()
    """The first player's result, as the mover of each move expected it, in the same form."""
    tags: dict[str, str] = field(default_factory=dict)
    """What else its text says, such as an Event or a Date."""

    @property
    def game(self) -> Game:
        """The game of the package that this is one of."""
        found = any_game_of(self.position)
        if found is None:
            known = f"{', '.join(GAMES)} or games in Python"
            raise BadPosition(f"records are of {known}, not of {shown(self.position)}")
        return found

    @property
    def is_over(self) -> bool:
        """Whether no move is to be played any more."""
        return self.result is not None

    @property
    def result(self) -> float | None:
        """The first player's result, 1, 0.5 or 0; None if the game goes on."""
        if self.verdict is not None:
            return self.verdict[0]
        if self.resigned is not None:
            return float(self.resigned)
        return self.position.result

    @property
    def outcome(self) -> str | None:
        """How it ended, in words."""
        sides = self.game.sides
        if self.resigned is not None:
            return f"{sides[self.resigned]} resigned, so {sides[1 - self.resigned]} has won"
        if self.result is None:
            return None
        words = {1.0: f"{sides[0]} has won", 0.5: "a draw", 0.0: f"{sides[1]} has won"}[self.result]
        return words if self.verdict is None else f"{words} ({self.verdict[1]})"

    def to_dict(self) -> dict[str, Any]:
        """As plain types, for JSON."""
        sides = self.game.sides
        return {
            "kind": KIND,
            "version": VERSION,
            "game": self.game.name,
            "start": self.game.write(root_of(self.position)),
            "moves": [str(move) for move in self.position.history],
            "players": dict(zip(sides, self.players, strict=True)),
            "seed": self.seed,
            "policy": self.policy,
            "resigned": None if self.resigned is None else sides[self.resigned],
            "verdict": self.verdict and {"result": self.verdict[0], "reason": self.verdict[1]},
            "outcome": self.outcome,
            "seconds": list(self.seconds),
            "expected": list(self.expected),
            "tags": self.tags,
        }

    def to_pgn(self) -> str:
        """As text with tags and numbered moves, like chess's PGN: see `playout.pgn`."""
        from playout import pgn

        return pgn.write(self)

    @staticmethod
    def from_pgn(text: str) -> Record:
        """The game that `to_pgn` wrote; a ValueError says what is wrong, and where.

        >>> import playout as po
        >>> record = Record(po.Breakthrough(5), ("uct@1000", "you"), seed=1)
        >>> Record.from_pgn(record.to_pgn()) == record
        True
        """
        from playout import pgn

        return pgn.read(text)

    @staticmethod
    def all_from_pgn(text: str) -> list[Record]:
        """The games of a file with many, such as `playout match --export games.pgn` writes."""
        from playout import pgn

        return pgn.read_all(text)

    def to_sgf(self) -> str:
        """As SGF: see `playout.sgf`."""
        from playout import sgf

        return sgf.write(self)

    @staticmethod
    def from_sgf(text: str) -> Record:
        """The game that `to_sgf` wrote; a ValueError says what is wrong.

        >>> import playout as po
        >>> record = Record(po.Breakthrough(5), ("uct@1000", "you"), seed=1)
        >>> Record.from_sgf(record.to_sgf()) == record
        True
        """
        from playout import sgf

        return sgf.read(text)

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict()` as JSON text."""
        return json.dumps(self.to_dict(), indent=indent)

    @classmethod
    def from_dict(cls, found: Any) -> Self:
        """The game that `to_dict` described; a ValueError says what is wrong with it."""
        if not isinstance(found, dict) or found.get("kind") != KIND:
            raise ValueError(f'it is no record of a game: "kind" is not "{KIND}"')
        version = found.get("version")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            raise ValueError(f'"version" is {shown(version)}, and not a number such as {VERSION}')
        if version > VERSION:
            raise ValueError(
                f"it is of version {shown(version)}, and this playout reads up to {VERSION}: "
                "install a newer one"
            )
        game = game_again(_part(found, "game", str), '"game"')
        position = _named("start", game.read, _part(found, "start", str))
        for number, move in enumerate(_part(found, "moves", list), start=1):
            _named(f"move {number}", position.push, move)
        sides = game.sides
        names = _part(found, "players", dict)
        players = [_part(names, side, str) for side in sides]
        seed = _part(found, "seed", int)
        if not 0 <= seed < 10**MOST_DIGITS:
            raise ValueError(
                f'"seed" is {shown(seed)}, and not 0 or more with up to {MOST_DIGITS} digits'
            )
        resigned = found.get("resigned")
        if resigned not in (None, *sides):
            raise ValueError(
                f'"resigned" is {shown(resigned)}, and not {sides[0]}, {sides[1]} or null'
            )
        policy = one_of("policy", _part(found, "policy", str), SEARCH_POLICIES)
        plies = len(position.history)
        return cls(
            position,
            (players[0], players[1]),
            seed,
            policy,
            None if resigned is None else sides.index(resigned),
            _verdict(found.get("verdict")),
            _of_moves(found, "seconds", plies, math.inf),
            _of_moves(found, "expected", plies, 1.0),
            _further_tags(found.get("tags", {})),
        )


def _verdict(found: Any) -> tuple[float, str] | None:
    """A verdict from what `to_dict` wrote; older files have none."""
    if found is None:
        return None
    if not isinstance(found, dict):
        raise ValueError(f'"verdict" must be an object or null, not {shown(found)}')
    result = found.get("result")
    if isinstance(result, bool) or result not in (0, 0.5, 1):
        raise ValueError(f'"result" of the verdict must be 1, 0.5 or 0, not {shown(result)}')
    return float(result), _part(found, "reason", str)


def _of_moves(
    found: dict[str, Any], name: str, plies: int, most: float
) -> tuple[float | None, ...]:
    """A number or null for each move; older files have none."""
    values = found.get(name, [])
    if not isinstance(values, list) or len(values) > plies:
        raise ValueError(f'"{name}" must be a list of at most a number for each of {plies} moves')
    for value in values:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and not (is_number and 0 <= value <= most and value < 10**300):
            raise ValueError(f'"{name}" has {shown(value)}, and not a number that it can be')
    return tuple(None if value is None else float(value) for value in values)


def _further_tags(found: Any) -> dict[str, str]:
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise ValueError('"tags" must be an object of texts')
    return {str(name): text for name, text in found.items()}


def _part(found: dict[str, Any], name: str, kind: type[Any]) -> Any:
    """A part that must be there, of that type."""
    if name not in found:
        raise ValueError(f'"{name}" is missing')
    if not isinstance(found[name], kind) or isinstance(found[name], bool):
        words = {str: "a text", list: "a list", dict: "an object", int: "a whole number"}
        raise ValueError(f'"{name}" must be {words[kind]}, not {shown(found[name])}')
    return found[name]


def _named(what: str, check: Callable[[Any], Any], value: Any) -> Any:
    try:
        return check(value)
    except ValueError as fault:
        raise ValueError(f"{what}: {fault}") from None
