"""A comparison by matplotlib: choices and values against the number of playouts."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from playout.arguments import one_of
from playout.comparison import CURVES, Comparison
from playout.methods import METHODS
from playout.plots import figure as figures
from playout.render import text as render

WIDTH, HEIGHT = 4.3, 3.9  # inches of one axes
KEY_COLUMNS = 7  # columns of the legend below the figure


def draw_comparison(comparison: Comparison, ax: Any, what: str | None = None) -> list[Axes]:
    """All three curves of each method, or one. The legend is outside the axes."""
    wanted = CURVES if what is None else (one_of("what", what, CURVES),)
    axes = figures.axes_for(ax, len(wanted), (max(5.0, WIDTH * len(wanted)), HEIGHT))
    for each, kind in zip(axes, wanted, strict=True):
        _draw_curves(each, comparison, kind)
    _place_legend(axes, is_new=ax is None)
    if ax is None:
        axes[0].figure.suptitle(_title(comparison), fontsize=10)
    return axes


def _place_legend(axes: list[Axes], *, is_new: bool) -> None:
    """Place the legend where it covers no curve: below a new figure, beside given axes."""
    entries = [ax.get_legend_handles_labels() for ax in axes]
    handles, labels = max(entries, key=lambda entry: len(entry[1]))  # not all have every curve
    look: dict[str, Any] = {"frameon": False, "handlelength": 3.5}
    if is_new:
        columns = min(KEY_COLUMNS if len(axes) > 1 else 4, len(handles))
        axes[0].figure.legend(handles, labels, loc="outside lower center", ncols=columns, **look)
    else:
        axes[-1].legend(handles, labels, loc="upper left", bbox_to_anchor=(1.02, 1), **look)


def _draw_curves(ax: Axes, comparison: Comparison, what: str) -> None:
    for method, index in zip(comparison.methods, _styles(comparison), strict=True):
        budgets, mean, low, high = comparison.curve(method, what)
        if not np.isnan(mean).all():
            figures.curve(ax, budgets, mean, low, high, label=repr(method), index=index)
    ax.set_title(_heading(comparison, what), fontsize=10, parse_math=False)
    if what == "best":
        ax.set_ylim(-0.03, 1.03)
    if what == "regret":
        ax.set_ylim(bottom=-0.03)
        if comparison.truth is None:
            ax.text(
                0.5, 0.5, "not solved:\nthe regret is not known", transform=ax.transAxes,
                ha="center", va="center", color="#666",
            )  # fmt: skip
            ax.set_axis_off()


def _styles(comparison: Comparison) -> list[int]:
    """Style numbers: the same in every picture for methods of METHODS, if there are no others."""
    kinds, known = [type(method) for method in comparison.methods], list(METHODS.values())
    if len(set(kinds)) < len(kinds) or not set(kinds) <= set(known):
        return list(range(len(kinds)))
    return [known.index(kind) for kind in kinds]


def _heading(comparison: Comparison, what: str) -> str:
    if what == "value":
        return "value of the chosen move"
    if what == "regret":
        return "regret: what the choice gives away"
    if comparison.best is None:
        return f"share that chose {comparison.majority}, the majority's move"
    return "chance of an exactly best move"


def _title(comparison: Comparison) -> str:
    return (
        f"{render.place(comparison.position)}: {comparison.runs:,} searches of each method, "
        "bands of 95 %"
    )
