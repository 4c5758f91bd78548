"""What the games of a match prove: Elo with its interval, and when there are enough games.

Games come in pairs: both begin with the same opening, and the players change colours. An opening
that favours a side then favours both players once, so a pair says more than two games on openings
of their own. All figures here come from the five sums that a pair can have.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import get_args

from mcts_core.errors import shown
from playout.arguments import finite, one_of
from playout.names import EloModel

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair: the mean of its two results
EMPTY = 0.5  # what a cell without a pair counts, so that no variance is 0
Z = NormalDist().inv_cdf(0.975)  # half the width of an interval of 95 %, in standard errors
LN10 = math.log(10)
MODELS: tuple[EloModel, ...] = get_args(EloModel)
MOST_ELO = 4000.0  # of an estimate: a score of 1 in 10**10 lost games


def elo_of(score: float) -> float:
    """The difference in Elo that makes a score expected.

    >>> round(elo_of(0.64)), elo_of(0.5), elo_of(1.0)
    (100, 0.0, 4000.0)
    """
    if not 0 < score < 1:
        return math.copysign(MOST_ELO, score - 0.5)
    return max(-MOST_ELO, min(MOST_ELO, 400 * math.log10(score / (1 - score))))


def score_of(elo: float) -> float:
    """The score expected of a difference in Elo.

    >>> round(score_of(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True, slots=True)
class Pairs:
    """How often pairs had each score: 0, 1/4, 1/2, 3/4, 1 of the first player's."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]]) -> Pairs:
        """The pairs with these results of their games, to the first player.

        >>> Pairs.of([(1.0, 0.0), (1.0, 1.0), (0.5, 1.0)])
        Pairs(counts=(0, 0, 1, 1, 1))
        """
        counts = [0, 0, 0, 0, 0]
        for one, other in pairs:
            counts[round(2 * (one + other))] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    @property
    def n(self) -> int:
        """How many pairs."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The mean of all results; 0.5 without any."""
        if not self.n:
            return 0.5
        return sum(n * s for n, s in zip(self.counts, PAIR_SCORES, strict=True)) / self.n

    @property
    def error(self) -> float:
        """The standard error of the score; never 0, because no sum of a pair is impossible."""
        return math.sqrt(self._smoothed()[1] / self.n) if self.n else 0.5

    @property
    def score_interval(self) -> tuple[float, float]:
        """95 % of all such intervals hold the true score."""
        return max(0.0, self.score - Z * self.error), min(1.0, self.score + Z * self.error)

    @property
    def elo(self) -> float:
        """How much stronger the first player is."""
        return elo_of(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The Elo of the interval's ends.

        >>> pairs = Pairs((398, 4112, 7672, 4336, 430))
        >>> round(pairs.elo, 2), [round(end, 2) for end in pairs.elo_interval]
        (2.95, [0.77, 5.13])
        """
        low, high = self.score_interval
        return elo_of(low), elo_of(high)

    @property
    def superiority(self) -> float:
        """The likelihood that the first player is the stronger one."""
        return NormalDist().cdf((self.score - 0.5) / self.error)

    def _smoothed(self) -> tuple[float, float]:
        """Mean and variance of a pair's score, with `EMPTY` pairs in each cell that has none."""
        counts = [n or EMPTY for n in self.counts]
        total = sum(counts)
        mean = sum(n * s for n, s in zip(counts, PAIR_SCORES, strict=True)) / total
        squares = sum(n * (s - mean) ** 2 for n, s in zip(counts, PAIR_SCORES, strict=True))
        return mean, squares / total

    def llr(self, elo0: float, elo1: float, model: EloModel = "normalised") -> float:
        """How much likelier a difference of elo1 is than one of elo0: the log of the ratio.

        A difference in "normalised" Elo is in standard deviations of a game's result, so the
        number of games to decide does not depend on how many are drawn.

        >>> round(Pairs((398, 4112, 7672, 4336, 430)).llr(0, 3), 2)
        2.96
        """
        if not self.n:
            return 0.0
        mean, variance = self._smoothed()
        low, high = (_expected(elo, variance, model) for elo in (elo0, elo1))
        return self.n * (high - low) * (2 * mean - low - high) / (2 * variance)


def _expected(elo: float, variance: float, model: EloModel) -> float:
    """The score of a pair that a difference makes expected, where its variance is known."""
    if model == "logistic":
        return score_of(elo)
    return 0.5 + elo * LN10 / 800 * math.sqrt(2 * variance)


@dataclass(frozen=True, slots=True)
class SPRT:
    """A sequential probability ratio test: plays until one of two hypotheses is refuted.

    H0: the first player is stronger by elo0; H1: by elo1. Each is wrongly accepted in `error` of
    all tests.

    >>> test = SPRT(0, 10)
    >>> [round(bound, 2) for bound in test.bounds]
    [-2.94, 2.94]
    >>> test.decision(Pairs((3, 20, 50, 70, 60))), test.decision(Pairs((1, 2, 3, 2, 1)))
    ('H1', None)
    """

    elo0: float
    elo1: float
    error: float = 0.05
    model: EloModel = "normalised"

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "error"):
            object.__setattr__(self, name, finite(f"sprt: {name}", getattr(self, name)))
        if not self.elo0 < self.elo1:
            raise ValueError(f"sprt: elo0={self.elo0:g} must be less than elo1={self.elo1:g}")
        if not 0 < self.error < 0.5:
            raise ValueError(f"sprt: error must lie between 0 and 0.5, not {self.error:g}")
        one_of("sprt: model", self.model, MODELS)

    @property
    def bounds(self) -> tuple[float, float]:
        """H0 is accepted at or below the first, H1 at or above the second."""
        bound = math.log((1 - self.error) / self.error)
        return -bound, bound

    def llr(self, pairs: Pairs) -> float:
        """The log-likelihood ratio of H1 to H0."""
        return pairs.llr(self.elo0, self.elo1, self.model)

    def decision(self, pairs: Pairs) -> str | None:
        """ "H0" or "H1"; None while there are too few games."""
        low, high = self.bounds
        llr = self.llr(pairs)
        return "H1" if llr >= high else "H0" if llr <= low else None


def sprt_of(value: object) -> SPRT:
    """A test from what a user gives: an `SPRT`, or elo0 and elo1, and perhaps the model.

    >>> sprt_of((0, 10))
    SPRT(elo0=0.0, elo1=10.0, error=0.05, model='normalised')
    >>> sprt_of(5)
    Traceback (most recent call last):
    ValueError: sprt must be two differences in Elo such as (0, 10), not 5
    """
    if isinstance(value, SPRT):
        return value
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
        return SPRT(*value)
    raise ValueError(f"sprt must be two differences in Elo such as (0, 10), not {shown(value)}")


# Ratings of several players on one scale

PRIOR = 1.0  # games of each player against one of rating 0, half of them won: keeps ratings finite
STEPS = 200  # of Newton's method, which needs about ten
CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength in Elo on the scale of a tournament, and half its interval of 95 %."""

    elo: float
    error: float


def ratings(n_players: int, results: Iterable[tuple[int, int, float, float]]) -> list[Rating]:
    """Ratings of maximum likelihood (Bradley and Terry; a draw is half a win), with a mean of 0.

    `results` has a row for each two players who have met: both, the games they played, and the
    score of the first in these. Each player has a drawn game against a player of rating 0 as well.

    >>> [round(rating.elo) for rating in ratings(2, [(0, 1, 1000, 640)])]
    [50, -50]
    """
    import numpy as np

    met = list(results)
    strength = np.zeros(n_players)  # in natural units: 400 / ln 10 Elo each
    for _ in range(STEPS):
        gradient = PRIOR * (0.5 - 1 / (1 + np.exp(-strength)))
        certain = 1 / (1 + np.exp(-strength))
        information = np.diag(PRIOR * certain * (1 - certain))
        for a, b, games, score in met:
            p = 1 / (1 + math.exp(strength[b] - strength[a]))
            gradient[a] += score - games * p
            gradient[b] -= score - games * p
            weight = games * p * (1 - p)
            information[a, a] += weight
            information[b, b] += weight
            information[a, b] -= weight
            information[b, a] -= weight
        step = np.linalg.solve(information, gradient)
        strength += np.clip(step, -1.0, 1.0)
        if float(np.abs(step).max(initial=0.0)) < CLOSE:
            break
    unit = 400 / LN10
    centre = np.eye(n_players) - 1 / n_players  # from the scale of the prior to a mean of 0
    covariance = centre @ np.linalg.inv(information) @ centre.T
    errors = Z * unit * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    elos = unit * (strength - strength.mean())
    return [Rating(float(elo), float(error)) for elo, error in zip(elos, errors, strict=True)]
