"""`playout search`: the moves of a position, shown live during the search."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from playout.cli import moves_table
from playout.cli.counts import COUNT
from playout.cli.errors import Command, Fault
from playout.cli.positions import position_options, to_search
from playout.cli.repeat import command_line, drawn
from playout.cli.screen import (
    board_of,
    console,
    is_terminal,
    print_json,
    print_whole,
    room_for_bars,
)
from playout.method_text import method_from, names
from playout.render import text as render
from playout.result import Result
from playout.searching import analysis

PLAYOUTS = 100_000  # the limit if none is given
INTERVAL = 0.2  # seconds between updates of the screen; Ctrl-C loses what came after the last one
ROWS = 20

F = TypeVar("F", bound=Callable[..., Any])


def search_options(command: F) -> F:
    """Add the options of a search."""
    options = [
        click.option(
            "-m",
            "--method",
            default="uct",
            metavar="METHOD",
            help=f"One of {names()}, with settings as in 'RAVE(bias=0.01)'. Default: uct.",
        ),
        click.option(
            "-n",
            "--playouts",
            type=COUNT,
            metavar="N",
            help=f"End after N playouts; {PLAYOUTS:,} if no limit is given.",
        ),
        click.option("-s", "--seconds", type=float, metavar="S", help="End after S seconds."),
        click.option(
            "--until-sure",
            type=float,
            metavar="E",
            help="End when the best move's value and its lead are known to within this error.",
        ),
        click.option("--nodes", type=COUNT, metavar="N", help="Alpha-beta: end after N nodes."),
        click.option(
            "--threads",
            type=int,
            default=1,
            metavar="N",
            help="Threads that share one tree or table. Default: 1.",
        ),
        click.option(
            "--memory",
            metavar="SIZE",
            help='Limit of the tree, such as "512MB". Default: 1 GiB.',
        ),
        click.option(
            "--policy",
            default="random",
            metavar="NAME",
            help="How playouts choose moves: random, guided, mast or ppaf.",
        ),
        click.option(
            "--solver/--no-solver",
            default=False,
            help="Keep track of proven wins and losses. Default: off.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command(cls=Command)
@position_options
@search_options
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Default: a random seed.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(
    ctx: click.Context, /, seed: int | None, as_json: bool, method: str, **options: Any
) -> None:
    """Find the best move.

    The table shows each move's playouts and their mean result. In a terminal it is updated during
    the search, and Ctrl-C ends the search with the answer so far. The last line is a command that
    repeats the search. With one thread it gives the same result on every machine.

    \b
    Examples:
      playout search --game breakthrough --size 5 --method rave
      playout search --moves "a2a3 d7d6" --seconds 5 --threads 2
      playout search -g othello --moves f5d6c3 -m "AlphaBeta(depth=10)"
      playout search --position ".b..b/bbbbb/w..w./b.w../www.w w" --solver
      echo "-----OX--XO----- X" | playout search --position - --json
    """
    place = {
        name: options.pop(name) for name in ("game", "size", "first_rows", "position", "moves")
    }
    position, chosen = to_search(**place), method_from(method)
    if not chosen.plays_out:
        _refuse_given(ctx, "policy")
    elif all(options[name] is None for name in ("playouts", "seconds", "until_sure")):
        options["playouts"] = PLAYOUTS
    seed = drawn(seed)
    results = analysis(position, chosen, interval=INTERVAL, seed=seed, **options)
    screen = console()
    if not as_json:
        screen.print(board_of(screen, position), "\n", sep="")
    view = _View(screen, options["playouts"], options["seconds"]) if not as_json else None
    result = _last_of(results, view if is_terminal() else None)
    line = command_line(ctx, **_repeats(result, seed))
    if as_json:
        print_json(result.to_dict() | {"command": line})
    else:
        _show(screen, result)
        print_whole(screen, f"Again{_doubt(result, options['threads'])}: {line}")


def _refuse_given(ctx: click.Context, *names: str) -> None:
    for name in names:
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise Fault(f"alpha-beta plays no games out: leave --{name} out")


def _last_of(results: Iterator[Result], view: _View | None) -> Result:
    """The last result, or the last one before Ctrl-C."""
    latest = None
    try:
        with view or nullcontext():
            for latest in results:
                if view:
                    view.update(latest)
    except KeyboardInterrupt:
        if latest is None:
            raise
    assert latest is not None
    is_stopped = latest.reason == "running"
    return dataclasses.replace(latest, reason="stopped") if is_stopped else latest


class _View:
    """The live display: the table, the progress and the speed, redrawn in place."""

    def __init__(self, screen: Console, playouts: int | None, seconds: float | None) -> None:
        self._screen, self._playouts, self._seconds = screen, playouts, seconds
        self._live = Live(console=screen, auto_refresh=False, transient=True)

    def __enter__(self) -> None:
        self._live.start()

    def __exit__(self, *fault: object) -> None:
        self._live.stop()

    def update(self, result: Result) -> None:
        rows = max(3, min(ROWS, self._screen.height - 5))
        parts: list[RenderableType] = [
            moves_table.moves_table(result, rows, room_for_bars(self._screen)),
            Text(moves_table.progress(result), no_wrap=True, overflow="ellipsis"),
            *self._bar(result),
            Text("Ctrl-C ends the search and gives this answer.", style="dim"),
        ]
        self._live.update(Group(*parts), refresh=True)

    def _bar(self, result: Result) -> list[RenderableType]:
        shares = [result.playouts / self._playouts] if self._playouts else []
        shares += [result.seconds / self._seconds] if self._seconds else []
        if not shares:
            return []
        line = Table.grid(padding=(0, 1))
        line.add_row(ProgressBar(1.0, max(shares), width=60), f"{max(shares):.0%}")
        return [line]


def _repeats(result: Result, seed: int) -> dict[str, object]:
    """The options to change so that the command gives this result again.

    If the clock or Ctrl-C ended the search, the number of playouts replaces the limit.
    """
    if not result.method.plays_out:
        return {}
    if result.reason in ("seconds", "stopped"):
        return {"playouts": result.playouts, "seconds": None, "until_sure": None, "seed": seed}
    return {"seed": seed}


def _doubt(result: Result, threads: int) -> str:
    """Why the command in the last line may not give exactly the same result."""
    if not result.method.plays_out and result.reason in ("seconds", "stopped"):
        return " (the clock ended it: about the same)"
    if max(threads, getattr(result.method, "threads", 1)) > 1:
        if result.method.grows_tree:
            return " (several threads on one tree: about the same)"
        if not result.method.plays_out:
            return " (several threads on one table: about the same)"
    return ""


def _show(screen: Console, result: Result) -> None:
    """Print the table, its legend, the best move and the expected play."""
    screen.print(moves_table.moves_table(result, ROWS, room_for_bars(screen)))
    if len(result.moves) > ROWS:
        screen.print(f"... and {len(result.moves) - ROWS} more moves (--json lists them)")
    screen.print(moves_table.legend(result), "\n", style="dim", sep="")
    screen.print(moves_table.answer(result), style="bold")
    if len(result.pv) > 1:
        screen.print(moves_table.line_of_play(result))
    screen.print(render.effort(result))
