"""Who plays: a method with a limit, a function, or you. Written as `rave@10000`, `'UCT(c=0.7)@2s'`.

A `Player` is a value: it can be compared, sent to another process and written down. For each game
it makes a `Seat`, which chooses the moves and may keep what it needs from move to move.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, cast

import numpy as np

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Position
from playout.arena.limit import NO_LIMIT, Limit, limit_from
from playout.arguments import memory_size
from playout.engines.text import engine_from, names_engine
from playout.method import Method
from playout.method_text import method_from
from playout.methods import method_of
from playout.names import SearchPolicy
from playout.result import Result
from playout.searching import Searcher, analysis, search
from playout.task import SEARCH_POLICIES

if TYPE_CHECKING:
    from playout.learning.book import BookMove

YOU = ("you", "human", "me")
MARGIN = 0.5  # seconds past the time of a move that a function or a program is forgiven


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and what the player thinks of it."""

    move: str
    value: float | None = None  # the result that the player expects for itself, if it says
    result: Result | None = None  # of our own searches: all that is known


class OutOfTime(RuntimeError):
    """A player that did not move in time."""


class Seat(Protocol):
    """A player in one game."""

    def choose(self, position: Position, left: float | None) -> Choice:
        """A move in this position of the game, with `left` seconds on the player's clock.

        `OutOfTime` loses the game on time; any other error loses it too.
        """

    def close(self) -> None:
        """The game has ended."""


class Player(Protocol):
    """Somebody who can play games.

    >>> import playout as po
    >>> po.Searching(po.UCT(), po.Limit(playouts=100)).name
    'UCT()@100'
    """

    @property
    def is_you(self) -> bool:
        """Whether the moves are typed in."""

    @property
    def name(self) -> str:
        """As tables and records call this player."""

    @property
    def limit(self) -> Limit:
        """How much it may think."""

    @property
    def is_repeatable(self) -> bool:
        """Whether it plays the same game again, given the same seed."""

    def check(self, position: Position) -> None:
        """Raise BadMethod if this player cannot play that game."""

    def scaled(self, factor: float) -> Player:
        """The same player with `factor` times as much time."""

    def begin(self, start: Position, seed: np.random.SeedSequence) -> Seat:
        """A seat in a game from this position."""

    def described(self) -> dict[str, Any]:
        """What a record keeps of this player; `player_again` makes the same one of it."""


