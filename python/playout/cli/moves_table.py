"""A search's result as a table of moves, for terminals."""

from __future__ import annotations

import math

from rich.table import Table

from playout.cli.screen import mover, table
from playout.render.text import seconds_text
from playout.result import Result

PLIES = 12  # of the expected play
BAR = 16  # characters of the longest bar
ENDS = {
    "playouts": "all playouts played",
    "seconds": "time is up",
    "sure": "sure enough",
    "proven": "the result is proven",
    "stopped": "you stopped it",
    "depth": "the depth is reached",
    "nodes": "all nodes spent",
    "running": "searching",
}


def moves_table(result: Result, rows: int, *, bars: bool = True) -> Table:
    """The best moves, at most `rows` of them."""
    shown = result.moves[:rows]
    names = result.moves.dtype.names or ()
    if not result.method.plays_out:
        heads = ["move", "value", "nodes", "line"]
        lines = [
            [str(row["move"]), _points(row), f"{row['nodes']:,}", str(row["line"])] for row in shown
        ]
        made = table(heads, lines, best=0)
        made.columns[3].justify = "left"
        made.columns[3].no_wrap = False
        return made
    heads = ["move", "playouts", *(["share"] if bars else []), "mean", "error"]
    if "amaf_mean" in names:
        heads += ["AMAF", "of playouts"]
    if "beta" in names:
        heads.append("beta")
    if "proven" in names:
        heads.append("proven")
    total = max(1, int(result.moves["visits"].sum()))
    most = max(1, int(result.moves["visits"].max()))
    lines = []
    for row in shown:
        line = [str(row["move"]), f"{row['visits']:,}"]
        if bars:
            bar = "━" * round(BAR * int(row["visits"]) / most)
            line.append(f"{bar} {row['visits'] / total:4.0%}")
        line += [_three(row["mean"]), _three(row["stderr"])]
        if "amaf_mean" in names:
            line += [_three(row["amaf_mean"]), f"{row['amaf_visits']:,}"]
        if "beta" in names:
            line.append(_three(row["beta"]))
        if "proven" in names:
            line.append({1.0: "win", 0.5: "draw", 0.0: "loss"}.get(float(row["proven"]), ""))
        lines.append(line)
    return table(heads, lines, best=0)


def legend(result: Result) -> str:
    """What the columns mean."""
    if not result.method.plays_out:
        return (
            "value: in points of the evaluation, to the side to move; "
            "<= no more than that, by how much is not known"
        )
    names = result.moves.dtype.names or ()
    text = (
        "mean: of the move's playouts, 1 a win and 0 a loss for the side to move, and its "
        "standard error"
    )
    if "amaf_mean" in names:
        text += "; AMAF: the same of all playouts in which the move was played at any time"
    if "beta" in names:
        text += "; beta: the weight that AMAF has beside the mean"
    return text


def answer(result: Result) -> str:
    """The move to play and what it is worth."""
    who = mover(result.position)
    if not result.method.plays_out:
        return f"Best: {result.move}, worth {result.value:+g} points to {who}"
    sure = ", proven" if result.reason == "proven" else ""
    return f"Best: {result.move}, worth {result.value:.3f} to {who}{sure}"


def line_of_play(result: Result) -> str:
    """The principal variation, its first moves."""
    more = f" ... ({len(result.pv)} moves)" if len(result.pv) > PLIES else ""
    return f"Expected play: {' '.join(result.pv[:PLIES])}{more}"


def progress(result: Result) -> str:
    """How far a search has come."""
    if not result.method.plays_out:
        return f"depth {result.depth}, {result.nodes:,} nodes, {result.seconds:.1f} s"
    speed = result.playouts / result.seconds if result.seconds > 0 else 0.0
    return f"{result.playouts:,} playouts, {speed:,.0f} a second, {result.seconds:.1f} s"


def effort(result: Result) -> str:
    """What the search did."""
    time, end = seconds_text(result.seconds), ENDS.get(result.reason, result.reason)
    if not result.method.plays_out:
        done = f"{result.method!r} looked {result.depth} plies ahead: {end}"
        return f"{done}\n{result.nodes:,} nodes in {time}"
    speed = f" ({result.playouts / result.seconds:,.0f}/s)" if result.seconds > 0 else ""
    done = f"{result.playouts:,} playouts of {result.method!r} in {time}{speed}: {end}"
    if not result.method.grows_tree:
        return done
    return f"{done}\nThe tree: {result.nodes:,} positions in {result.bytes / 2**20:,.1f} MiB"


def _three(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _points(row: object) -> str:
    value = float(row["value"])  # type: ignore[index]
    return f"{'' if row['exact'] else '<= '}{value:+g}"  # type: ignore[index]
