"""`playout compare`: all methods on one position."""

from __future__ import annotations

import math
import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from mcts_core.errors import shown
from playout.cli.counts import COUNT
from playout.cli.ending import by_ctrl_c
from playout.cli.errors import Command, Fault
from playout.cli.positions import position_options, to_search
from playout.cli.repeat import command_line, drawn
from playout.cli.screen import (
    board_of,
    console,
    is_terminal,
    print_json,
    print_whole,
    table,
)
from playout.comparing import compare
from playout.comparison import Comparison
from playout.method_text import method_from, names
from playout.names import SearchPolicy
from playout.render.text import seconds_text

STAGES = 4  # budgets shown besides the full one
NAMED = 8  # best moves listed at most


@click.command(cls=Command)
@position_options
@click.option(
    "-m",
    "--method",
    "methods",
    multiple=True,
    metavar="METHOD",
    help=f"One of {names()}, with settings as in 'RAVE(bias=0.01)'; repeat the option for more. "
    "Default: all that suit the game.",
)
@click.option(
    "-n",
    "--playouts",
    type=COUNT,
    default=10_000,
    metavar="N",
    help="Playouts of each search. Default: 10,000.",
)
@click.option(
    "--runs", type=COUNT, default=20, metavar="N", help="Searches of each method. Default: 20."
)
@click.option(
    "--policy",
    default="random",
    metavar="NAME",
    help="How playouts choose moves: random, guided, mast or ppaf.",
)
@click.option(
    "--exact-nodes",
    type=COUNT,
    default=1_000_000,
    metavar="N",
    help="Most nodes for solving the position, to find the best moves. Default: 1,000,000.",
)
@click.option("--plot", metavar="FILE", help="Also draw the curves: .png, .svg or .pdf.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Default: a random seed.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    methods: tuple[str, ...],
    playouts: int,
    runs: int,
    policy: SearchPolicy,
    exact_nodes: int,
    plot: str | None,
    seed: int | None,
    as_json: bool,
    **place: Any,
) -> None:
    """Compare all methods on one position: what they choose, how often, and whether it is right.

    Each method searches the position several times, independently. If the position can be solved,
    the table shows how often each method finds a best move.

    \b
    Examples:
      playout compare --size 4
      playout compare --position ".b..b/bbbbb/w..w./b.w../www.w w" --plot curves.png
      playout compare -g othello --moves f5d6 -m uct -m "AlphaBeta(depth=6)" --runs 5
    """
    position, chosen = to_search(**place), [method_from(method) for method in methods] or None
    picture = None if plot is None else _drawable(Path(plot))
    seed = drawn(seed)
    screen = console()
    watched = is_terminal() and not as_json
    waiting = screen.status("comparing ...") if watched else nullcontext()
    with waiting as status, by_ctrl_c() as ending:

        def progress(done: int, of: int) -> bool:
            if status is not None:
                status.update(f"{done} of {of} searches of each method; Ctrl-C shows these ...")
            return ending.is_asked

        found = compare(
            position,
            chosen,
            playouts=playouts,
            runs=runs,
            seed=seed,
            policy=policy,
            exact_nodes=exact_nodes,
            progress=progress,
        )
    if picture is not None:
        _draw(found, picture)
    line = command_line(ctx, seed=seed, **({} if found.runs == runs else {"runs": found.runs}))
    if as_json:
        print_json(found.to_dict() | {"command": line})
        return
    screen.print(board_of(screen, position), "\n", sep="")
    _show(screen, found)
    if picture is not None:
        screen.print(f"The curves are in {picture}.")
    print_whole(screen, f"Again: {line}")


def _show(screen: Console, found: Comparison) -> None:
    screen.print(f"Searches of each method: {found.runs}; playouts: {found.budgets[-1]:,}\n")
    screen.print(_choices(found))
    screen.print(_legend(found), "\n", style="dim", sep="")
    if len(found.budgets) > 1:
        screen.print("The move chosen most often, and in how many of the searches, after\n")
        screen.print(_stages(found))
    screen.print("\n" + _exact(found))


def _choices(found: Comparison) -> Table:
    """The choices of each method with all its playouts."""
    is_known = found.truth is not None
    heads = [
        "method",
        "move",
        "chosen",
        "value",
        "error",
        *(["right", "regret"] if is_known else []),
    ]
    lines = []
    for row in found.rows:
        line = [str(row["method"]), str(row["move"]), f"{row['share']:.0%}"]
        line += [_three(row["value"]), _three(row["stderr"])]
        if is_known:
            line += [f"{row['right']:.0%}", _three(row["regret"])]
        lines.append([*line, seconds_text(float(row["seconds"]))])
    return table([*heads, "time"], lines)


def _legend(found: Comparison) -> str:
    text = (
        "chosen: in how many of the searches; value: to the side to move, 1 a win and 0 a loss, "
        "and its standard error"
    )
    if found.truth is not None:
        text += "; right: chose a best move; regret: what its choices are worth less than that"
    return f"{text}; time: of one search"


def _stages(found: Comparison) -> Table:
    """How the choices changed with the number of playouts."""
    shown = _spread(len(found.budgets))
    legal = found.position.legal_moves
    lines = []
    for method, moves in zip(found.methods, found.moves, strict=True):
        line = [repr(method)]
        for index in shown:
            counts = np.bincount(moves[index], minlength=len(legal))
            line.append(f"{legal[int(counts.argmax())]} {counts.max() / found.runs:4.0%}")
        lines.append(line)
    return table(["playouts", *(f"{found.budgets[index]:,}" for index in shown)], lines)


def _spread(n: int) -> list[int]:
    """Some of n indices, evenly spread, including the last one.

    >>> _spread(10)
    [0, 2, 4, 7, 9]
    """
    return sorted({round(i * (n - 1) / STAGES) for i in range(STAGES + 1)})


def _exact(found: Comparison) -> str:
    if found.best is None:
        return (
            "Which move is best is not known: the position is too large to be solved within "
            "--exact-nodes."
        )
    best = sorted(map(str, found.best))
    if len(best) == len(found.position.legal_moves):
        return "Solved: all moves are worth the same."
    more = f" and {len(best) - NAMED} more" if len(best) > NAMED else ""
    return f"Solved: best {'is' if len(best) == 1 else 'are'} {' '.join(best[:NAMED])}{more}."


def _three(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _drawable(path: Path) -> Path:
    """The file for the picture, checked before the long search."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise Fault('--plot needs matplotlib: pip install "playout[plot]"') from None
    known = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix.removeprefix(".").lower() not in known:
        raise Fault(
            "--plot: the end of the name tells the kind of file, and "
            f"{shown(path.name)} does not end in .png, .svg or .pdf"
        )
    if path.is_dir():
        raise Fault(f"--plot: {path} is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise Fault(f"--plot: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise Fault(f"--plot: {path} cannot be written; give a file that is yours")
    return path


def _draw(found: Comparison, path: Path) -> None:
    from playout.plots.plot import plot

    axes = np.asarray(plot(found), dtype=object)
    try:
        axes.flat[0].figure.savefig(path, dpi=150)
    except OSError as fault:
        raise Fault(f"--plot: {path} cannot be written: {fault.strerror}") from None
