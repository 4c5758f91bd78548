"""`playout bench`: how fast this machine plays and searches.

A short form of `benchmarks/compare.py`, which is not installed with the library. It measures in the
same way (`playout.measure`), but only this library.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import click
from rich.table import Table

from mcts_core import cpu
from mcts_core.position import Position
from playout import __version__
from playout.cli.errors import Command
from playout.cli.repeat import command_line
from playout.cli.screen import console, is_terminal, print_json, print_whole, table
from playout.games import GAMES, size_text
from playout.measure import Contestant, Row, cpu_model, race, short
from playout.method import Method
from playout.methods import GRAVE, RAVE, UCT
from playout.playing import playouts
from playout.searching import search
from playout.signature import signature
from playout.task import MOST_THREADS

STARTS = {
    f"{game.title} {size_text(size)}": game.start(*size)
    for game in GAMES.values()
    for size in game.benchmarks
}
METHODS = (UCT(), RAVE(), GRAVE())
SIMULATIONS = 200_000  # in each search
ROUNDS, AT_LEAST = 5, 0.4  # measurements of each, and their least seconds


@click.command(cls=Command)
@click.option("--quick", is_flag=True, help="Two short rounds: a few seconds, less exact.")
@click.option(
    "--threads",
    type=click.IntRange(2, MOST_THREADS),
    metavar="N",
    help="Threads of the second column. Default: all cores, at least 2.",
)
@click.option(
    "--signature",
    "only_signature",
    is_flag=True,
    help="Measure nothing; print one number for what all searches find.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the rates as JSON.")
@click.pass_context
def command(
    ctx: click.Context, /, quick: bool, threads: int | None, only_signature: bool, as_json: bool
) -> None:
    """Random games and simulations per second, from the start positions.

    Takes about half a minute, with --quick a few seconds. Each rate is the best of several
    measurements. Close other programs first, because they make the rates lower.

    \b
    Examples:
      playout bench
      playout bench --quick --json
    """
    if only_signature:
        print(signature())
        return
    threads = threads or max(2, os.cpu_count() or 2)
    rounds, at_least = (2, 0.05) if quick else (ROUNDS, AT_LEAST)
    simulations = SIMULATIONS // (10 if quick else 1)
    games = _random_games(threads)
    searches = _searches(simulations)
    screen = console()
    watched = is_terminal() and not as_json
    with screen.status("measuring ...") if watched else nullcontext():
        race(games, rounds, at_least)
        race(searches, rounds, 0.05)
    line, facts = command_line(ctx), _facts()
    if as_json:
        found = {
            "machine": facts,
            "playouts_per_second": {row.title: row.rates for row in games},
            "simulations_per_second": {row.title: row.rates for row in searches},
        }
        print_json(found | {"command": line})
        return
    screen.print("Random games a second\n")
    screen.print(_table(games))
    screen.print("\nSimulations a second, of searches with a tree, on 1 thread\n")
    screen.print(_table(searches))
    screen.print("\n" + ", ".join(f"{name} {value}" for name, value in facts.items()))
    print_whole(screen, f"Again: {line}")


def _random_games(threads: int) -> list[Row]:
    def player(start: Position, threads: int) -> Callable[[int], object]:
        seeds = itertools.count(1)
        return lambda n: playouts(start, n, seed=next(seeds), threads=threads)

    return [
        Row(
            title,
            [
                Contestant("1 thread", player(start, 1)),
                Contestant(f"{threads} threads", player(start, threads)),
            ],
        )
        for title, start in STARTS.items()
    ]


def _searches(simulations: int) -> list[Row]:
    def searcher(start: Position, method: Method) -> Callable[[int], object]:
        seeds = itertools.count(1)
        return lambda n: search(start, method, playouts=n, seed=next(seeds))

    return [
        Row(
            title,
            [
                Contestant(type(method).__name__, searcher(start, method), simulations)
                for method in METHODS
            ],
        )
        for title, start in STARTS.items()
    ]


def _table(rows: list[Row]) -> Table:
    heads = ["", *rows[0].rates]
    return table(heads, [[row.title, *map(short, row.rates.values())] for row in rows])


def _facts() -> dict[str, Any]:
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "playout": f"{__version__} ({cpu.in_use()})",
    }
