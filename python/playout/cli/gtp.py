"""`playout gtp`: the engine for programs that speak GTP."""

from __future__ import annotations

import click

from playout.cli.errors import Command
from playout.cli.pipes import answers, commands, engine_player
from playout.games import DEFAULT, GAMES, game_named
from playout.serving.gtp import GTP


@click.command(cls=Command)
@click.argument("player", default="rave solver", metavar="[PLAYER]")
@click.option(
    "-g", "--game", default=DEFAULT.name, show_default=True, metavar="NAME",
    help=f"The game that is on at the beginning: {', '.join(GAMES)}.",
)  # fmt: skip
@click.option("--size", type=int, metavar="N", help="Its board's rows; the usual ones by default.")
def command(player: str, game: str, size: int | None) -> None:
    """An engine that another program talks to by GTP, on standard input and output.

    PLAYER is a method, perhaps with a level that no move exceeds, and words: rave solver,
    "UCT(c=0.7)@10000", "AlphaBeta(depth=10)". Without a level and a clock, a move takes a second.

    \b
    Examples:
      playout gtp
      playout gtp "AlphaBeta@1s" --game othello
      printf 'set_game Othello\\ngenmove black\\nshowboard\\nquit\\n' | playout gtp
    """
    chosen = game_named(game, "--game")
    rows = chosen.default[0] if size is None else size
    GTP(engine_player(player), chosen, rows, answers()).serve(commands())
