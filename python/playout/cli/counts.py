"""Whole numbers as people write them: `100000`, `100_000`, `1e5`, `100k` or `2M`."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import click

from mcts_core.errors import shown

UNITS = {"k": 10**3, "m": 10**6, "g": 10**9}
SHORT = re.compile(r"([0-9]{1,19}(?:\.[0-9]{1,19})?)(?:e\+?([0-9]{1,2})|([kmg]))", re.IGNORECASE)


def count_from(text: str) -> int | None:
    """The whole number that a text stands for; None if there is none.

    >>> [count_from(text) for text in ("100_000", "1e5", "2.5M", "10k", "-3", "1.5", "ten")]
    [100000, 100000, 2500000, 10000, -3, None, None]
    """
    try:
        return int(text)
    except ValueError:
        parts = SHORT.fullmatch(text.strip())
    if parts is None:
        return None
    number, exponent, unit = parts.groups()
    value = Decimal(number) * (UNITS[unit.lower()] if unit else 10 ** int(exponent))
    return int(value) if value == int(value) else None


class Count(click.types.IntParamType):
    """The type of an option that counts something."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of a text; a default is an int already."""
        found = value if isinstance(value, int) else count_from(value)
        if found is None:
            self.fail(
                f"{shown(value)} is not a valid integer, such as 10000, 1e4 or 10k", param, ctx
            )
        return found


COUNT = Count()
