"""The errors a user can meet. All are ValueErrors; each message names the fault and the remedy."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from difflib import get_close_matches
from reprlib import Repr

LONGEST = 200  # characters of a value in a message


class IllegalMove(ValueError):
    """A move that cannot be played in this position."""


class BadPosition(ValueError):
    """A text that describes no position, or a position in which the request makes no sense."""


class BadMethod(ValueError):
    """A search method or an option of one that does not exist or cannot be."""


class BadGame(ValueError):
    """A game that breaks its contract, as `playout.check_game` finds it.

    `moves` are the texts of the moves that lead to the position where it does.
    """

    moves: tuple[str, ...] = ()


def breach(fault: str) -> BadGame:
    """The error for a breach of the contract that shows in a search, which does not know where.

    >>> breach("a result is 7.5")
    BadGame('a result is 7.5: the game breaks its contract; playout.check_game says where')
    """
    return BadGame(f"{fault}: the game breaks its contract; playout.check_game says where")


PLACE_MOVES = 10  # that a message shows


def bad_game(fault: str, moves: Sequence[str], remedy: str) -> BadGame:
    """The error for a fault that shows after these moves.

    >>> bad_game("turn is 2", ["a1", "b2"], "it must be 0 or 1")
    BadGame('after 2 plies (a1 b2), turn is 2: it must be 0 or 1')
    """
    error = BadGame(f"{place(moves)}, {fault}: {remedy}")
    error.moves = tuple(moves)
    return error


def place(moves: Sequence[str]) -> str:
    """Where these moves lead to: the last of them, if there are many."""
    if not moves:
        return "at the start"
    shown = " ".join(moves[-PLACE_MOVES:])
    dots = "... " if len(moves) > PLACE_MOVES else ""
    return f"after {len(moves)} {'ply' if len(moves) == 1 else 'plies'} ({dots}{shown})"


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """The end of a sentence: a proposal, or a full stop.

    >>> did_you_mean("e4e6", ["a2a3", "e4e5"])
    "; did you mean 'e4e5'?"
    >>> did_you_mean("castles", ["a2a3", "e4e5"])
    '.'
    """
    close = get_close_matches(word[:LONGEST], known, n=1)
    return f"; did you mean {str(close[0])!r}?" if close else "."


def whole(value: object) -> int | None:
    """The value as an int and nothing derived from it; None if it is no whole number.

    >>> whole(5), whole(True), whole(5.0)
    (5, None, None)
    """
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return None
    try:
        return int.__int__(operator.index(value))  # type: ignore[arg-type]
    except MemoryError:
        raise
    except Exception:  # what an object's own __index__ raises is no whole number either
        return None


class _Shown(Repr):
    """A `repr` of one line, which reads only as much of a long value as it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = 100  # the longest line of a position has 75
        self.maxother = LONGEST

    def repr1(self, value: object, level: int) -> str:
        """As in the base, which goes by the name of a class, but that may be any class's name."""
        if type(value).__module__ != "builtins":
            return self.repr_instance(value, level)
        return super().repr1(value, level)

    def repr_int(self, value: int, level: int) -> str:
        """All digits, or how many there are: Python writes no number of several thousand."""
        digits = int(value.bit_length() * math.log10(2)) + 1
        return repr(value) if digits <= self.maxlong else f"an int of about {digits} digits"

    def repr_instance(self, value: object, level: int) -> str:
        """The object's own `repr` without its line breaks."""
        return " ".join(super().repr_instance(value, level).split())


_repr = _Shown().repr


def shown(value: object) -> str:
    """A value as a message shows it: its `repr`, cut where it is long.

    >>> shown("a2a3"), shown([0.5, 1]), shown(10**400)
    ("'a2a3'", '[0.5, 1]', 'an int of about 401 digits')
    >>> len(shown("b" * 1000))
    100
    """
    text = _repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
