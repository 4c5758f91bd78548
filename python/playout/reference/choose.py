"""The end of a search: when it may stop, and which move it chooses.

A search compares moves by a preference: the mean result in flat searches, elsewhere the number of
visits, which is the safer guide, since a mean of few playouts may be high by luck. Moves that are
equally good are drawn lots for. (Always taking the first would not be harmless: searches with few
playouts have many ties, and the first moves all lie on the same side of the board.)
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Protocol, TypeVar

from .formulas import variance_of_mean
from .rng import SFC64

AnyMove = TypeVar("AnyMove")
Preference = tuple[float, float]


class Evidence(Protocol):
    """The numbers behind a move: a `Tally`, or something like it."""

    @property
    def visits(self) -> float:
        """How many results have been counted."""

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
    """One of the best moves: the only one, or else one that is drawn, or the first.

    >>> choose(["a2a3", "b2b3"], lambda move: (0.0, 0.0), "random", SFC64(1))
    'a2a3'
    """
    best = max(preference(move) for move in moves)
    tied = [move for move in moves if preference(move) == best]
    if ties == "random" and len(tied) > 1:
        return tied[generator.below(len(tied))]
    return tied[0]


def is_sure(ranked: Sequence[Evidence], error: float) -> bool:
    """Are the value of the best move and its lead over the second known this exactly?

    Two estimates that know nothing of each other differ with the sum of their variances.

    >>> from playout.reference.tally import Tally
    >>> ranked = [Tally(visits=200, wins=140), Tally(visits=100, wins=50)]
    >>> is_sure(ranked, error=0.05), is_sure(ranked[:1], error=0.05)
    (False, True)
    """
    variances = [variance_of_mean(evidence.visits, evidence.wins) for evidence in ranked[:2]]
    return sqrt(variances[0]) < error and sqrt(sum(variances[1:], start=variances[0])) < error