@dataclass(frozen=True)
class Searching:
    """A method of search, its limit and its settings.

    >>> Searching("rave", Limit(playouts=10_000), solver=True).name
    'RAVE()@10000 solver'
    """

    is_you: ClassVar[Literal[False]] = False

    method: Method
    limit: Limit = NO_LIMIT
    policy: SearchPolicy = "random"
    solver: bool = False
    threads: int = 1
    memory: int | str | None = None
    keep: bool = False  # the tree, and what playouts have learned, from move to move of a game
    book: str | None = None  # the file of an opening book, or "default"
    label: str | None = None  # a name of the user's choice

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", method_of(self.method))
        if self.memory is not None:
            object.__setattr__(self, "memory", memory_size("memory", self.memory))
        if not isinstance(self.policy, str):
            raise BadMethod(
                f"policy={shown(self.policy)} cannot be written into a player's text: give the "
                "name of a policy, or a function of a position that searches as the player"
            )
        book = self.book
        if book is not None and not (isinstance(book, str) and re.fullmatch(r"[^\s()\[\]]+", book)):
            raise BadMethod(
                f"book={shown(self.book)} cannot be written into a player's text: give a path "
                "without spaces and brackets"
            )
        if not self.method.plays_out and self.limit.playouts is not None:
            raise BadMethod(
                f"{shown(self.method)} counts no playouts: limit it by its depth, as in "
                "AlphaBeta(depth=6), by nodes (@50000n) or by seconds (@2s)"
            )

    @property
    def name(self) -> str:
        """The label, or the text that `player_from` reads."""
        return self.label or str(self)

    @property
    def is_repeatable(self) -> bool:
        """Whether neither the clock nor threads decide."""
        has_depth = getattr(self.method, "depth", None) is not None and not self.limit.is_given
        return (self.limit.counts_work or has_depth) and self.busy_threads == 1

    @property
    def busy_threads(self) -> int:
        """How many threads a search uses: as many as the method, or the player if that is more."""
        return max(self.threads, getattr(self.method, "threads", 1))

    def check(self, position: Position) -> None:
        """Raise BadMethod if this method cannot search that game."""
        self.from_book(position)
        if not position.is_over:
            analysis(position, self.method, **self.settings(None))  # checked, and not begun
            if self.keep:
                self.searcher(position, seed=None).close()

    def scaled(self, factor: float) -> Searching:
        """The same with `factor` times as much time."""
        return replace(self, limit=self.limit.scaled(factor))

    def begin(self, start: Position, seed: np.random.SeedSequence) -> Seat:
        """A seat whose searches have seeds of their own, or that keeps one search."""
        seat = _KeepingSeat(self, seed) if self.keep else _Seat(self, seed)
        return seat if self.book is None else _BookSeat(self, seat)

    def described(self) -> dict[str, Any]:
        """The text that `player_from` reads, and the label."""
        return {"text": str(self), "label": self.label}

    def from_book(self, position: Position) -> BookMove | None:
        """The move of the player's opening book; None if it has none, or there is no book."""
        if self.book is None:
            return None
        from playout.learning.book import book_for  # imported here: most players have none

        return book_for(position, self.book).best(position)

    def search(
        self, position: Position, seed: np.random.SeedSequence, left: float | None = None
    ) -> Result:
        """Search a position, with `left` seconds on the clock."""
        settings = self.settings(self.limit.budget(left))
        return search(position, self.method, **settings, seed=seed)

    def searcher(self, position: Position, seed: np.random.SeedSequence | None) -> Searcher:
        """A search that can follow a game from this position."""
        return Searcher(
            position,
            self.method,
            seed=seed,
            threads=self.threads,
            memory=self.memory,
            policy=self.policy,
            solver=self.solver,
        )

    def settings(self, seconds: float | None) -> dict[str, Any]:
        """The arguments of `playout.search`, with this time for the move."""
        limit = self.limit
        if seconds is None:
            seconds = limit.seconds or limit.clock
        found: dict[str, Any] = {"seconds": seconds, "memory": self.memory}
        found["threads"] = self.threads
        if limit.nodes is not None:
            found["nodes"] = limit.nodes
        if not self.method.plays_out:
            return found
        found |= {"playouts": limit.playouts, "policy": self.policy}
        return found | {"solver": self.solver}

    def __str__(self) -> str:
        level = f"@{self.limit}" if self.limit.is_given else ""
        words: list[str] = [] if self.policy == "random" else [self.policy]
        words += ["solver"] if self.solver else []
        words += [f"threads={self.threads}"] if self.threads > 1 else []
        words += [f"memory={self.memory}"] if self.memory is not None else []
        words += ["keep"] if self.keep else []
        words += [f"book={self.book}"] if self.book is not None else []
        return " ".join((f"{self.method!r}{level}", *words))

    @property
    def words(self) -> str:
        """As a person would say it."""
        limit = self.limit.words
        return f"{self.method!r}, {limit}" if limit else f"{self.method!r}"


class _Seat:
    """One game of a `Searching` player: each ply has a seed of its own."""

    def __init__(self, player: Searching, seed: np.random.SeedSequence) -> None:
        self._player, self._seed = player, seed

    def choose(self, position: Position, left: float | None) -> Choice:
        """Search the position."""
        seed = np.random.SeedSequence(
            self._seed.entropy, spawn_key=(*self._seed.spawn_key, len(position.history))
        )
        result = self._player.search(position, seed, left)
        plays_out = result.method.plays_out
        return Choice(result.move, result.value if plays_out else None, result)

    def close(self) -> None:
        """Nothing is kept from move to move."""


