"""Opening books: the values of positions that were searched, in one file.

The file has the form that `playout.learning.weights` describes, with these arrays of one row for
each position:

    keys     the squares of the board and the side to move, as `key_of` writes them
    values   the result that its side to move can expect, in millionths of a win
    visits   1 for its own search, and 1 more each time building passed through it

`playout.learning.book_growth` builds books.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Self, TypeGuard

import numpy as np

from mcts_core.errors import BadMethod, BadPosition, shown
from mcts_core.position import Move, Moves, Position
from playout.games import GAMES, Size, game_of, size_of, size_text
from playout.learning import weights
from playout.learning.shipped import packaged
from playout.learning.symmetries import key_of
from playout.method import Method

KIND = "book"
DEFAULT = "default"  # in place of a file: the book that comes with the package
WIN = 1_000_000  # the value of a win


class BookMove(NamedTuple):
    """A move that leads to a position of the book."""

    move: Move
    value: float
    """The result that its player can expect: 0 a loss to 1 a win."""
    visits: int
    """How often building passed through the position after the move."""


@dataclass(slots=True)
class Entry:
    """What a book knows of a position."""

    value: int
    visits: int = 1

    @property
    def is_expanded(self) -> bool:
        """Whether all its moves are in the book, so that its value is that of the best one."""
        return self.visits > 1


class Book:
    """An opening book: positions with their values. Positions that are symmetric are one.

    `build` makes one, `save` and `load` keep it in a file, and `default` is the one that comes with
    the package for a board (Othello 8x8 has one). A player with the word `book=FILE`, as in
    `uct@1000 book=four.book`, plays the best move of the book as long as the book has all moves of
    the position, and thinks after that. `book=default` is the package's book.

    >>> import playout as po
    >>> book = po.Book.build(po.ConnectFour(), "uct", positions=100, seed=1, playouts=200)
    >>> len(book) >= 100
    True
    >>> best = book.moves(po.ConnectFour())[0]
    >>> best.move, best.value > 0.5, best.visits > 1
    (Move('4'), True, True)
    """

    def __init__(self, start: Position) -> None:
        """An empty book of the games from a position."""
        if game_of(start) is None:
            raise BadPosition(f"books are of {', '.join(GAMES)}, not of {shown(start)}")
        self.start = start.copy(past=False)
        """Where its games begin."""
        self.entries: dict[bytes, Entry] = {}
        self.searches: dict[str, int] = {}
        """How many positions were searched by which method and limit."""

    @classmethod
    def build(
        cls, start: Position, method: str | Method, *, positions: int, **settings: Any
    ) -> Self:
        """A book of the games from a position: see `extend`."""
        book = cls(start)
        book.extend(method, positions=positions, **settings)
        return book

    def extend(
        self,
        method: str | Method,
        *,
        positions: int,
        seed: int = 1,
        progress: Callable[[int], object] | None = None,
        **settings: Any,
    ) -> None:
        """Search until the book has this many positions, or all of the game.

        Each step takes the most promising position that was searched but whose moves were not, and
        searches the positions after all its moves, so the last step may add some more. Promising
        are positions near the start, after good moves of both sides (drop-out expansion: Lincke
        2001). Then the values go back towards the start by minimax.

        - `method`: one whose value is an expected result: with playouts, or alpha-beta with an
          evaluation that predicts results;
        - `seed`: the same seed builds the same book, also in several calls, if the searches can be
          repeated;
        - `progress`: a function that is called with the number of positions after each step;
        - `settings`: the limit and other arguments of each `playout.search`, such as `playouts`.

        After an exception or Ctrl-C the book holds the steps that were complete.
        """
        from playout.learning.book_growth import grow

        grow(self, method, positions, seed, progress, settings)

    def moves(self, position: Position) -> list[BookMove]:
        """The moves that lead to positions of the book, the best first."""
        self.check(position)
        found = []
        for move, child in zip(position.legal_moves, position.children(), strict=True):
            entry = self.entries.get(key_of(child))
            if entry is not None:
                value = entry.value if child.turn == position.turn else WIN - entry.value
                found.append(BookMove(move, value / WIN, entry.visits))
        return sorted(found, key=lambda move: (-move.value, -move.visits))

    def best(self, position: Position) -> BookMove | None:
        """The best move of a position; None if the book does not have all its moves."""
        moves = self.moves(position)
        entry = self.entries.get(key_of(position))
        is_whole = (
            entry is not None and entry.is_expanded and len(moves) == len(position.legal_moves)
        )
        return moves[0] if is_whole else None

    def line(self, position: Position) -> Moves:
        """The best moves from a position to the end of the book."""
        after = position.copy()
        best = self.best(after)
        while best is not None:
            after.push(best.move)
            best = self.best(after)
        return Moves(after.history[len(position.history) :])

    def check(self, position: Position) -> None:
        """Refuse positions of other games and boards."""
        if not _is_like(position, self.start):
            raise BadPosition(
                f"{self!r} does not have {shown(position)}, which is of another board"
            )

    def __contains__(self, position: object) -> bool:
        return _is_like(position, self.start) and key_of(position) in self.entries

    def __len__(self) -> int:
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Book)
            and (self.start, self.searches) == (other.start, other.searches)
            and self.entries == other.entries
        )

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"<Book of {_board(self.start)}: {len(self)} positions>"

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the book to a file, which is replaced as a whole."""
        if not self.entries:
            raise BadPosition("an empty book is not saved: extend it first")
        entries = self.entries.values()
        keys = np.frombuffer(b"".join(self.entries), np.uint8).reshape(len(self), -1)
        game = game_of(self.start)
        assert game is not None
        facts = {"game": game.name, "start": self.start.fen, "searches": self.searches}
        arrays: weights.Arrays = {
            "keys": keys.astype(np.int16),
            "values": np.array([entry.value for entry in entries], np.int32),
            "visits": np.array([entry.visits for entry in entries], np.int32),
        }
        weights.write(path, KIND, facts, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The book in a file. Raises BadMethod if it is damaged, or none.

        >>> Book.load("none.book")
        Traceback (most recent call last):
        mcts_core.errors.BadMethod: cannot read positions from 'none.book': No such file or \
directory
        """
        facts, arrays = weights.read(path, KIND, "positions")
        try:
            return cls._from(facts, arrays)
        except ValueError as fault:
            raise BadMethod(f"{shown(str(path))} is no opening book: {fault}") from None

    @staticmethod
    def default(position: Position) -> Book:
        """The book that comes with the package for the board of a position.

        >>> import playout as po
        >>> Book.default(po.Othello()).best(po.Othello()) is not None
        True

        All callers get the same object. To extend it, save it and load that file.
        """
        game = game_of(position)
        found = None if game is None else _of_package(game.name, size_of(position))
        if found is None:
            raise BadMethod(
                f"no opening book for {shown(position)} comes with the package: build one, with "
                "po.Book.build or `playout book build`, and give its file"
            )
        return found

    @classmethod
    def _from(cls, facts: dict[str, Any], arrays: weights.Arrays) -> Self:
        name, start, searches = (facts.get(part) for part in ("game", "start", "searches"))
        if not isinstance(name, str) or name not in GAMES or not isinstance(start, str):
            raise ValueError("its game or its start is not known")
        book = cls(GAMES[name].position.from_fen(start))
        if not isinstance(searches, dict) or not all(type(n) is int for n in searches.values()):
            raise ValueError("it does not say how many positions were searched by which method")
        book.searches = searches
        book.entries = _entries(arrays, len(key_of(book.start)))
        if book.start not in book:
            raise ValueError("it does not have its start position")
        return book


def _entries(arrays: weights.Arrays, length: int) -> dict[bytes, Entry]:
    """The entries of a file, whose keys have this length."""
    if set(arrays) != {"keys", "values", "visits"}:
        raise ValueError("its arrays are not keys, values and visits")
    keys, values, visits = (arrays[name] for name in ("keys", "values", "visits"))
    n = len(keys)
    if keys.shape != (n, length) or values.shape != (n,) or visits.shape != (n,):
        raise ValueError("its arrays do not fit its board")
    if keys.min() < 0 or keys.max() > 127 or values.min() < 0 or values.max() > WIN:
        raise ValueError("it has a key or a value that none can have")
    if visits.min() < 1:
        raise ValueError("it has a position that was never searched")
    rows = zip(keys.astype(np.uint8), values.tolist(), visits.tolist(), strict=True)
    return {key.tobytes(): Entry(value, n) for key, value, n in rows}


def _is_like(position: object, start: Position) -> TypeGuard[Position]:
    """Whether a position is of the same game and board."""
    if not isinstance(position, Position) or type(position) is not type(start):
        return False
    return size_of(position) == size_of(start)


def _board(position: Position) -> str:
    game = game_of(position)
    assert game is not None
    return f"{game.name} {size_text(size_of(position))}"


def book_for(position: Position, path: str) -> Book:
    """The book in a file, which is read again only after it has changed; or the default one."""
    return Book.default(position) if path == DEFAULT else weights.latest(Book.load, path)


@cache
def _of_package(name: str, size: Size) -> Book | None:
    return packaged(Book.load, name, size, ".book")
