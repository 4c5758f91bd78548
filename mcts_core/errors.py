"""The errors a user can meet. All are ValueErrors; each message names the fault and the remedy."""

from collections.abc import Sequence
from difflib import get_close_matches


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
    BadGame('a result is 7.5: this game breaks its contract; playout.check_game(position) tells where')
    """
    return BadGame(
        f"{fault}: this game breaks its contract; playout.check_game(position) tells where"
    )


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
    close = get_close_matches(word, known, n=1)
    return f"; did you mean {str(close[0])!r}?" if close else "."
