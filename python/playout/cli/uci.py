"""`playout uci`: the engine for programs that speak UCI."""

from __future__ import annotations

import click

from playout.cli.errors import Command
from playout.cli.pipes import answers, commands, engine_player
from playout.serving.uci import UCI
from playout.serving.uci_options import VARIANTS, Settings


@click.command(cls=Command)
@click.argument("player", default="rave solver", metavar="[PLAYER]")
@click.option(
    "--variant", type=click.Choice(list(VARIANTS)), default="breakthrough", show_default=True,
    help="The game that is on at the beginning.",
)  # fmt: skip
def command(player: str, variant: str) -> None:
    """An engine that another program talks to by UCI, on standard input and output.

    PLAYER is a method, perhaps with a level that no move exceeds, and words: rave,
    "UCT(c=0.7)@0.5s", "grave@10000 solver threads=2". UCI options change all but the level.

    \b
    Examples:
      playout uci
      playout uci "AlphaBeta(depth=10)" --variant flipello
    """
    UCI(Settings.of(engine_player(player), variant), answers()).serve(commands())
