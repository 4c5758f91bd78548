"""A game as plain data: where it began, its moves, who played, the seed. JSON, with a version."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from mcts_core.errors import BadPosition, shown
from mcts_core.playouts import POLICIES
from mcts_core.position import Position
from playout.arguments import one_of
from playout.games import GAMES, Game, game_of, root_of

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
    policy: str = "random"  # of both players' playouts
    resigned: int | None = None  # the player who gave up

    @property
    def game(self) -> Game:
        """The game of the package that this is one of."""
        found = game_of(self.position)
        if found is None:
            raise BadPosition(f"records are of {', '.join(GAMES)}, not of {shown(self.position)}")
        return found

    @property
    def is_over(self) -> bool:
        """Whether no move is to be played any more."""
        return self.resigned is not None or self.position.is_over

    @property
    def outcome(self) -> str | None:
        """How it ended, in words."""
        sides = self.game.sides
        if self.resigned is not None:
            return f"{sides[self.resigned]} resigned, so {sides[1 - self.resigned]} has won"
        if not self.position.is_over:
            return None
        return {1.0: f"{sides[0]} has won", 0.5: "a draw", 0.0: f"{sides[1]} has won"}[
            self.position.result or 0.0
        ]

    def to_dict(self) -> dict[str, Any]:
        """As plain types, for JSON."""
        sides = self.game.sides
        return {
            "kind": KIND,
            "version": VERSION,
            "game": self.game.name,
            "start": root_of(self.position).fen,
            "moves": [str(move) for move in self.position.history],
            "players": dict(zip(sides, self.players, strict=True)),
            "seed": self.seed,
            "policy": self.policy,
            "resigned": None if self.resigned is None else sides[self.resigned],
            "outcome": self.outcome,
        }

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
        name = _part(found, "game", str)
        if name not in GAMES:
            raise ValueError(f'"game" is {shown(name)}, and not one of {", ".join(GAMES)}')
        position = _named("start", GAMES[name].position.from_fen, _part(found, "start", str))
        for number, move in enumerate(_part(found, "moves", list), start=1):
            _named(f"move {number}", position.push, move)
        sides = GAMES[name].sides
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
        policy = one_of("policy", _part(found, "policy", str), POLICIES)
        return cls(
            position,
            (players[0], players[1]),
            seed,
            policy,
            None if resigned is None else sides.index(resigned),
        )


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
