"""The input of a user who plays: a move, or one of a few words."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module

from mcts_core.errors import IllegalMove, did_you_mean, shown
from mcts_core.position import Move, Position

WORDS = {
    "moves": "list the legal moves",
    "hint": "a good move here, and why",
    "undo": "take back your last move, and the answer to it",
    "save": "save FILE: write the game to a file, and keep it up to date",
    "board": "show the board again",
    "resign": "give the game up",
    "quit": "stop here",
    "help": "this list",
}
ALSO = {"?": "help", "exit": "quit", "q": "quit", "u": "undo"}


def edit_lines() -> None:
    """Let `input` edit its line and recall earlier ones: readline does so once it is imported."""
    with suppress(ImportError):
        import_module("readline")


@dataclass(frozen=True)
class Said:
    """A move, or a word and the text after it."""

    move: Move | None = None
    word: str = ""
    rest: str = ""


def understood(text: str, position: Position) -> Said:
    """The meaning of a text. Raises IllegalMove with a proposal if it is not clear.

    >>> from mcts_core.games.othello import Othello
    >>> understood("save game.json", Othello())
    Said(move=None, word='save', rest='game.json')
    >>> understood("hnit", Othello())
    Traceback (most recent call last):
    mcts_core.errors.IllegalMove: 'hnit' is neither a legal move nor a word that is known here; \
did you mean 'hint'?
    """
    word, _, rest = text.strip().partition(" ")
    word = ALSO.get(word.lower(), word.lower())
    if word in WORDS:
        return Said(word=word, rest=rest.strip())
    legal = list(position.legal_moves)
    try:
        return Said(move=position.find_move(text))
    except IllegalMove:
        hint = did_you_mean(position.normal_text(text), [*legal, *WORDS])
        if hint == ".":
            hint = ". Type moves to see the moves, help for the words."
        raise IllegalMove(
            f"{shown(text.strip())} is neither a legal move nor a word that is known here{hint}"
        ) from None
