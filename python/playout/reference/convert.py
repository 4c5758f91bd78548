"""The twin of a compiled position."""

import sys
from typing import Protocol, TypeAlias, TypeGuard, TypeVar, cast, overload

from .game import BoardPosition, Position
from .plain_game import PlainGame, PlainPosition

AnyTwin = TypeVar("AnyTwin", bound=Position)


class CompiledPosition(Protocol):
    """A position of the engine. Only its line of text is used."""

    @property
    def fen(self) -> str:
        """The position as a line of text."""


AnyPosition: TypeAlias = Position | PlainGame | CompiledPosition


def is_twin(p: object) -> TypeGuard[Position]:
    """Whether its class derives from `Position`. (`isinstance` would evaluate every property.)"""
    return Position in type(p).__mro__


@overload
def position(p: AnyTwin) -> AnyTwin: ...
@overload
def position(p: PlainGame) -> PlainPosition: ...
@overload
def position(p: CompiledPosition) -> BoardPosition: ...
def position(p: AnyPosition) -> Position:
    """The twin of a compiled position, or of one of a game in plain Python.

    A position of this package, or of your own class derived from `Position`, is returned as it is.
    The twin of a game is the class with the same name in this package.

    >>> from playout.reference import Breakthrough
    >>> position(Breakthrough(5))
    Breakthrough.from_fen('bbbbb/bbbbb/...../wwwww/wwwww w')
    >>> position("a2a3")
    Traceback (most recent call last):
    ValueError: expected a position of a game that has a twin, or one of your own, not 'a2a3'
    """
    if is_twin(p):
        return p
    if isinstance(p, PlainGame):
        return PlainPosition(p)
    twin = getattr(sys.modules[__package__], type(p).__name__, None)
    if not (isinstance(twin, type) and issubclass(twin, BoardPosition)):
        raise ValueError(
            f"expected a position of a game that has a twin, or one of your own, not {p!r}"
        )
    return twin.from_fen(cast(CompiledPosition, p).fen)
