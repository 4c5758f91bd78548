"""Checks of arguments: every message names the fault and the remedy."""

from __future__ import annotations

import math
import numbers
import os
import re
from collections.abc import Callable, Collection
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mcts_core.errors import did_you_mean, shown, whole

Seed: TypeAlias = int | np.random.SeedSequence  # repeats a result
AnySeed: TypeAlias = Seed | np.random.Generator  # an argument: a Generator gives a fresh int

Name = TypeVar("Name", bound=str)
Search = TypeVar("Search", bound=Callable[..., Any])

MOST = 2**31 - 1  # the largest count that an argument can have


def limits_by_name(search: Search) -> Search:
    """Make a function refuse a limit without its name, in words that say what to write.

    >>> import playout as po
    >>> po.search(po.Breakthrough(), "uct", 1000)
    Traceback (most recent call last):
    TypeError: search() takes a limit by its name: write playouts=1000
    """
    kinds = [parameter.kind for parameter in signature(search).parameters.values()]
    places = sum(kind is Parameter.POSITIONAL_OR_KEYWORD for kind in kinds)

    @wraps(search)
    def checked(*given: Any, **named: Any) -> Any:
        if len(given) > places:
            raise TypeError(
                f"{search.__name__}() takes a limit by its name: "
                f"write playouts={shown(given[places])}"
            )
        return search(*given, **named)

    return cast(Search, checked)


def whole_number(name: str, value: int, least: int, most: int) -> int:
    """The value as an int, if it is a whole number in the range.

    >>> whole_number("n", 0, 1, 9)
    Traceback (most recent call last):
    ValueError: n must be a whole number from 1 to 9, not 0
    """
    found = whole(value)
    if found is None or not least <= found <= most:
        raise ValueError(
            f"{name} must be a whole number from {least} to {most}, not {shown(value)}"
        )
    return found


def number(name: str, value: float, least: float = 0.0, *, above: bool = False) -> float:
    """The value as a float, if it is a finite number and at least (or above) the least.

    >>> number("c", -0.4)
    Traceback (most recent call last):
    ValueError: c must be a number of at least 0, not -0.4
    """
    found = _float(name, value)
    if not math.isfinite(found) or found < least or (above and found == least):
        bound = f"above {least:g}" if above else f"of at least {least:g}"
        raise ValueError(f"{name} must be a number {bound}, not {shown(value)}")
    return found


def finite(name: str, value: float) -> float:
    """The value as a float, if it is a finite number, which may be negative.

    >>> finite("mean", 10**400)
    Traceback (most recent call last):
    ValueError: mean must be a number between -1e308 and 1e308, not an int of about 401 digits
    """
    found = _float(name, value)
    if not math.isfinite(found):
        raise ValueError(f"{name} must be a finite number, not {shown(value)}")
    return found


def _float(name: str, value: object) -> float:
    """The value as a float; nan if it is not a number."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        raise ValueError(
            f"{name} must be a number between -1e308 and 1e308, not {shown(value)}"
        ) from None


def array_of_numbers(name: str, values: ArrayLike, what: str) -> NDArray[np.float64]:
    """The values as an array of floats, which may be nan. `what` describes them in the message.

    >>> array_of_numbers("visits", [1, 2], "a list of numbers")
    array([1., 2.])
    >>> array_of_numbers("visits", "12", "a list of numbers")
    Traceback (most recent call last):
    ValueError: visits must be a list of numbers, not '12'
    """
    try:
        found = np.asarray(values)
    except MemoryError:
        raise
    except Exception:  # ragged rows, or what an object's own __array__ raises
        found = np.empty((), dtype=object)
    if found.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be {what}, not {shown(values)}")
    return found.astype(np.float64)


def one_of(name: str, value: str, known: Collection[Name]) -> Name:
    """The value, if it is among the known names.

    >>> one_of("rule", "ucb2", ["ucb1", "tuned"])
    Traceback (most recent call last):
    ValueError: rule must be one of 'ucb1', 'tuned', not 'ucb2'; did you mean 'ucb1'?
    """
    if not isinstance(value, str) or value not in known:
        hint = did_you_mean(value, list(known)) if isinstance(value, str) else ""
        raise ValueError(
            f"{name} must be one of {', '.join(map(repr, known))}, not {shown(value)}{hint}"
        )
    return cast(Name, value)


UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
UNITS |= {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
LEAST_MEMORY, MOST_MEMORY, LARGEST_DEFAULT = 2**16, 2**50, 2**30


def memory_size(name: str, value: int | str) -> int:
    """An amount of memory in bytes: a whole number, or text such as "512MB" or "2 GiB".

    >>> memory_size("memory", "512MB"), memory_size("memory", "1.5 GiB")
    (512000000, 1610612736)
    >>> memory_size("memory", "plenty")
    Traceback (most recent call last):
    ValueError: memory must be bytes, 65536 or more, or a text like '512MB' or '2GiB', not 'plenty'
    """
    size = _size_in_words(value) if isinstance(value, str) else whole(value)
    if size is None or not LEAST_MEMORY <= size <= MOST_MEMORY:
        raise ValueError(
            f"{name} must be bytes, {LEAST_MEMORY} or more, or a text like '512MB' or '2GiB', "
            f"not {shown(value)}"
        )
    return size


def on_this_machine(size: int) -> int:
    """The bytes of a table, if this machine has as much memory: if not, the system would end it.

    A size that is the default of some search is accepted on any machine: tables grow as needed.

    >>> on_this_machine(10**15)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: memory=1,000,000,000,000,000 is more than this machine has: ... bytes
    """
    there_is = _machine_memory()
    if size > max(there_is, LARGEST_DEFAULT):
        raise ValueError(f"memory={size:,} is more than this machine has: {there_is:,} bytes")
    return size


def _machine_memory() -> int:
    """Bytes of memory that this machine has; more than any table if the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # Windows
        return MOST_MEMORY


def _size_in_words(text: str) -> int | None:
    parts = re.fullmatch(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)\s*+([kmgt]i?)?b?", text.strip().lower())
    return int(float(parts[1]) * UNITS[parts[2] or ""]) if parts else None
