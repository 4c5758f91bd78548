"""The twin of a game that a user wrote in Python for `playout.search`.

An object of such a class is a position that `play` changes. Here it becomes a `Position`, which
never changes, by playing on copies.
"""

from collections.abc import Hashable, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from .game import Move, Position


@runtime_checkable
class PlainGame(Protocol):
    """What such a class must have. It may also have `turn`, `code(move)` and `copy()`."""

    def legal_moves(self) -> Sequence[Any]:
        """The legal moves: objects whose `str` differ; none when the game is over."""

    def play(self, move: Any) -> object:
        """Make a move."""

    def is_over(self) -> bool:
        """Has the game ended?"""

    def result(self) -> float:
        """The result of a finished game, from 0 to 1, as the first player sees it."""

    def key(self) -> Hashable:
        """A hashable value that identifies the position and the side to move."""


class PlainPosition(Position):
    """A position of such a game.

    >>> class Heap:  # take one, two or three; who takes the last wins
    ...     def __init__(self, size, turn=0):
    ...         self.size, self.turn = size, turn
    ...     def legal_moves(self):
    ...         return [n for n in (1, 2, 3) if n <= self.size]
    ...     def play(self, n):
    ...         self.size, self.turn = self.size - n, 1 - self.turn
    ...     def is_over(self):
    ...         return self.size == 0
    ...     def result(self):
    ...         return float(self.turn)
    ...     def key(self):
    ...         return self.size, self.turn
    >>> from playout.reference import search
    >>> result = search(Heap(10), "uct", playouts=1000, seed=1, solver=True)
    >>> result.move, result.value, result.reason
    ('2', 1.0, 'proven')
    """

    def __init__(self, game: PlainGame, codes: dict[tuple[int, str], int] | None = None) -> None:
        self.game = game
        self.turn = getattr(game, "turn", 0)  # a game for one player has none
        self.codes = {} if codes is None else codes

    @cached_property
    def moves_by_text(self) -> dict[str, Any]:
        """The user's legal moves by their text."""
        return {str(move): move for move in self.game.legal_moves()}

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves, in the order of the game."""
        return () if self.game.is_over() else tuple(Move(text) for text in self.moves_by_text)

    @cached_property
    def result(self) -> float | None:
        """The result for the first player; None while the game goes on."""
        return float(self.game.result()) if self.game.is_over() else None

    def after(self, move: Move) -> "PlainPosition":
        """The position after a legal move."""
        copy = getattr(self.game, "copy", None)
        game = copy() if copy else deepcopy(self.game)
        game.play(self.moves_by_text[move.text])
        return PlainPosition(game, self.codes)

    def code(self, move: Move) -> int:
        """The game's own code; without one, a number for each player and text of a move."""
        code = getattr(self.game, "code", None)
        if code:
            return int(code(self.moves_by_text[move.text]))
        return self.codes.setdefault((self.turn, move.text), len(self.codes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlainPosition):
            return NotImplemented
        return self.game.key() == other.game.key()

    def __hash__(self) -> int:
        return hash(self.game.key())

    def __repr__(self) -> str:
        return f"PlainPosition({self.game!r})"
