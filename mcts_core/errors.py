"""The errors a user can meet. All are ValueErrors; each message names the fault and the remedy."""

from collections.abc import Sequence
from difflib import get_close_matches


class IllegalMove(ValueError):
    """A move that cannot be played in this position."""


class BadPosition(ValueError):
    """A text that describes no position, or a position in which the request makes no sense."""


class BadMethod(ValueError):
    """A search method or an option of one that does not exist or cannot be."""


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """The end of a sentence: a proposal, or a full stop.

    >>> did_you_mean("e4e6", ["a2a3", "e4e5"])
    "; did you mean 'e4e5'?"
    >>> did_you_mean("castles", ["a2a3", "e4e5"])
    '.'
    """
    close = get_close_matches(word, known, n=1)
    return f"; did you mean {str(close[0])!r}?" if close else "."
