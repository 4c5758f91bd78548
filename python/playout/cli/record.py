"""The record of a game in a file, and who plays on in it."""

from __future__ import annotations

import json
from pathlib import Path

from mcts_core.errors import shown
from playout.arena.players import Searching, You, player_from
from playout.cli import files
from playout.cli.errors import Fault
from playout.record import MOST_DIGITS, Record


def players_of(record: Record) -> tuple[Searching | You, Searching | You]:
    """The players that a record names; a ValueError if they cannot play this game."""
    sides = record.game.sides
    first, second = (
        _player(side, text, record) for side, text in zip(sides, record.players, strict=True)
    )
    return first, second


def _player(side: str, text: str, record: Record) -> Searching | You:
    try:
        player = player_from(text, policy=record.policy)
        if not player.is_you and player.method.plays_out and not player.limit.is_given:
            name = shown(player.method)
            raise ValueError(f"{name} has no level; write {name}@10000 or {name}@2s")
    except ValueError as fault:
        raise ValueError(f"player {side}: {fault}") from None
    player.check(record.position)
    return player


def read(path: Path) -> Record:
    """The game in a file, whose players can play on."""
    try:
        record = Record.from_dict(json.loads(files.read(path), parse_int=_whole))
        players_of(record)
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
    return record


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


def write(path: Path, game: Record) -> None:
    """Save a game. The old file stays until the new one is complete."""
    text = json.dumps(game.to_dict(), indent=2) + "\n"
    try:
        files.replace(path, text)
    except (OSError, ValueError) as fault:  # ValueError: no file can have that name
        reason = fault.strerror if isinstance(fault, OSError) else fault
        raise Fault(
            f"{path} cannot be written: {reason}; give a file in a folder that exists and is yours"
        ) from None
