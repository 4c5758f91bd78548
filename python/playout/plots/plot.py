"""Pictures for papers and slides: positions, results, comparisons and trees by matplotlib.

matplotlib is imported at the first picture.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from mcts_core.errors import shown
from mcts_core.position import Position
from playout.comparison import Comparison
from playout.result import Result
from playout.tree import Node

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


def plot(thing: Any, ax: Any = None, **options: Any) -> Axes | NDArray[Any]:
    """Draw a position, a result, a comparison or a tree; returns the matplotlib axes.

    - a `Position`: the board, with the last move marked;
    - a `Result`: the board with values and visits as a heat map and moves as arrows. If the method
      has AMAF, a second axes shows Monte Carlo and AMAF of each move. `moves=`: how many (12);
    - a `Comparison`: three axes with value, chance of the best move and regret against playouts,
      with 95 % confidence bands. `what="value"`, `"best"` or `"regret"`: only that one;
    - a `Node`, such as `result.tree`: the tree below it. `nodes=`: how many nodes, the most visited
      ones (30); `depth=`: how many levels (4).

    `ax`: the axes to draw in (a sequence for several), instead of a new figure. A result on one
    axes is only the board.

    Needs matplotlib: `pip install "playout[plot]"`.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> import playout as po
    >>> result = po.search(po.Breakthrough(5), "rave", playouts=500, seed=1)
    >>> board, estimates = po.plot(result)
    >>> board.figure.savefig("rave.png")  # doctest: +SKIP
    """
    _need_matplotlib()
    from playout.plots import board, comparison, tree

    drawings: dict[type, Callable[..., Any]] = {
        Position: board.draw_position,
        Result: board.draw_result,
        Comparison: comparison.draw_comparison,
        Node: tree.draw_tree,
    }
    for kind, draw in drawings.items():
        if isinstance(thing, kind):
            _check_options(kind, draw, options)
            drawn: list[Axes] = draw(thing, ax, **options)
            return drawn[0] if len(drawn) == 1 else np.array(drawn, dtype=object)
    raise TypeError(
        "what can be drawn is a Position, a Result, a Comparison or a Node of a tree, "
        f"not {shown(thing)}"
    )


def _need_matplotlib() -> None:
    try:
        import matplotlib.pyplot  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f'playout.plot needs matplotlib ({error}): pip install "playout[plot]"'
        ) from error


def _check_options(kind: type, draw: Callable[..., Any], options: dict[str, Any]) -> None:
    known = list(signature(draw).parameters)[2:]
    for name in options:
        if name not in known:
            has = " and ".join(f"{each}=" for each in known) or "no options"
            raise TypeError(f"the plot of a {kind.__name__} takes {has}, not {name}=")
