"""`playout web`: the lens, a local page in the browser."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

import click

from playout.cli.errors import Command, Fault
from playout.cli.positions import game_of, position_from, position_options
from playout.cli.screen import console, print_whole
from playout.games import GAMES, root_of

VIEWS = ("play", "inside", "review")
NEEDED = 'the page needs starlette and uvicorn: pip install "playout[web]"'


@click.command(cls=Command)
@position_options
@click.option("--method", metavar="WHO", help="The method of the analysis. Default: uct.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Of all searches.")
@click.option("--view", type=click.Choice(VIEWS), help="What is shown first. Default: play.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N",
              help="Default: any that is free.")  # fmt: skip
@click.option("--open/--no-open", "opens", default=True, help="Open the browser. Default: yes.")
def command(
    port: int, opens: bool, method: str | None, seed: int | None, view: str | None, **place: Any
) -> None:
    """Show positions, games and searches on a local page in the browser.

    The page is for this machine alone: its address has a token that is new each time. Ctrl-C ends
    the server.

    \b
    Examples:
      playout web
      playout web -g othello --moves f5d6c3 --method rave
      playout web --size 5 --method uct --view inside
    """
    try:
        from playout.web.server import Server
    except ModuleNotFoundError:
        raise Fault(NEEDED) from None
    position = position_from(**place)
    if game_of(position).name not in GAMES:
        raise Fault(f"the page knows {', '.join(GAMES)}: give one of them by --game")
    parts: dict[str, object] = {"game": game_of(position).name, "start": root_of(position).fen}
    parts["moves"] = " ".join(position.history)
    parts |= {"method": method, "seed": seed, "view": view}
    link = urlencode({name: part for name, part in parts.items() if part not in (None, "")})
    server = Server(port)
    address = f"{server.address}#{link}"
    print_whole(console(), f"Open {address}\nCtrl-C ends it.")
    if opens:
        webbrowser.open(address)
    with suppress(KeyboardInterrupt):
        server.run()
