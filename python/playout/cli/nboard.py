"""`playout nboard`: the engine for NBoard."""

from __future__ import annotations

import click

from playout.cli.errors import Command
from playout.cli.pipes import answers, commands, engine_player
from playout.serving.nboard import NBoard


@click.command(cls=Command)
@click.argument("player", default="AlphaBeta@10s", metavar="[PLAYER]")
def command(player: str) -> None:
    """An Othello engine that NBoard talks to, on standard input and output.

    PLAYER is a method, a level that no move exceeds, and words: AlphaBeta@10s, "rave@5s solver".
    NBoard sets the depth: plies of alpha-beta, or doublings of the number of playouts.

    \b
    Examples:
      playout nboard
      printf 'nboard 2\\nset depth 8\\ngo\\n' | playout nboard
    """
    NBoard(engine_player(player), answers()).serve(commands())
