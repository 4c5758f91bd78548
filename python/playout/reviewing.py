"""Reviews: what each move of a game was worth, and where it was lost."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from mcts_core.errors import BadMethod, BadPosition, shown
from mcts_core.position import Move, Moves, Position
from playout.arguments import AnySeed, number, whole_number
from playout.explaining import tactics
from playout.games import numbered, root_of
from playout.method import Method
from playout.methods import method_of
from playout.record import Record
from playout.render import review as render
from playout.searching import search
from playout.solving import MOST_NODES, values_of_moves
from playout.task import MOST_PLAYOUTS

if TYPE_CHECKING:
    from playout.learning.book import Book

Progress = Callable[[int, int], object]  # called with the positions done, and how many there are

PLAYOUTS, NODES = 10_000, 200_000  # for each position, by default
# Words for what a move gives away, in expected results, from the worst.
WORDS = ((0.3, "blunder"), (0.15, "mistake"), (0.07, "inaccuracy"), (0.02, "good"), (0.0, "best"))
FAULTS = ("blunder", "mistake", "inaccuracy")


@dataclass(frozen=True)
class Reviewed:
    """One move of a game. Values are those of the player who made it, from 0 to 1.

    >>> import playout as po
    >>> game = po.Breakthrough.from_fen("..b/.w./.../..w w")
    >>> played = game.push("b3b4")
    >>> (move,) = po.review(game, seed=1).moves
    >>> move.ply, move.before, move.after, move.loss, move.word, move.exact
    (1, 1.0, 1.0, 0.0, 'best', True)
    """

    position: Position
    """Before the move, with the moves that led there."""
    move: Move
    best: Move
    before: float
    """The value of the best move."""
    after: float
    """The value of the move that was played."""
    exact: bool
    """Whether both values are proven."""
    in_book: bool
    """Whether both values are those of an opening book."""
    line: Moves
    """The expected play from the best move on."""

    @property
    def ply(self) -> int:
        """The number of the move, from 1."""
        return len(self.position.history) + 1

    @property
    def number(self) -> str:
        """The same as players of the game count: in Breakthrough both sides' moves share one."""
        return numbered(self.position, self.ply)

    @property
    def loss(self) -> float:
        """What the move gave away; 0 if it was the best."""
        return 0.0 if self.move == self.best else max(0.0, self.before - self.after)

    @property
    def word(self) -> str:
        """The loss as a word: best, good, inaccuracy, mistake or blunder."""
        return next(word for least, word in WORDS if self.loss >= least)

    @property
    def why(self) -> list[str]:
        """What can be said of the best move, if another one was played."""
        return [] if self.move == self.best else tactics(self.position, self.best)

    def to_dict(self) -> dict[str, Any]:
        """The move as plain types."""
        return {
            "ply": self.ply,
            "number": self.number,
            "turn": self.position.turn,
            "move": str(self.move),
            "best": str(self.best),
            "before": self.before,
            "after": self.after,
            "loss": self.loss,
            "word": self.word,
            "exact": self.exact,
            "in_book": self.in_book,
            "line": [str(move) for move in self.line],
            "played": tactics(self.position, self.move),
            "why": self.why,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Review:
    """A game with the value of every move. `print` shows it; `to_html` makes a page of it.

    >>> import playout as po
    >>> game = po.Breakthrough.from_fen("..b/.w./.../..w w")
    >>> played = game.push("c1b2")
    >>> found = po.review(game, seed=1)
    >>> len(found.moves), len(found.values), found.to_html()[:15]
    (1, 2, '<!doctype html>')
    """

    record: Record
    method: Method
    moves: tuple[Reviewed, ...]
    final: float
    """The first player's value of the last position."""
    seconds: float

    @property
    def values(self) -> list[float]:
        """The first player's value before each move, and of the last position."""
        return [*(_first(move.position, move.before) for move in self.moves), self.final]

    @property
    def worst(self) -> list[Reviewed]:
        """The inaccuracies, mistakes and blunders, the largest loss first."""
        found = [move for move in self.moves if move.word in FAULTS]
        return sorted(found, key=lambda move: -move.loss)

    def to_dict(self) -> dict[str, Any]:
        """The game and its values as plain types, for JSON."""
        return {
            "kind": "playout review",
            "version": 1,
            "game": self.record.to_dict(),
            "method": repr(self.method),
            "moves": [move.to_dict() for move in self.moves],
            "values": self.values,
            "worst": [move.ply for move in self.worst],
            "seconds": self.seconds,
        }

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict()` as JSON text."""
        return json.dumps(self.to_dict(), indent=indent)

    def to_html(self) -> str:
        """The review as a page in one file, without scripts."""
        return render.page(self)

    def __str__(self) -> str:
        return render.text(self)

    def __repr__(self) -> str:
        return f"<Review of {len(self.moves)} moves by {self.method!r}>"

    def _repr_html_(self) -> str:
        return render.html(self)


def review(
    record: Record | Position,
    method: str | Method = "best",
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    nodes: int = NODES,
    book: Book | str | os.PathLike[str] | None = None,
    seed: AnySeed | None = None,
    progress: Progress | None = None,
) -> Review:
    """Search the position before every move of a game, and say what each move gave away.

    `playouts` (10,000 by default) and `seconds` limit the search of one position. From the end
    backwards positions are solved, as long as `nodes` nodes are enough for each of their moves;
    their values are exact. `nodes=0` solves none. Where `book` has all moves of a position, it
    gives their values: a `Book`, the path of one, or "default" for the package's. `progress` is
    called after each position.

    >>> import playout as po
    >>> game = po.Breakthrough.from_fen(".b./b../w.w/w.. w")
    >>> for move in ("a1b2", "a3b2", "c2b3", "b2a1"):
    ...     _ = game.push(move)
    >>> found = po.review(game, seed=1)
    >>> [(move.ply, str(move.move), str(move.best), move.loss) for move in found.worst]
    [(1, 'a1b2', 'a2b3', 1.0)]
    """
    found = None
    for found in review_backwards(record, method, playouts, seconds, nodes, book, seed):
        if progress is not None:
            progress(len(found.moves), len(found.record.position.history))
    assert found is not None
    return found


def review_backwards(
    record: Record | Position,
    method: str | Method = "best",
    playouts: int | None = None,
    seconds: float | None = None,
    nodes: int = NODES,
    book: Book | str | os.PathLike[str] | None = None,
    seed: AnySeed | None = None,
) -> Iterator[Review]:
    """The review so far, after each position from the last one back; the last is complete."""
    record, method = _record_of(record), method_of(method)
    limits = _limits(method, playouts, seconds, seed)
    nodes = whole_number("nodes", nodes, 0, MOST_NODES)
    judge = _Judge(method, limits, nodes, None if book is None else _book_of(record.position, book))
    began = perf_counter()
    positions = list(_positions(record.position))
    after = positions.pop()
    worth = judge.worth(after)
    final = _first(after, worth.best)
    found: list[Reviewed] = []
    while positions:
        position, move, reply = positions.pop(), after.history[-1], worth
        worth = judge.worth(position)
        if worth.values is None:
            played, is_known = _seen(reply.best, after.turn, position.turn), reply.exact
        else:
            played, is_known = worth.values[position.legal_moves.index(move)], True
            if played == worth.best and move != worth.move:
                worth = replace(worth, move=move, line=Moves([move]))
        found.insert(
            0,
            Reviewed(
                position,
                move,
                best=worth.move or move,
                before=worth.best,
                after=played,
                exact=worth.exact and is_known,
                in_book=worth.values is not None and not worth.exact,
                line=worth.line,
            ),
        )
        yield Review(record, method, tuple(found), final, perf_counter() - began)
        after = position


def _limits(
    method: Method, playouts: int | None, seconds: float | None, seed: AnySeed | None
) -> dict[str, Any]:
    """The limits of the search of one position."""
    if seconds is not None:
        seconds = number("seconds", seconds, 0.0, above=True)
    if not method.plays_out:
        return {"seconds": seconds}
    if playouts is None and seconds is None:
        playouts = PLAYOUTS
    if playouts is not None:
        playouts = whole_number("playouts", playouts, 1, MOST_PLAYOUTS)
    return {"playouts": playouts, "seconds": seconds, "seed": seed}


@dataclass(frozen=True)
class _Worth:
    """The value of a position to the player to move, and the move that has it."""

    best: float
    move: Move | None
    line: Moves
    exact: bool
    values: list[float] | None = None
    """Of all legal moves, if they are proven or in the book."""


@dataclass
class _Judge:
    """Says what the positions of a game are worth, from the last one back."""

    method: Method
    limits: dict[str, Any]
    nodes: int
    """To solve a position; 0 from the first position on that took more."""
    book: Book | None

    def worth(self, position: Position) -> _Worth:
        """The value of a position: proven, of the book, or by search."""
        if position.is_over:
            result = position.result
            assert result is not None
            return _Worth(_seen(result, 0, position.turn), None, Moves([]), exact=True)
        return self._solved(position) or self._in_book(position) or self._searched(position)

    def _solved(self, position: Position) -> _Worth | None:
        found = values_of_moves(position, self.nodes)
        if found is None:
            self.nodes = 0
            return None
        best = position.legal_moves[int(found.argmax())]
        return _Worth(float(found.max()), best, Moves([best]), True, found.tolist())

    def _in_book(self, position: Position) -> _Worth | None:
        best = None if self.book is None else self.book.best(position)
        if self.book is None or best is None:
            return None
        known = {move.move: move.value for move in self.book.moves(position)}
        values = [known[move] for move in position.legal_moves]
        return _Worth(best.value, best.move, self.book.line(position), False, values)

    def _searched(self, position: Position) -> _Worth:
        found = search(position, self.method, **self.limits)
        if not 0.0 <= found.value <= 1.0:
            raise BadMethod(
                f"{self.method!r} counts in points here, and a review in results: use best, UCT or "
                "RAVE"
            )
        return _Worth(found.value, found.move, found.pv, found.reason == "proven")


def _book_of(position: Position, book: Book | str | os.PathLike[str]) -> Book:
    """The book itself, checked for the board; or the one in a file, or of the package."""
    from playout.learning.book import Book, book_for  # imported here: most reviews have none

    if isinstance(book, (str, os.PathLike)):
        book = book_for(position, os.fspath(book))
    if not isinstance(book, Book):
        raise BadMethod(f"book must be a Book, the path of one or 'default', not {shown(book)}")
    book.check(position)
    return book


def _positions(position: Position) -> Iterator[Position]:
    """The positions of a game, from the first to the last."""
    after = root_of(position)
    yield after.copy()
    for move in position.history:
        after.push(move)
        yield after.copy()


def _record_of(record: Record | Position) -> Record:
    if isinstance(record, Position):
        record = Record(record, ("?", "?"), seed=0)
    if not isinstance(record, Record):
        raise BadPosition(
            f"a review is of a Record, or of a position with its moves, not of {shown(record)}"
        )
    if not record.position.history:
        raise BadPosition("there is nothing to review: the game has no moves yet")
    return record


def _seen(value: float, turn: int, by: int) -> float:
    """A value of one player, as another one sees it."""
    return value if turn == by else 1.0 - value


def _first(position: Position, value: float) -> float:
    return _seen(value, position.turn, 0)
