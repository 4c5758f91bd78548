"""Checks of what a user passes in: every message names the fault and the remedy."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Collection
from typing import TypeAlias

import numpy as np

from mcts_core.errors import did_you_mean

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


def number(name: str, value: float, least: float = 0.0, *, above: bool = False) -> float:
    """The value as a float, if it is a finite number and at least (or above) the least.

    >>> number("c", -0.4)
    Traceback (most recent call last):
    ValueError: c must be a number of at least 0, not -0.4
    """
    known = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not known or not math.isfinite(value) or value < least or (above and value == least):
        bound = f"above {least:g}" if above else f"of at least {least:g}"
        raise ValueError(f"{name} must be a number {bound}, not {value!r}")
    return float(value)


def one_of(name: str, value: str, known: Collection[str]) -> str:
    """The value, if it is among the known names.

    >>> one_of("rule", "ucb2", ["ucb1", "tuned"])
    Traceback (most recent call last):
    ValueError: rule must be one of 'ucb1', 'tuned', not 'ucb2'; did you mean 'ucb1'?
    """
    if not isinstance(value, str) or value not in known:
        hint = did_you_mean(value, list(known)) if isinstance(value, str) else ""
        raise ValueError(
            f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}{hint}"
        )
    return value


UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
LEAST_MEMORY, MOST_MEMORY = 2**16, 2**50


def memory_size(name: str, value: int | str) -> int:
    """An amount of memory in bytes: a whole number, or text such as "512MB" or "2 GiB".

    >>> memory_size("memory", "512MB"), memory_size("memory", "1.5 GiB")
    (512000000, 1610612736)
    >>> memory_size("memory", "plenty")
    Traceback (most recent call last):
    ValueError: memory must be bytes, 65536 or more, or a text like '512MB' or '2GiB', not 'plenty'
    """
    if isinstance(value, str):
        parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmg]i?)?b?\s*", value.lower())
        size = int(float(parts[1]) * UNITS[parts[2] or ""]) if parts else 0
    else:
        known = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        size = int(value) if known else 0
    if not LEAST_MEMORY <= size <= MOST_MEMORY:
        raise ValueError(
            f"{name} must be bytes, {LEAST_MEMORY} or more, or a text like '512MB' or '2GiB', "
            f"not {value!r}"
        )
    return size
