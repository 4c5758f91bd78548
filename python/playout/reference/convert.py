"""From the compiled engine's positions to the twin's."""

from typing import Protocol, TypeAlias, TypeVar, overload

from .breakthrough import Breakthrough
from .game import BoardPosition, Position
from .othello import Othello
from .plain_game import PlainGame, PlainPosition

GAMES: dict[str, type[BoardPosition]] = {"Breakthrough": Breakthrough, "Othello": Othello}

AnyTwin = TypeVar("AnyTwin", bound=Position)


class CompiledPosition(Protocol):
    """A position of the engine: all that is asked of it is its line of text."""

    @property
    def fen(self) -> str:
        """The position in one line."""


AnyPosition: TypeAlias = Position | PlainGame | CompiledPosition


@overload
def position(p: AnyTwin) -> AnyTwin: ...
@overload
def position(p: PlainGame) -> PlainPosition: ...
@overload
def position(p: CompiledPosition) -> BoardPosition: ...
def position(p: AnyPosition) -> Position:
    """The twin of a compiled position, or of one of a game in plain Python.

    A position of this package, or one of your own with `Position` as its base, is returned as it
    is.

    >>> position(Breakthrough(5))
    Breakthrough.from_fen('bbbbb/bbbbb/...../wwwww/wwwww w')
    >>> position("a2a3")
    Traceback (most recent call last):
    ValueError: expected a position of Breakthrough or Othello, or one of your own, not 'a2a3'
    """
    if isinstance(p, Position):
        return p
    if isinstance(p, PlainGame):
        return PlainPosition(p)
    game = GAMES.get(type(p).__name__)
    if game is None:
        known = " or ".join(GAMES)
        raise ValueError(f"expected a position of {known}, or one of your own, not {p!r}")
    return game.from_fen(p.fen)
