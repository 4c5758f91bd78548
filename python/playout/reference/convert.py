"""From the compiled engine's positions to the twin's."""

from typing import Protocol

from .breakthrough import Breakthrough
from .game import Position
from .othello import Othello

GAMES: dict[str, type[Position]] = {"Breakthrough": Breakthrough, "Othello": Othello}


class AnyPosition(Protocol):
    """A position, compiled or not: all that is asked of it is its line of text."""

    @property
    def fen(self) -> str:
        """The position in one line."""


def position(p: AnyPosition) -> Position:
    """The twin of a compiled position. A position of this package is returned as it is.

    >>> position(Breakthrough(5))
    Breakthrough.from_fen('bbbbb/bbbbb/...../wwwww/wwwww w')
    >>> position("a2a3")
    Traceback (most recent call last):
    ValueError: expected a position of Breakthrough or Othello, not 'a2a3'
    """
    if isinstance(p, Position):
        return p
    game = GAMES.get(type(p).__name__)
    if game is None:
        raise ValueError(f"expected a position of {' or '.join(GAMES)}, not {p!r}")
    return game.from_fen(p.fen)
