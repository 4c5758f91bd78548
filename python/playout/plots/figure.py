"""New figures or given axes to draw in, and the style of curves."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import patheffects, pyplot
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mcts_core.errors import shown

# The colours of Okabe and Ito, which colour-blind people can tell apart. Line styles and marks
# distinguish the curves in black and white.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)))
MARKS = ("o", "s", "^", "D", "v", "P", "X")
# A white edge that makes figures readable on any background.
EDGED = [patheffects.withStroke(linewidth=2.5, foreground="white")]


def style(index: int) -> dict[str, Any]:
    """Colour, line style and mark of the curve with this number."""
    which = index % len(COLOURS)
    turned = (which + index // len(COLOURS)) % len(LINES)  # a second round differs in the line
    return {"color": COLOURS[which], "linestyle": LINES[turned], "marker": MARKS[which]}


def axes_for(ax: Any, n: int, size: tuple[float, float], **layout: Any) -> list[Axes]:
    """n axes: the given ones, or those of a new figure of this size in inches."""
    if ax is None:
        _, made = pyplot.subplots(
            1, n, figsize=size, layout="constrained", squeeze=False, gridspec_kw=layout or None
        )
        return list(made[0])
    given = [ax] if isinstance(ax, Axes) else list(np.ravel(ax))
    if len(given) != n or not all(isinstance(each, Axes) for each in given):
        wanted = "matplotlib axes" if n == 1 else f"{n} matplotlib axes"
        raise ValueError(f"ax must be {wanted} for this, not {shown(ax)}")
    return given


def curve(
    ax: Axes,
    budgets: NDArray[Any],
    mean: NDArray[Any],
    low: NDArray[Any],
    high: NDArray[Any],
    *,
    label: str,
    index: int,
) -> None:
    """A curve against playouts on a log axis, and its confidence band."""
    look = style(index)
    ax.plot(budgets, mean, label=label, markersize=4, linewidth=1.6, **look)
    ax.fill_between(budgets, low, high, color=look["color"], alpha=0.15, linewidth=0)
    ax.set_xscale("log")
    ax.set_xlabel("playouts")
    ax.grid(visible=True, alpha=0.3)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
