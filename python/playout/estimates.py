"""The formulas of the searches, as functions.

The engine computes the same, bit for bit, in `mcts_core/search/select.pxd`. `mean` is the mean
result of a move, `visits` or `n` its playouts, `total` all playouts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import shown
from playout.arguments import MOST, array_of_numbers, finite, number, whole_number

LIST = "a list of numbers"

# Which move to try next


def ucb1(mean: float, visits: float, total: float, c: float = 0.4) -> float:
    """`mean + c*sqrt(ln total / visits)`: the mean, plus a bonus for moves with few visits.

    Example: three moves after ten playouts. The third is tried next, although its mean is the
    lowest.

    >>> [round(ucb1(mean, visits, 10), 3) for mean, visits in [(0.64, 5), (0.60, 3), (0.55, 2)]]
    [0.911, 0.95, 0.979]
    """
    visits = number("visits", visits)
    if not visits:
        return math.inf
    mean, total, c = finite("mean", mean), number("total", total, 1.0), number("c", c)
    return mean + c * math.sqrt(math.log(total) / visits)


def ucb_tuned(
    mean: float, mean_square: float, visits: float, total: float, c: float = 1.0
) -> float:
    """`mean + c*sqrt(ln total / visits * min(1/4, V))`, `V` an upper bound of the variance.

    `mean_square` is the mean of the squared results; without draws it equals the mean.

    >>> ucb_tuned(0.5, 0.5, 10, 100) < ucb1(0.5, 10, 100, c=1.0)
    True
    """
    visits = number("visits", visits)
    if not visits:
        return math.inf
    mean, total, c = finite("mean", mean), number("total", total, 1.0), number("c", c)
    mean_square = number("mean_square", mean_square)
    variance = mean_square - mean * mean + math.sqrt(2.0 * math.log(total) / visits)
    if variance < 0.0:
        raise ValueError(
            f"mean_square is the mean of the squared results: {mean_square} is too small for "
            f"a mean of {mean}"
        )
    return mean + c * math.sqrt(math.log(total) / visits * min(0.25, variance))


def ucb_bayes(wins: float, visits: float, total: float, c: float = 0.4) -> float:
    """`mu + c*sqrt(2 ln total)*sigma` of the posterior Beta(1 + wins, 1 + visits - wins).

    >>> ucb_bayes(0, 0, 1)  # nothing known: the middle of the prior
    0.5
    """
    wins, visits = _wins_of("visits", wins, visits)
    total, c = number("total", total, 1.0), number("c", c)
    a, b = 1.0 + wins, 1.0 + (visits - wins)
    mu = a / (a + b)
    sigma = math.sqrt(a * b / ((a + b) * (a + b) * (a + b + 1.0)))
    return mu + c * math.sqrt(2.0 * math.log(total)) * sigma


def _wins_of(name: str, wins: float, n: float) -> tuple[float, float]:
    """Check the wins and the number of playouts, whose argument has this name."""
    wins, n = number("wins", wins), number(name, n)
    if wins > n:
        raise ValueError(f"wins must be at most {name}={n:g}, not {wins:g}")
    return wins, n


# The weight of AMAF: RAVE's value is (1 - beta) * mean + beta * amaf_mean


def beta_from(variance: float, amaf_variance: float, bias_squared: float) -> float:
    """The weight of least squared error: `variance / (variance + amaf_variance + bias_squared)`.

    The variances are those of the two means. If their sum is 0 (below 1e-10), the weight is 0.5.

    >>> round(beta_from(0.25, 0.04, 0.01), 4)
    0.8333
    """
    variance = number("variance", variance)
    amaf_variance = number("amaf_variance", amaf_variance)
    bias_squared = number("bias_squared", bias_squared)
    total = variance + amaf_variance + bias_squared
    return variance / total if total > 1e-10 else 0.5


def beta_mse(n: float, n_amaf: float, bias: float = 1e-5) -> float:
    """`n_amaf / (n + n_amaf + bias*n*n_amaf)`, with bias = 4 * (AMAF's bias) squared.

    >>> round(beta_mse(10, 100), 6)
    0.909008
    """
    n, n_amaf, bias = number("n", n), number("n_amaf", n_amaf), number("bias", bias)
    return n_amaf / (n + n_amaf + bias * n * n_amaf) if n else 1.0


def beta_heuristic(n: float, n_amaf: float) -> float:
    """A rule of thumb, `n_amaf / (n + n_amaf + 4*n*n*n_amaf)`: AMAF matters in the first playouts.

    >>> round(beta_heuristic(1, 100), 3), round(beta_heuristic(10, 100), 3)
    (0.2, 0.002)
    """
    n, n_amaf = number("n", n), number("n_amaf", n_amaf)
    return n_amaf / (n + n_amaf + 4.0 * n * n * n_amaf) if n else 1.0


def beta_hand(total: float, k: float = 1000.0) -> float:
    """`sqrt(k / (3*total + k))`: one weight for all moves, 1/2 after k playouts.

    >>> beta_hand(0), beta_hand(1000)
    (1.0, 0.5)
    """
    total, k = number("total", total), number("k", k, above=True)
    return math.sqrt(k / (3.0 * total + k))


def variance_of_mean(wins: float, n: float) -> float:
    """The variance of a mean of n results: `m*(1-m)/(n+2)`, `m = (wins+1)/(n+2)`.

    Smoothed by one additional win and loss, so that it is not 0 after one result.

    >>> variance_of_mean(0, 0), round(variance_of_mean(1, 1), 4)
    (0.125, 0.0741)
    """
    wins, n = _wins_of("n", wins, n)
    mean = (wins + 1.0) / (n + 2.0)
    return mean * (1.0 - mean) / (n + 2.0)


def estimate_variances(
    uct_samples: Sequence[float], amaf_samples: Sequence[float]
) -> tuple[float, float]:
    """The sample variances of both kinds of results; 1.0 for fewer than two samples.

    These are variances of single results. `beta_from` needs the variances of the means: divide by
    the number of samples.

    >>> estimate_variances([1, 0, 1, 0], [1])
    (0.3333333333333333, 1.0)
    """
    uct = _samples("uct_samples", uct_samples)
    amaf = _samples("amaf_samples", amaf_samples)
    return _sample_variance(uct), _sample_variance(amaf)


def _sample_variance(samples: NDArray[np.float64]) -> float:
    return float(np.var(samples, ddof=1)) if len(samples) > 1 else 1.0


def estimate_bias_squared(
    uct_samples: Sequence[float], amaf_samples: Sequence[float], min_samples: int = 10
) -> float:
    """The squared difference of the means; 0.1 while there are fewer than `min_samples` samples.

    >>> estimate_bias_squared([1] * 10, [1] * 5 + [0] * 5), estimate_bias_squared([1], [0])
    (0.25, 0.1)
    """
    uct = _samples("uct_samples", uct_samples)
    amaf = _samples("amaf_samples", amaf_samples)
    if min(len(uct), len(amaf)) < max(1, whole_number("min_samples", min_samples, 0, MOST)):
        return 0.1
    return float((np.mean(amaf) - np.mean(uct)) ** 2)


def _samples(name: str, samples: Sequence[float]) -> NDArray[np.float64]:
    """A sequence of finite numbers as an array."""
    found = array_of_numbers(name, samples, LIST)
    if found.ndim != 1 or not np.isfinite(found).all():
        raise ValueError(f"{name} must be {LIST}, all of them finite, not {shown(samples)}")
    return found


# The cost of exploring


def regret(visits: Sequence[float], means: Sequence[float]) -> float:
    """The loss compared with always trying the best move: `sum(n_j * (best mean - mean_j))`.

    >>> regret([6, 4, 0], [0.75, 0.5, 0.0])
    1.0
    """
    tried = _tried(visits, means)
    best = max((mean for _, mean in tried), default=0.0)
    # fsum rounds once. The rounding of Python's own `sum` of floats changed in 3.12.
    return math.fsum(n * (best - mean) for n, mean in tried)


def regret_bound(visits: Sequence[float], means: Sequence[float]) -> float:
    """UCB1's bound on the regret: `8*sum(ln N / D) + (1 + pi²/3)*sum(D)`.

    N is the sum of the visits, D the distance of a worse move's mean from the best mean.

    >>> round(regret_bound([6, 4, 0], [0.75, 0.5, 0.0]), 3)
    74.755
    """
    tried = _tried(visits, means)
    best = max((mean for _, mean in tried), default=0.0)
    behind = [best - mean for _, mean in tried if mean < best]
    logarithm = math.log(sum(n for n, _ in tried)) if behind else 0.0
    exploring = math.fsum(logarithm / distance for distance in behind)
    return 8 * exploring + (1 + math.pi**2 / 3) * math.fsum(behind)


def _tried(visits: Sequence[float], means: Sequence[float]) -> list[tuple[float, float]]:
    """The visits and means of the moves with visits. Other moves may have a mean of nan."""
    counts = _samples("visits", visits)
    values = array_of_numbers("means", means, LIST)
    if values.shape != counts.shape:
        raise ValueError(f"means must be as many as visits, {len(counts)}, not {values.size}")
    tried = counts > 0
    if (counts < 0).any() or not np.isfinite(values[tried]).all():
        raise ValueError("visits must be at least 0 each, and means finite where there are visits")
    return list(zip(counts[tried].tolist(), values[tried].tolist(), strict=True))
