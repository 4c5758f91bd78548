"""Checks of what a user passes in: every message names the fault and the remedy."""

from __future__ import annotations

import operator
from typing import TypeAlias

import numpy as np

Seed: TypeAlias = int | np.random.SeedSequence


def whole_number(name: str, value: int, least: int, most: int) -> int:
    """The value as an int, if it is a whole number in the range.

    >>> whole_number("n", 0, 1, 9)
    Traceback (most recent call last):
    ValueError: n must be a whole number from 1 to 9, not 0
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return number
