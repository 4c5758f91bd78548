"""The end of a search: when it may stop, and which move it chooses.

A search compares moves by a preference: flat searches by the mean result, others by the number of
visits, because a mean of few playouts may be high by luck. Ties are broken at random. (Always
taking the first would bias the choice: searches with few playouts have many ties, and the first
moves are all on the same side of the board.)
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Protocol, TypeVar

from .formulas import variance_of_mean
from .rng import SFC64

AnyMove = TypeVar("AnyMove")
Preference = tuple[float, float]


class Evidence(Protocol):
    """The counts of a move: a `Tally`, or an object with the same properties."""

    @property
    def visits(self) -> float:
        """The number of results."""

    @property
    def wins(self) -> float:
        """Their sum."""

    @property
    def mean(self) -> float:
        """Their mean."""


def by_mean(evidence: Evidence) -> Preference:
    """The better mean first; moves that were never tried last.

    >>> from playout.reference.tally import Tally
    >>> by_mean(Tally(visits=5, wins=0.0)) > by_mean(Tally(visits=0))
    True
    """
    return float(evidence.visits > 0), evidence.mean


def by_visits(evidence: Evidence) -> Preference:
    """The most visited first; of equally visited moves the one with the better mean.

    >>> from playout.reference.tally import Tally
    >>> by_visits(Tally(visits=5, wins=1.0)) > by_visits(Tally(visits=4, wins=4.0))
    True
    """
    return evidence.visits, evidence.mean


def choose(
    moves: Sequence[AnyMove],
    preference: Callable[[AnyMove], Preference],
    ties: str,
    generator: SFC64,
) -> AnyMove:
    """The best move; among several, one drawn at random or the first.

    >>> choose(["a2a3", "b2b3"], lambda move: (0.0, 0.0), "random", SFC64(1))
    'a2a3'
    """
    best = max(preference(move) for move in moves)
    tied = [move for move in moves if preference(move) == best]
    if ties == "random" and len(tied) > 1:
        return tied[generator.below(len(tied))]
    return tied[0]


def is_sure(ranked: Sequence[Evidence], error: float) -> bool:
    """Are the standard errors of the best move and of its lead over the second below `error`?

    The difference of two independent estimates has the sum of their variances.

    >>> from playout.reference.tally import Tally
    >>> ranked = [Tally(visits=200, wins=140), Tally(visits=100, wins=50)]
    >>> is_sure(ranked, error=0.05), is_sure(ranked[:1], error=0.05)
    (False, True)
    """
    variances = [variance_of_mean(evidence.visits, evidence.wins) for evidence in ranked[:2]]
    return sqrt(variances[0]) < error and sqrt(sum(variances[1:], start=variances[0])) < error
