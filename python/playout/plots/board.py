"""Positions and results by matplotlib: the board, and the estimates of the moves."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib import patches
from matplotlib.axes import Axes

from mcts_core.board import Board
from mcts_core.errors import BadPosition
from mcts_core.position import Position
from playout.arguments import whole_number
from playout.plots import figure as figures
from playout.render import board as pictures
from playout.render import html as render_html
from playout.render import text as render
from playout.render.bars import AMAF, MEAN
from playout.result import Result

INCHES = 0.62  # the side of a square


def draw_position(position: Position, ax: Any) -> list[Axes]:
    """The board with its coordinates."""
    board = _board_of(position)
    axes = figures.axes_for(ax, 1, _size(board))
    draw_board(axes[0], board)
    axes[0].set_title(render.place(position), fontsize=10)
    return axes


def draw_result(result: Result, ax: Any, moves: int = 12) -> list[Axes]:
    """The board with values and visits of the moves; beside it both estimates, if there are two."""
    board = _board_of(result.position)
    shown = whole_number("moves", moves, 1, 10_000)
    is_alone = "amaf_mean" not in (result.moves.dtype.names or ()) or isinstance(ax, Axes)
    width, height = _size(board)
    if is_alone:
        axes = figures.axes_for(ax, 1, (width, height))
    else:
        axes = figures.axes_for(ax, 2, (width + 4.2, height), width_ratios=[width, 4.2])
    draw_board(axes[0], board, render_html.arrows(result, board), render_html.heat(result, board))
    worth = f"{result.value:.3f}" if result.method.plays_out else f"{result.value:g} points"
    axes[0].set_title(f"{result.method!r}: {result.move}, value {worth}", fontsize=10)
    if not is_alone:
        draw_estimates(axes[1], result, shown)
    return axes


def draw_estimates(ax: Axes, result: Result, moves: int) -> None:
    """Monte Carlo with its 95 % interval and AMAF beside it, the best move on top."""
    rows = result.moves[:moves]
    places = np.arange(len(rows))
    ax.barh(places - 0.2, rows["mean"], 0.38, color=MEAN, label="Monte Carlo, 95 %")
    ax.errorbar(
        rows["mean"], places - 0.2, xerr=render_html.SURE * rows["stderr"], fmt="none",
        ecolor="#333", elinewidth=1, capsize=2,
    )  # fmt: skip
    ax.barh(places + 0.2, rows["amaf_mean"], 0.38, color=AMAF, label="AMAF")
    ax.axvline(0.5, color="#888", linewidth=1, linestyle="--")
    ax.set_yticks(places, rows["move"].tolist())
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.set_xlabel("chance to win")
    left = len(result.moves) - len(rows)
    some = f" of the first {len(rows)} moves" if left else ""
    ax.set_title(f"the two estimates{some}", fontsize=10)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False, fontsize=9)


# The board


def draw_board(
    ax: Axes,
    board: Board,
    arrows: Iterable[pictures.Arrow] = (),
    heat: Iterable[pictures.Heat] = (),
) -> None:
    """The same picture as `pictures.svg`, in axes whose unit is a square, the first row on top."""
    n_rows, n_cols = len(board.rows), len(board.files)
    heats = {spot.square: spot for spot in heat}
    for row in range(n_rows):
        for col in range(n_cols):
            _draw_square(ax, board, row, col, heats.get((row, col)))
    for arrow in arrows:
        if arrow.squares:
            _draw_arrow(ax, arrow, arrow.squares[-1] in heats)
    for spot in heats.values():
        _draw_figures(ax, spot)
    ax.set_xlim(0, n_cols)
    ax.set_ylim(n_rows, 0)
    ax.set_aspect("equal")
    ax.set_xticks(np.arange(n_cols) + 0.5, list(board.files))
    ax.set_yticks(np.arange(n_rows) + 0.5, board.ranks)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _draw_square(ax: Axes, board: Board, row: int, col: int, heat: pictures.Heat | None) -> None:
    def fill(colour: str, strength: float) -> None:
        ax.add_patch(
            patches.Rectangle((col, row), 1, 1, facecolor=colour, alpha=strength, linewidth=0)
        )

    fill(board.colours[(row + col) % 2], 1.0)
    if (row, col) in board.marked:
        fill("#f0c030", 0.55)
    if heat is not None and not math.isnan(heat.value):
        fill(pictures.colour_of(heat.value), 0.55 + 0.4 * heat.weight)
    man = board.rows[row][col]
    if man in "wb":
        face, edge = ("#fff", "#333") if man == "w" else ("#222", "#ddd")
        ax.add_patch(patches.Circle((col + 0.5, row + 0.5), 0.38, facecolor=face, edgecolor=edge))


def _draw_arrow(ax: Axes, arrow: pictures.Arrow, stops_short: bool) -> None:
    """An arrow, or a ring if a move names only one square; shorter if there are figures."""
    colour = "#d9480f" if arrow.is_best else "#1c6fb5"
    (row, col), (last_row, last_col) = arrow.squares[0], arrow.squares[-1]
    if (row, col) == (last_row, last_col):
        thickness = 0.05 + 0.1 * arrow.weight
        ax.add_patch(
            patches.Annulus(
                (col + 0.5, row + 0.5), 0.48, thickness, facecolor=colour, alpha=0.8, linewidth=0
            )
        )
        return
    part, width = 0.7 if stops_short else 1.0, 0.05 + 0.22 * arrow.weight
    ax.add_patch(
        patches.FancyArrow(
            col + 0.5, row + 0.5, part * (last_col - col), part * (last_row - row),
            width=width, head_width=width + 0.22, head_length=0.75 * (width + 0.22),
            length_includes_head=True, facecolor=colour, alpha=0.8, linewidth=0,
        )
    )  # fmt: skip


def _draw_figures(ax: Axes, heat: pictures.Heat) -> None:
    x, y = heat.square[1] + 0.5, heat.square[0] + 0.5
    for text, size, height in ((heat.label, 9, y - 0.05), (heat.note, 7, y + 0.28)):
        if text:
            ax.text(
                x, height, text, fontsize=size, fontweight="bold", color="#111", ha="center",
                va="center", path_effects=figures.EDGED,
            )  # fmt: skip


def _board_of(position: Position) -> Board:
    board = render.board_of(position)
    if board is None:
        raise BadPosition(
            f"{render.game_name(position)} has no board to draw; print the result instead, "
            "or plot its tree or a comparison"
        )
    return board


def _size(board: Board) -> tuple[float, float]:
    """The size of a figure with only the board, in inches."""
    return INCHES * len(board.files) + 0.6, INCHES * len(board.rows) + 0.9
