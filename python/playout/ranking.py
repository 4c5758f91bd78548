"""Which of the root's moves is the best, judged by the statistics that a search returns.

The compiled searches choose their move themselves; this puts the others in order behind it, and
chooses where the statistics of several searches were added up.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.rng import SFC64
from playout.columns import Columns, ratio
from playout.methods import AMAF, UCB, Flat, Method


def mean_of(method: Method, columns: Columns) -> NDArray[np.float64]:
    """The mean of each move's own playouts, the recent ones weighing more if the method says so."""
    if isinstance(method, Flat) and method.schedule == "recent":
        return ratio(columns["recent_wins"], columns["recent_visits"])
    return ratio(columns["wins"], columns["visits"])


def worth(method: Method, row: dict[str, Any]) -> float:
    """What a row of a result's table says of its move: proven, else its mean, else AMAF's mean."""
    names = ["amaf_mean"] if isinstance(method, AMAF) else ["proven", "mean", "amaf_mean"]
    values: list[float] = [row[name] for name in names if name in row]
    known = [value for value in values if not math.isnan(value)]
    return known[0] if known else 0.5


def seen_by(turn: int, low: NDArray[Any], high: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Bounds on the first player's result as the player to move sees them."""
    return (1.0 - high, 1.0 - low) if turn else (low, high)


def criterion(method: Method, columns: Columns, turn: int) -> list[tuple[float, ...]]:
    """What is compared in the end, a tuple for each move: the larger, the better."""
    mean = mean_of(method, columns)
    if isinstance(method, AMAF):
        rows = [ratio(columns["amaf_wins"], columns["amaf_visits"])]
    elif isinstance(method, Flat):
        rows = [mean]
    elif isinstance(method, UCB):
        rows = [columns["visits"], mean]
    else:
        amaf_mean = ratio(columns["amaf_wins"], columns["amaf_visits"])
        known = np.where(columns["visits"] > 0, mean, amaf_mean)
        rows = [_is_candidate(columns, turn), columns["visits"], known]
    return list(zip(*(np.nan_to_num(row, nan=-np.inf).tolist() for row in rows), strict=True))


def _is_candidate(columns: Columns, turn: int) -> NDArray[np.float64]:
    """1 for moves that are not certainly worse, and once the best result is certain, give it."""
    if "low" not in columns:
        return np.ones(len(columns["visits"]))
    low, high = seen_by(turn, columns["low"], columns["high"])
    certain = low.max()
    is_proven = certain == high.max()
    return np.where(low == certain if is_proven else high >= certain, 1.0, 0.0)


def ranking(keys: list[tuple[float, ...]]) -> list[int]:
    """The indices of the moves, best first; equals stay in legal order."""
    return sorted(range(len(keys)), key=lambda index: keys[index], reverse=True)


def choose(method: Method, keys: list[tuple[float, ...]], seed: np.random.SeedSequence) -> int:
    """The index of the best move; ties are broken as `method.ties` says."""
    best = max(keys)
    tied = [index for index, key in enumerate(keys) if key == best]
    if len(tied) == 1 or method.ties == "first":
        return tied[0]
    return tied[_own_stream(method, len(keys), seed).below(len(tied))]


def _own_stream(method: Method, n_moves: int, seed: np.random.SeedSequence) -> SFC64:
    """The stream for a search's own decisions, where its playouts do not use it up."""
    if isinstance(method, Flat):
        return SFC64(seed, n_moves)
    return SFC64(seed, 1 if isinstance(method, AMAF) else 0)
