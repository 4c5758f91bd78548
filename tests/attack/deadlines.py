"""Searches and solvers with a limit in seconds, alone and beside two busy processes."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import limits

PROMISE = "a limit in seconds is kept"
GROSS = 1.0  # seconds: a larger overrun fails, even on a busy machine


def overruns(searches: int, busy: int) -> list[float]:
    """The overrun of each search, in seconds."""
    with limits.busy(busy):
        measured = limits.measure(searches, longest=0.5, threads=1, seed=1)
        return [measurement.overrun for measurement in measured]


def attack(night: bool) -> str:
    """Report the 99th percentiles. Only overruns above GROSS fail."""
    searches = 1000 if night else 40
    quiet, busy = overruns(searches, 0), overruns(searches, 2)
    assert max(quiet + busy) < GROSS, f"a search overran its limit by {max(quiet + busy):.1f} s"
    percentiles = [1000 * np.percentile(times, 99) for times in (quiet, busy)]
    return (
        f"2 x {searches} searches, 99 % within {percentiles[0]:.1f} ms, "
        f"beside two busy processes {percentiles[1]:.1f} ms"
    )