class _KeepingSeat:
    """One game of a `Searching` player with `keep`: one search, which follows the game."""

    def __init__(self, player: Searching, seed: np.random.SeedSequence) -> None:
        self._player, self._seed = player, seed
        self._searcher: Searcher | None = None

    def choose(self, position: Position, left: float | None) -> Choice:
        """Move the root to this position, and go on searching."""
        if self._searcher is None:
            self._searcher = self._player.searcher(position, self._seed)
        for move in position.history[len(self._searcher.position.history) :]:
            self._searcher.advance(move)
        limit = self._player.limit
        result = self._searcher.search(playouts=limit.playouts, seconds=limit.budget(left))
        return Choice(result.move, result.value, result)

    def close(self) -> None:
        """Free the tree."""
        if self._searcher is not None:
            self._searcher.close()


class _BookSeat:
    """One game of a `Searching` player with a book, and its seat after the book."""

    def __init__(self, player: Searching, seat: Seat) -> None:
        self._player, self._seat = player, seat

    def choose(self, position: Position, left: float | None) -> Choice:
        """The book's move, or that of the seat."""
        known = self._player.from_book(position)
        if known is None:
            return self._seat.choose(position, left)
        return Choice(known.move, known.value)

    def close(self) -> None:
        """Close the seat."""
        self._seat.close()


@dataclass(frozen=True)
class Calling:
    """A Python function that takes a position and returns a move.

    It runs in this process and cannot be interrupted: it loses on time only when it returns.

    >>> def first(position):
    ...     return position.legal_moves[0]
    >>> Calling(first).name
    'first'
    """

    is_you: ClassVar[bool] = False

    function: Callable[[Position], str]
    limit: Limit = NO_LIMIT
    label: str | None = None
    is_repeatable: bool = field(default=True, repr=False)

    @property
    def name(self) -> str:
        """The label, or the function's own name."""
        return self.label or str(getattr(self.function, "__name__", type(self.function).__name__))

    def check(self, position: Position) -> None:
        """A function is not asked beforehand."""

    def scaled(self, factor: float) -> Calling:
        """The same with `factor` times as much time."""
        return replace(self, limit=self.limit.scaled(factor))

    def begin(self, start: Position, seed: np.random.SeedSequence) -> Calling:
        """The function itself: it keeps nothing from move to move."""
        return self

    def described(self) -> dict[str, Any]:
        """The name alone: a record cannot hold a function."""
        return {"function": self.name, "limit": str(self.limit)}

    def choose(self, position: Position, left: float | None) -> Choice:
        """Call the function on a copy, which it may change."""
        began, seconds = perf_counter(), self.limit.seconds
        move = self.function(position.copy())
        spent = perf_counter() - began
        if seconds is not None and spent > seconds + MARGIN:
            raise OutOfTime(f"this move took {spent:.2f} s, and the limit is {seconds:g} s")
        return Choice(move)

    def close(self) -> None:
        """Nothing is kept from move to move."""


@dataclass(frozen=True)
class You:
    """A person, whom a program asks for moves."""

    is_you: ClassVar[Literal[True]] = True
    is_repeatable: ClassVar[bool] = False
    name: ClassVar[str] = "you"
    words: ClassVar[str] = "you"
    limit: ClassVar[Limit] = NO_LIMIT

    def check(self, position: Position) -> None:
        """You can play every game."""

    def scaled(self, factor: float) -> You:
        """You have all the time there is."""
        return self

    def begin(self, start: Position, seed: np.random.SeedSequence) -> Seat:
        """Matches are played without people."""
        raise BadMethod("you cannot play in a match: use `playout play`")

    def described(self) -> dict[str, Any]:
        """You are yourself."""
        return {"text": "you", "label": None}

    def __str__(self) -> str:
        return "you"


