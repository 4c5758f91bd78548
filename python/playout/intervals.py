"""95 % confidence intervals of means and rates, over the last axis."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Z = 1.959964  # standard errors on either side of a mean, for 95 %


class Band(NamedTuple):
    """Means and the bounds of their intervals; nan where there is no interval."""

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def of_rates(hits: NDArray[Any]) -> Band:
    """Rates of success and Wilson's intervals, which lie between 0 and 1.

    >>> of_rates(np.array([True, True, False, True])).mean.item()
    0.75
    """
    n = hits.shape[-1]
    rate = hits.mean(axis=-1)
    centre = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * np.sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    return Band(rate, np.minimum(rate, centre - half), np.maximum(rate, centre + half))


def of_means(samples: NDArray[np.float64]) -> Band:
    """Means and normal intervals, from the spread of the samples; one sample has no interval."""
    mean, error = samples.mean(axis=-1), standard_error(samples)
    return Band(mean, mean - Z * error, mean + Z * error)


def standard_error(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard error of the mean; nan for one sample."""
    n = samples.shape[-1]
    if n == 1:
        return np.full(samples.shape[:-1], np.nan)
    return np.asarray(samples.std(axis=-1, ddof=1) / np.sqrt(n))
