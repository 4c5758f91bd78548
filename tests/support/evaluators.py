"""Evaluators for batched searches, whose answers are the same on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = tuple[NDArray[np.float32], NDArray[np.float32]]


def scattered(planes: NDArray[Any], mask: NDArray[Any]) -> Arrays:
    """Logits from -2 to 2 and values from 0.1 to 0.9 that look random. Each row counts alone."""
    squares = np.arange(1, planes[0].size + 1, dtype=np.uint64)
    codes = np.arange(1, mask.shape[1] + 1, dtype=np.uint64)
    position = planes.reshape(len(planes), -1) @ (squares * squares + 12345)
    drawn = mixed(position[:, None] * 1_000_003 + codes)
    logits = drawn / 2**32 * 4 - 2
    values = mixed(position * 7919) / 2**32 * 0.8 + 0.1
    return logits.astype(np.float32), values.astype(np.float32)


def mixed(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Numbers from 0 to 2**32 - 1, made from words by multiplication and shifts."""
    words = (words ^ (words >> 29)) * 0xBF58476D1CE4E5B9
    words = (words ^ (words >> 32)) * 0x94D049BB133111EB
    return (words >> 32).astype(np.float64)


def flat(planes: NDArray[Any], mask: NDArray[Any]) -> Arrays:
    """Nothing is known: all moves are equal, and the value is one half."""
    return np.zeros(mask.shape, np.float32), np.full(len(planes), 0.5, np.float32)
