"""Small bars as SVG, for the cells of a table: values from 0 to 1 on one axis.

The colours have medium brightness, so that they are visible on light and dark pages.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH = 110  # pixels from 0 to 1
THICKNESS = 7  # pixels of one bar
GAP = 2  # pixels between bars, above the first and below the last

MEAN, AMAF = "#3f8fd2", "#e08a2e"  # colours: Monte Carlo, AMAF
WEIGHT, VISITS = "#9a77c9", "#7f9a6a"  # colours: beta, shares of the visits


class Bar(NamedTuple):
    """A value from 0 to 1 and its error. A value of nan leaves the place empty."""

    value: float
    colour: str
    error: float = math.nan  # half the length of a line at the bar's end


def bars(values: Sequence[Bar], title: str = "", *, middle: bool = True, width: int = WIDTH) -> str:
    """Bars below each other on a common axis from 0 to 1, with a tick at 0.5 if `middle`.

    >>> drawn = bars([Bar(0.6, MEAN, error=0.1), Bar(0.5, AMAF)], "0.6, by AMAF 0.5")
    >>> drawn.count("<rect"), "<title>0.6, by AMAF 0.5</title>" in drawn
    (3, True)
    """
    height = len(values) * (THICKNESS + GAP) + GAP
    tops = [GAP + index * (THICKNESS + GAP) for index in range(len(values))]
    parts = [
        f'<svg width="{width}" height="{height}" role="img" class="bars" '
        'style="vertical-align:middle">',
        f"<title>{escape(title)}</title>" if title else "",
        f'<rect width="{width}" height="{height}" fill="#888" fill-opacity="0.18"/>',
        *(_bar(bar, top, width) for bar, top in zip(values, tops, strict=True)),
        _tick(width, height) if middle else "",
        "</svg>",
    ]
    return "".join(parts)


def key(colour: str, name: str) -> str:
    """A square in the colour of a bar, and what the bar stands for."""
    return (
        f'<span style="color:{colour}" aria-hidden="true">&#9632;</span> '
        f'<span style="margin-right:0.8em">{escape(name)}</span>'
    )


def _bar(bar: Bar, top: int, width: int) -> str:
    if math.isnan(bar.value):
        return ""
    end = width * min(1.0, max(0.0, bar.value))
    drawn = (
        f'<rect y="{top}" width="{end:.1f}" height="{THICKNESS}" fill="{bar.colour}" class="bar"/>'
    )
    if not math.isnan(bar.error):
        left, right = max(0.0, end - width * bar.error), min(width, end + width * bar.error)
        drawn += (
            f'<path d="M{left:.1f} {top + THICKNESS / 2:g}H{right:.1f}" stroke="currentColor" '
            'stroke-width="1.5" class="error"/>'
        )
    return drawn


def _tick(width: int, height: int) -> str:
    return (
        f'<path d="M{width / 2:g} 0V{height}" stroke="currentColor" stroke-opacity="0.6" '
        'stroke-dasharray="2 1" class="tick"/>'
    )
