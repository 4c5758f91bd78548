"""A search result for terminals: the library's table, with colours and bars."""

from __future__ import annotations

from rich.table import Table

from playout.cli.screen import mover, table
from playout.render import text as render
from playout.result import Result

PLIES = 12  # of the expected play
LONGEST_BAR = 16  # characters
SHORTEST_BAR = 4  # with less room, the table has no bars
GAP = 2  # characters between two columns
PERCENT = 5  # characters behind a bar


def moves_table(result: Result, rows: int, width: int) -> Table:
    """The best moves, at most `rows` of them, with bars if `width` has room for them."""
    heads, lines = render.cells(result, rows)
    if "visits" in heads:
        taken = [max(map(len, column)) + GAP for column in zip(heads, *lines, strict=True)]
        bar = min(LONGEST_BAR, width - sum(taken) - PERCENT)
        if bar >= SHORTEST_BAR:
            _add_bars(result, heads, lines, bar)
    made = table(heads, lines, best=0)
    if "line" in heads:
        column = made.columns[heads.index("line")]
        column.justify, column.no_wrap = "left", False
    return made


def _add_bars(result: Result, heads: list[str], lines: list[list[str]], length: int) -> None:
    """Insert a column after the visits: each move's share of them, as a bar."""
    visits = result.moves["visits"].tolist()
    total, most = max(1, sum(visits)), max(1, *visits)
    place = heads.index("visits") + 1
    heads.insert(place, "share")
    for line, n in zip(lines, visits, strict=False):
        line.insert(place, f"{'━' * round(length * n / most)} {n / total:4.0%}")


LEGEND = {
    "mean": "mean: of the move's playouts, 1 a win and 0 a loss for the side to move",
    "stderr": "stderr: its standard error",
    "score": "score: decides which move is played next",
    "amaf_mean": "AMAF: of all playouts in which the move occurs",
    "beta": "beta: the weight of AMAF's mean in the score",
    "proven": "proven: a value that is certain",
    "value": "value: what the move is worth to the side to move",
    "exact": "not exact: the move is worth that or less",
}


def legend(result: Result) -> str:
    """A text that explains the columns."""
    return "; ".join(LEGEND[name] for name in result.moves.dtype.names or () if name in LEGEND)


def answer(result: Result) -> str:
    """The best move and its value."""
    who = mover(result.position)
    if result.is_in_points:
        return f"Best: {result.move}, worth {result.value:+g} points to {who}"
    sure = ", proven" if result.reason == "proven" else ""
    return f"Best: {result.move}, worth {result.value:.3f} to {who}{sure}"


def line_of_play(result: Result) -> str:
    """The first moves of the principal variation."""
    more = f" ... ({len(result.pv)} moves)" if len(result.pv) > PLIES else ""
    return f"Expected play: {' '.join(result.pv[:PLIES])}{more}"


def progress(result: Result) -> str:
    """The progress of a search."""
    if not result.method.plays_out:
        return f"depth {result.depth}, {result.nodes:,} nodes, {result.seconds:.1f} s"
    speed = result.playouts / result.seconds if result.seconds > 0 else 0.0
    return f"{result.playouts:,} playouts, {speed:,.0f} a second, {result.seconds:.1f} s"
