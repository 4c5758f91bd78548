"""A saved game as JSON: start position, moves, players, seed and a version."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcts_core.errors import shown
from mcts_core.playouts import POLICIES
from mcts_core.position import Position
from playout.arguments import one_of
from playout.cli import files
from playout.cli.errors import Fault
from playout.cli.players import Player, player_from
from playout.cli.positions import game_of
from playout.games import GAMES

KIND, VERSION = "playout game", 1
MOST_DIGITS = 1000


@dataclass
class Game:
    """A game, in progress or finished."""

    position: Position
    players: tuple[Player, Player]  # the first player's, the second's
    seed: int
    policy: str = "random"
    resigned: int | None = None  # the player who gave up

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, also by resignation."""
        return self.resigned is not None or self.position.is_over

    @property
    def outcome(self) -> str | None:
        """How it ended, in words."""
        sides = game_of(self.position).sides
        if self.resigned is not None:
            return f"{sides[self.resigned]} resigned, so {sides[1 - self.resigned]} has won"
        if not self.position.is_over:
            return None
        return {1.0: f"{sides[0]} has won", 0.5: "a draw", 0.0: f"{sides[1]} has won"}[
            self.position.result or 0.0
        ]

    def check(self) -> None:
        """Raise ValueError if these players cannot play this game."""
        one_of("policy", self.policy, POLICIES)
        for player in self.players:
            player.check(self.position, self.policy)

    def to_dict(self) -> dict[str, Any]:
        """As plain types, for JSON."""
        start = self.position.copy()
        while start.history:
            start.pop()
        game = game_of(self.position)
        return {
            "kind": KIND,
            "version": VERSION,
            "game": game.name,
            "start": start.fen,
            "moves": [str(move) for move in self.position.history],
            "players": {side: str(who) for side, who in zip(game.sides, self.players, strict=True)},
            "seed": self.seed,
            "policy": self.policy,
            "resigned": None if self.resigned is None else game.sides[self.resigned],
            "outcome": self.outcome,
        }


def game_from(found: Any) -> Game:
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
    players = [_named(f"player {side}", player_from, _part(names, side, str)) for side in sides]
    for side, player in zip(sides, players, strict=True):
        _named(f"player {side}", _check_level, player)
    seed = _part(found, "seed", int)
    if not 0 <= seed < 10**MOST_DIGITS:
        raise ValueError(
            f'"seed" is {shown(seed)}, and not 0 or more with up to {MOST_DIGITS} digits'
        )
    resigned = found.get("resigned")
    if resigned not in (None, *sides):
        raise ValueError(f'"resigned" is {shown(resigned)}, and not {sides[0]}, {sides[1]} or null')
    game = Game(
        position,
        (players[0], players[1]),
        seed,
        _part(found, "policy", str),
        None if resigned is None else sides.index(resigned),
    )
    game.check()
    return game


def _part(found: dict[str, Any], name: str, kind: type[Any]) -> Any:
    """A required part, of this type."""
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


def _check_level(player: Player) -> None:
    if player.method and player.method.plays_out and not (player.playouts or player.seconds):
        name = shown(player.method)
        raise ValueError(f"{name} has no level; write {name}@10000 or {name}@2s")


def read(path: Path) -> Game:
    """The game in a file."""
    try:
        return game_from(json.loads(files.read(path), parse_int=_whole))
    except FileNotFoundError:
        raise Fault(f"{path}: there is no such file; start a new game without --resume") from None
    except OSError as fault:
        raise Fault(f"{path} cannot be read: {fault.strerror}; give a saved game") from None
    except json.JSONDecodeError as fault:
        raise Fault(
            f"{path} is broken at line {fault.lineno}, column {fault.colno}: {fault.msg}"
        ) from None
    except (ValueError, RecursionError) as fault:
        raise Fault(f"{path} cannot be resumed: {fault}") from None


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits is too long")
    return int(digits)


def exists(path: Path) -> bool:
    """Whether the file exists. False for an impossible name, which `write` reports."""
    try:
        return path.is_file()
    except OSError:
        return False


def write(path: Path, game: Game) -> None:
    """Save a game. The old file stays until the new one is complete."""
    text = json.dumps(game.to_dict(), indent=2) + "\n"
    try:
        files.replace(path, text)
    except (OSError, ValueError) as fault:  # ValueError: no file can have that name
        reason = fault.strerror if isinstance(fault, OSError) else fault
        raise Fault(
            f"{path} cannot be written: {reason}; give a file in a folder that exists and is yours"
        ) from None