def player_from(text: str, limit: Limit | None = None, **settings: Any) -> Searching | You:
    """The player that a text names; `limit` is its level if it names none.

    After the level there may be words: guided, mast, ppaf, solver, threads=N, memory=64MB,
    keep (the tree, and what playouts have learned, from move to move), book=FILE.

    >>> for text in ("rave", "UCT(c=0.7)@2s solver", "you"):
    ...     print(player_from(text, Limit(playouts=1000)))
    RAVE()@1000
    UCT(c=0.7)@2s solver
    you
    """
    if names_engine(text):
        raise BadMethod(
            f"{shown(text)}: engines and files play in `playout match` and `playout tournament`"
        )
    head, *words = _split(text.strip())
    name, at, level = head.rpartition("@")
    if at and not level:
        raise BadMethod(f"{shown(text)}: a level follows the @, as in {name}@1000 or {name}@2s")
    if not at:
        name, level = head, ""
    if name.lower() in YOU:
        if level or words:
            raise BadMethod(f"{shown(text)}: {name} needs no level")
        return You()
    method = method_from(name)
    if level:
        limit = limit_from(level, f"{shown(text)}: ")
    limit = limit or NO_LIMIT
    if not method.plays_out and not level:  # a level for all, in playouts, is not for alpha-beta
        limit = replace(limit, playouts=None)
    for word in words:
        settings |= _setting(word, text)
    return Searching(method, limit, **settings)


def _split(text: str) -> list[str]:
    """The parts between spaces outside brackets. A level may have spaces before its unit."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character.isspace() and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    found = [part for part in parts if part]
    while len(found) > 1 and found[1] in ("s", "n"):
        found[0] += found.pop(1)
    return found or [""]


def _setting(word: str, text: str) -> dict[str, Any]:
    if word in SEARCH_POLICIES:
        return {"policy": word}
    if word in ("solver", "keep"):
        return {word: True}
    if word.startswith("threads=") and word[8:].isascii() and word[8:].isdigit():
        return {"threads": int(word[8:12])}
    for name in ("memory", "book"):
        if word.startswith(f"{name}="):
            return {name: word[len(name) + 1 :]}
    raise BadMethod(
        f"{shown(text)}: after the level come words such as guided, solver or threads=2, "
        f"not {shown(word)}"
    )


def player_of(value: object, limit: Limit) -> Player:
    """A player from what a user gives: text, a method, a function, or a player.

    >>> from playout import UCT
    >>> player_of(UCT(c=1), Limit(playouts=100)).name
    'UCT(c=1.0)@100'
    """
    from playout.engines.engine import Engine  # which needs this module

    if isinstance(value, str):
        if not names_engine(value):
            return player_from(value, limit)
        value = engine_from(value)
    if isinstance(value, Engine):
        return value.limited(limit)
    if isinstance(value, Method):
        return Searching(value, limit if value.plays_out else replace(limit, playouts=None))
    if all(hasattr(value, name) for name in ("begin", "check", "limit", "name")):
        player: Player = value  # type: ignore[assignment]
        return player
    if callable(value):
        return Calling(value, limit)
    raise BadMethod(
        "a player is a method, a text such as 'rave@10000', a function that takes a position and "
        f"returns a move, or an engine; not {shown(value)}"
    )


def player_again(described: dict[str, Any]) -> Player:
    """The player that `described` told of; a ValueError if it cannot be made from that.

    >>> player_again({"text": "UCT()@100", "label": "small"}).name
    'small'
    """
    if "text" not in described:
        raise BadMethod(
            f"a record does not hold the player {shown(described)}: go on with the same call of "
            "playout.match, with the function in it"
        )
    player = player_of(described["text"], NO_LIMIT)
    if described["label"] is None:
        return player
    return cast(Player, replace(cast(Any, player), label=described["label"]))
