"""The package's own errors. All are ValueErrors; each message names the fault and the remedy."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from difflib import get_close_matches
from reprlib import Repr

LONGEST = 200  # characters of a value in a message


class IllegalMove(ValueError):
    """A move that cannot be played in this position.

    >>> import playout as po
    >>> try:
    ...     po.Breakthrough(3, first_rows=1).push("a1a3")
    ... except po.IllegalMove as fault:
    ...     print(fault)
    'a1a3' is not legal here; did you mean 'a1a2'? Legal: a1a2 a1b2 b1a2 b1b2 b1c2 c1b2 c1c2
    """


class BadPosition(ValueError):
    """A text that describes no position, or a position in which the request makes no sense.

    >>> import playout as po
    >>> try:
    ...     po.Othello(5)
    ... except po.BadPosition as fault:
    ...     print(fault)
    an Othello board has a size of 8, 6 or 4, not 5
    """


class BadMethod(ValueError):
    """A search method, or an option of one, that does not exist or cannot be used here.

    >>> import playout as po
    >>> try:
    ...     po.UCT(c=-1)
    ... except po.BadMethod as fault:
    ...     print(fault)
    UCT: c must be a number of at least 0, not -1
    """


class BadGame(ValueError):
    """A game that breaks its contract.

    `moves` are the moves that lead to the fault, if `playout.check_game` found it.

    >>> import playout as po
    >>> class Loop:
    ...     turn = 0
    ...     def legal_moves(self): return ["again"]
    ...     def play(self, move): pass
    ...     def is_over(self): return False
    ...     def result(self): return 0.5
    ...     def key(self): return 0
    ...
    >>> try:
    ...     po.check_game(Loop())
    ... except po.BadGame as fault:
    ...     print(fault)
    at the start, play('again') leaves key() as it was: play() must change its own object, \
and key() must tell positions apart
    """

    moves: tuple[str, ...] = ()


def breach(fault: str) -> BadGame:
    """Return the error for a breach that a search has met, at a position it does not know.

    >>> breach("a result is 7.5")
    BadGame('a result is 7.5: the game breaks its contract; playout.check_game says where')
    """
    return BadGame(f"{fault}: the game breaks its contract; playout.check_game says where")


PLACE_MOVES = 10  # that a message shows


def bad_game(fault: str, moves: Sequence[str], remedy: str) -> BadGame:
    """Return the error for a fault after these moves.

    >>> bad_game("turn is 2", ["a1", "b2"], "it must be 0 or 1")
    BadGame('after 2 plies (a1 b2), turn is 2: it must be 0 or 1')
    """
    error = BadGame(f"{place(moves)}, {fault}: {remedy}")
    error.moves = tuple(moves)
    return error


def place(moves: Sequence[str]) -> str:
    """Return where these moves lead to, by the last of them if there are many."""
    if not moves:
        return "at the start"
    shown = " ".join(moves[-PLACE_MOVES:])
    dots = "... " if len(moves) > PLACE_MOVES else ""
    return f"after {len(moves)} {'ply' if len(moves) == 1 else 'plies'} ({dots}{shown})"


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Return the end of a sentence: a proposal, or a full stop.

    >>> did_you_mean("e4e6", ["a2a3", "e4e5"])
    "; did you mean 'e4e5'?"
    >>> did_you_mean("castles", ["a2a3", "e4e5"])
    '.'
    """
    close = get_close_matches(word[:LONGEST], known, n=1)
    return f"; did you mean {str(close[0])!r}?" if close else "."


def whole(value: object) -> int | None:
    """Return the value as a plain int; None if it is not a whole number.

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
    except Exception:  # an object whose own __index__ raises is not a whole number
        return None


class _Shown(Repr):
    """A `repr` of one line, which reads only as much of a long value as it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = 100  # the longest line of a position has 75
        self.maxother = LONGEST

    def repr1(self, value: object, level: int) -> str:
        """Override the base, which goes by class names: a user's class may be called `list`."""
        if type(value).__module__ != "builtins":
            return self.repr_instance(value, level)
        return super().repr1(value, level)

    def repr_int(self, value: int, level: int) -> str:
        """Return all digits, or their number: Python refuses to write several thousand digits."""
        digits = int(value.bit_length() * math.log10(2)) + 1
        return repr(value) if digits <= self.maxlong else f"an int of about {digits} digits"

    def repr_instance(self, value: object, level: int) -> str:
        """Return the object's own `repr` without its line breaks."""
        return " ".join(super().repr_instance(value, level).split())


_repr = _Shown().repr


def shown(value: object) -> str:
    """Return a value as a message shows it: its `repr`, cut if it is long.

    >>> shown("a2a3"), shown([0.5, 1]), shown(10**400)
    ("'a2a3'", '[0.5, 1]', 'an int of about 401 digits')
    >>> len(shown("b" * 1000))
    100
    """
    text = _repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
