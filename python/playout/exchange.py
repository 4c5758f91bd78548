"""Games in and out: text in any form that the package knows, recognised by how it begins."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from mcts_core.errors import BadPosition, shown
from mcts_core.position import Position
from playout.games import GAMES, UNKNOWN, Game
from playout.record import Record

SGF = re.compile(r"\(;\s*+(?:FF|CA|AP|GAME)\[")  # how an SGF game begins, and no GGF game


def read_game(text: str, game: Game | None = None) -> Record:
    """The game that a text tells: JSON of a `Record`, PGN, SGF, GGF, a line, or moves.

    Moves alone are of `game`, from its start on the default board.

    >>> read_game('[Game "breakthrough"] [FEN "bbb/.../www w"] 1. a1a2 *').position.history
    <1 moves: a1a2>
    >>> read_game("-----OX--XO----- X").game.name
    'othello'
    >>> read_game("(;GM[Othello]PB[Ann]PW[Bob]TY[8]B[F5];)").players
    ('Ann', 'Bob')
    >>> read_game("f5d6c3", GAMES["othello"]).position.history
    <3 moves: f5 d6 c3>
    """
    if not isinstance(text, str):
        raise BadPosition(f"a game is read from text, not from {shown(text)}")
    text = text.strip()
    if text.startswith("{"):
        return Record.from_dict(_json(text))
    if text.startswith("["):
        return Record.from_pgn(text)
    if SGF.match(text):
        return Record.from_sgf(text)
    found = next((each for each in GAMES.values() if each.line.match(text)), None)
    if found is not None:
        return of_position(found.read(text), found.names(text))
    if game is None or not text:
        raise BadPosition(
            f"{shown(text)} is no game: give the JSON or the text of a record, a GGF game, or a "
            "position in one line"
        )
    return of_position(game.play(game.start(*game.default), text))


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise BadPosition(f"the game looks like JSON and is not: {shown(str(fault))}") from None


def of_position(position: Position, players: tuple[str, str] = (UNKNOWN, UNKNOWN)) -> Record:
    """The record of a game, by unknown players unless they are given."""
    return Record(position, players, seed=0)


def written(record: Record) -> dict[str, str]:
    """The game in every form that can hold it, by the name of the form.

    >>> list(written(read_game("f5d6c3", GAMES["othello"])))
    ['PGN', 'JSON', 'SGF', 'line', 'GGF', 'OBF', 'moves']
    """
    position = record.position
    forms: dict[str, Callable[[Position], str]] = {
        "PGN": lambda _: record.to_pgn(),
        "JSON": lambda _: record.to_json(indent=2),
        "SGF": lambda _: record.to_sgf(),
        "line": lambda position: position.fen,
        "moves": lambda position: " ".join(position.history),
        **record.game.formats,
    }
    texts = {}
    for name, write in sorted(forms.items(), key=lambda form: form[0] == "moves"):
        try:
            texts[name] = write(position)
        except ValueError:  # such as a move list of a game that began elsewhere
            continue
    return texts
