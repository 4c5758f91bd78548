"""The statistics of random games for notebooks: a row with a bar for each position."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.render import bars
from playout.render.html import SURE, cell, table
from playout.render.text import ROWS, seconds_text

if TYPE_CHECKING:
    from playout.playing import Playouts

HEADS = ("", "0 to 1", "mean", "wins", "draws", "losses", "plies a game")


def html(found: Playouts[Any, Any]) -> str:
    """What a notebook shows."""
    columns = (found.mean, found.stderr, found.wins, found.draws, found.losses, found.plies)
    rows = list(zip(*(np.ravel(column).tolist() for column in columns), strict=True))
    is_one = np.ndim(found.mean) == 0
    where = "from one position" if is_one else f"from each of {len(rows):,} positions"
    body = [
        _row("" if is_one else str(index), found.n, *row) for index, row in enumerate(rows[:ROWS])
    ]
    head = [cell("th", escape(name), "bars" if name == "0 to 1" else name) for name in HEADS]
    rest = f"<div>... and {len(rows) - ROWS:,} more positions</div>" if len(rows) > ROWS else ""
    return (
        f"<div><div><b>{found.n:,} playouts {where}</b>, as the side to move sees them: "
        f"{seconds_text(found.seconds)}</div>{table(head, body)}{rest}</div>"
    )


def _row(
    name: str, n: int, mean: float, stderr: float, wins: int, draws: int, losses: int, plies: int
) -> str:
    error = SURE * stderr
    bar = bars.bars([bars.Bar(mean, bars.MEAN, error)], f"{mean:.3f} \u00b1 {error:.3f}")
    texts = {
        "": name,
        "bars": bar,
        "mean": f"{mean:.3f} \u00b1 {error:.3f}",
        "wins": f"{wins:,}",
        "draws": f"{draws:,}",
        "losses": f"{losses:,}",
        "plies": f"{plies / n:.1f}",
    }
    return f"<tr>{''.join(cell('td', text, column) for column, text in texts.items())}</tr>"
