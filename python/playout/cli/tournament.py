"""`playout tournament`: several players on one scale."""

from __future__ import annotations

from typing import Any

import click

from playout.arena.contest import SCHEDULES
from playout.cli.contests import contest_options, run
from playout.cli.errors import Command, Fault
from playout.names import TournamentSchedule


@click.command(cls=Command)
@click.argument("players", nargs=-1, metavar="PLAYER...")
@contest_options
@click.option(
    "--schedule", type=click.Choice(SCHEDULES), default=SCHEDULES[0], show_default=True,
    help="Who meets whom: all; the first player all others; each the next.",
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context, /, players: tuple[str, ...], schedule: TournamentSchedule, **options: Any
) -> None:
    """Several players on one scale of ratings.

    \b
    Examples:
      playout tournament flat ucb uct rave grave --size 5 --games 40 --workers 2
      playout tournament uct@1000 uct@2000 uct@4000 --schedule ladder --record ladder.db
      playout tournament --resume ladder.db
    """
    is_new = options["report"] is None and options["resume"] is None
    if is_new and len(players) < 2:
        raise Fault("a tournament has two players or more: flat uct rave, say")
    run(ctx, players, options, schedule=schedule)
