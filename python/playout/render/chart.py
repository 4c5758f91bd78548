"""A chart of lines as SVG: a curve, perhaps with a band around it, and levels that it may reach."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 520, 220  # pixels
LEFT, RIGHT, TOP, BOTTOM = 56, 14, 26, 30  # margins, for the title and the numbers
MOST_POINTS = 400  # drawn; more would not be seen
GREY = "#888"
STEPS = (1, 2, 2.5, 5, 10)  # of round numbers on an axis, times a power of ten


@dataclass(frozen=True)
class Curve:
    """Points from left to right."""

    xs: Sequence[float]
    ys: Sequence[float]
    low: Sequence[float] = ()  # the band, if there is one
    high: Sequence[float] = ()
    colour: str = "#3f8fd2"


def svg(curve: Curve, title: str, x_title: str, levels: Sequence[tuple[float, str]] = ()) -> str:
    """The chart; `levels` are horizontal lines with a word each.

    >>> drawn = svg(Curve([1, 2, 3], [0.1, 0.4, 0.2]), "score", "pairs", [(0.5, "even")])
    >>> drawn.count("<polyline"), drawn.count(">even<")
    (1, 1)
    """
    step = max(1, math.ceil(len(curve.xs) / MOST_POINTS))
    kept = sorted({*range(0, len(curve.xs), step), len(curve.xs) - 1}) if curve.xs else []
    shown = [*curve.ys, *curve.low, *curve.high, *(level for level, _ in levels)]
    frame = _Frame(min(curve.xs, default=0.0), max(curve.xs, default=1.0), min(shown), max(shown))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" class="chart" '
        'font-family="sans-serif" font-size="11" fill="currentColor">',
        f"<title>{escape(title)}</title>",
        f'<text x="{LEFT}" y="16" font-weight="bold">{escape(title)}</text>',
        *frame.axes(x_title),
    ]
    if curve.low and curve.high:
        forth = [frame.at(curve.xs[i], curve.high[i]) for i in kept]
        back = [frame.at(curve.xs[i], curve.low[i]) for i in reversed(kept)]
        corners = " ".join(forth + back)
        parts.append(f'<polygon points="{corners}" fill="{curve.colour}" fill-opacity="0.2"/>')
    for level, word in levels:
        parts += frame.level(level, word)
    points = " ".join(frame.at(curve.xs[i], curve.ys[i]) for i in kept)
    parts.append(
        f'<polyline points="{points}" fill="none" stroke="{curve.colour}" stroke-width="1.8"/>'
    )
    return "".join([*parts, "</svg>"])


class _Frame:
    """Where numbers lie on the picture."""

    def __init__(self, left: float, right: float, low: float, high: float) -> None:
        self.left, self.right = left, right if right > left else left + 1
        spare = 0.05 * (high - low) or 0.5
        self.low, self.high = low - spare, high + spare

    def x(self, value: float) -> float:
        share = (value - self.left) / (self.right - self.left)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def at(self, x: float, y: float) -> str:
        return f"{self.x(x):.1f},{self.y(y):.1f}"

    def axes(self, x_title: str) -> list[str]:
        """Lines at round numbers, with the numbers."""
        parts = []
        for value in _round_numbers(self.low, self.high, 5):
            y = self.y(value)
            parts.append(
                f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                f'stroke="{GREY}" stroke-opacity="0.25"/>'
                f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
            )
        for value in _round_numbers(self.left, self.right, 6):
            parts.append(
                f'<text x="{self.x(value):.1f}" y="{HEIGHT - BOTTOM + 14}" '
                f'text-anchor="middle">{value:,g}</text>'
            )
        parts.append(
            f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 3}" text-anchor="end" '
            f'fill-opacity="0.7">{escape(x_title)}</text>'
        )
        return parts

    def level(self, value: float, word: str) -> list[str]:
        y = self.y(value)
        return [
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{GREY}" stroke-dasharray="5 4"/>',
            f'<text x="{WIDTH - RIGHT}" y="{y - 4:.1f}" text-anchor="end" '
            f'fill-opacity="0.7">{escape(word)}</text>',
        ]


def _round_numbers(low: float, high: float, about: int) -> list[float]:
    """Round numbers between two others.

    >>> _round_numbers(0.03, 0.97, 5)
    [0.2, 0.4, 0.6, 0.8]
    """
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(step * power for step in STEPS if step * power >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(n * step, 10) for n in range(first, last + 1)]
