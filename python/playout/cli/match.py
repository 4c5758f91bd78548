"""`playout match`: two players, many games, and what they prove."""

from __future__ import annotations

from typing import Any

import click

from playout.arena.statistics import MODELS, SPRT
from playout.cli.contests import contest_options, run
from playout.cli.errors import Command, Fault
from playout.names import EloModel


@click.command(cls=Command)
@click.argument("players", nargs=-1, metavar="A B")
@contest_options
@click.option(
    "--sprt", metavar="E0,E1",
    help="End as soon as a difference of E0 or of E1 Elo is refuted, such as 0,10.",
)  # fmt: skip
@click.option(
    "--elo", "model", type=click.Choice(MODELS), default=MODELS[0], show_default=True,
    help="What --sprt counts in.",
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    /,
    players: tuple[str, ...],
    sprt: str | None,
    model: EloModel,
    **options: Any,
) -> None:
    """Two players, many games: who is stronger, and how sure is that?

    A player is a method with a level and perhaps words: rave@10000, "UCT(c=0.7)@0.1s solver",
    "uct@2000 guided"; a file with a function choose(position): bot.py@2s; or an engine:
    uci:fairy-stockfish@0.1s. Each opening is played twice, with colours changed.

    \b
    Examples:
      playout match rave@1000 uct@1000 --games 400 --workers 2
      playout match rave@0.1s uct@0.1s -g othello --sprt 0,20 --record night.db
      playout match --resume night.db
      playout match --report night.db --html night.html
    """
    is_new = options["report"] is None and options["resume"] is None
    if is_new and len(players) != 2:
        raise Fault(f"a match has two players, such as rave@1000 uct@1000, not {len(players)}")
    test = None if sprt is None else _sprt(sprt, model)
    run(ctx, players, options, test)


def _sprt(text: str, model: EloModel) -> SPRT:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise Fault("--sprt is two differences in Elo with a comma between, as 0,10") from None
    return SPRT(low, high, model=model)
