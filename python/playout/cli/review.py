"""`playout review`: what each move of a game was worth."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click
from rich.status import Status

from playout.cli import files
from playout.cli.counts import COUNT
from playout.cli.errors import Command, Fault
from playout.cli.repeat import command_line, drawn
from playout.cli.screen import console, is_terminal, print_json, print_whole
from playout.exchange import read_game
from playout.games import game_named
from playout.reviewing import NODES, PLAYOUTS, review


@click.command(cls=Command)
@click.argument("file", metavar="FILE")
@click.option("-g", "--game", metavar="NAME", help="The game of a file that has only moves.")
@click.option("-m", "--method", default="best", metavar="NAME", help="Default: best.")
@click.option("-n", "--playouts", type=COUNT, metavar="N",
              help=f"For each position. Default: {PLAYOUTS:,}.")  # fmt: skip
@click.option("-s", "--seconds", type=float, metavar="S", help="For each position.")
@click.option("--nodes", type=COUNT, default=NODES, metavar="N",
              help=f"To solve a position near the end. Default: {NODES:,}; 0: none.")  # fmt: skip
@click.option("--book", metavar="FILE",
              help="Gives its positions their values; `default`: the package's.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Default: a random seed.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write the review as one page to FILE.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    game: str | None,
    method: str,
    playouts: int | None,
    seconds: float | None,
    nodes: int,
    book: str | None,
    seed: int | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Say what each move of the game in FILE was worth, and where it was lost.

    FILE is a saved game, PGN, SGF, GGF or a list of moves; - reads standard input. Near the end
    values are exact.

    \b
    Examples:
      playout review game.ggf
      playout review game.json --html review.html
      playout review moves.txt -g othello --playouts 50k --book default
    """
    record = read_game(_text(file), None if game is None else game_named(game, "--game"))
    screen, seed = console(), drawn(seed)
    watched = is_terminal() and not as_json
    with screen.status("searching ...") if watched else nullcontext() as status:
        found = review(
            record,
            method,
            playouts=playouts,
            seconds=seconds,
            nodes=nodes,
            book=book,
            seed=seed,
            progress=partial(_show, status) if status else None,
        )
    if html is not None:
        try:
            files.replace(html, found.to_html())
        except OSError as fault:
            raise Fault(f"{html} cannot be written: {fault.strerror}") from None
    line = command_line(ctx, seed=seed)
    if as_json:
        print_json(found.to_dict() | {"command": line})
        return
    screen.print(str(found))
    if html is not None:
        print_whole(screen, f"The page is in {html}.")
    print_whole(screen, f"Again: {line}")


def _show(status: Status, done: int, of: int) -> None:
    status.update(f"{done} of {of} positions ...")


def _text(file: str) -> str:
    if file == "-":
        return sys.stdin.read()
    try:
        return files.read(Path(file))
    except FileNotFoundError:
        raise Fault(f"{file}: there is no such file") from None
    except (OSError, ValueError) as fault:
        raise Fault(f"{file} cannot be read: {fault}") from None
