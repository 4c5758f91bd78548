"""`playout engine`: whether a program can play in a match."""

from __future__ import annotations

from typing import Any

import click

from playout.cli.errors import Command
from playout.cli.positions import position_options, to_search
from playout.cli.screen import console, print_whole
from playout.engines.checking import check_engine


@click.command(cls=Command)
@click.argument("engine")
@position_options
@click.pass_context
def command(ctx: click.Context, /, engine: str, **place: Any) -> None:
    """Try out whether ENGINE can play in a match, a line for each thing.

    ENGINE is a protocol (uci, gtp, nboard), a command and a level; then settings and options of the
    program. A command with arguments stands in quotes of its own. It may also be a file of Python.

    \b
    Examples:
      playout engine uci:fairy-stockfish@0.1s
      playout engine "uci:fairy-stockfish@2000n 'Skill Level'=0 Hash=64" -g connect-four
      playout engine "gtp:'gtp-rhino -l 1'" -g othello
      playout engine bot.py@1s
    """
    report = check_engine(engine, to_search(**place))
    print_whole(console(), str(report))
    if not report.is_good:
        ctx.exit(1)
