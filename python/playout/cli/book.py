"""`playout book`: opening books."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.status import Status

from playout.cli.counts import COUNT
from playout.cli.errors import OPTION_NAMES, Command, Fault
from playout.cli.positions import after, game_of, position_from, position_options
from playout.cli.repeat import command_line
from playout.cli.screen import board_of, console, is_terminal, print_json, print_whole, table
from playout.learning.book import Book
from playout.method_text import method_from, names

BUILDING = "building; Ctrl-C keeps what is complete ..."
FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.group(context_settings=OPTION_NAMES, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Build and show opening books.

    \b
    Examples:
      playout book build four.book -g connect-four --method AlphaBeta --nodes 20k
      playout book show four.book
      playout book show four.book --moves 44
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command(cls=Command)
@FILE
@position_options
@click.option(
    "--positions",
    type=COUNT,
    default=1000,
    show_default=True,
    metavar="N",
    help="The work ends when the book has N positions.",
)
@click.option("-m", "--method", default="uct", metavar="METHOD", help=f"One of {names()}.")
@click.option("-n", "--playouts", type=COUNT, metavar="N", help="Of each search.")
@click.option("-s", "--seconds", type=float, metavar="S", help="Of each search.")
@click.option("--nodes", type=COUNT, metavar="N", help="Of each search by alpha-beta.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of all searches."
)
@click.pass_context
def build(
    ctx: click.Context,
    /,
    file: Path,
    positions: int,
    method: str,
    playouts: int | None,
    seconds: float | None,
    nodes: int | None,
    seed: int,
    **place: Any,
) -> None:
    """Search positions and keep their values in FILE. An existing book is extended.

    `playout play --book FILE`, and players with the word book=FILE, play from it.

    Ctrl-C ends the work and keeps what is complete; the same command goes on with it.

    \b
    Examples:
      playout book build four.book -g connect-four --positions 5000 -m AlphaBeta --nodes 20k
      playout book build small.book --size 5 --playouts 10k
    """
    start = position_from(**place)
    book = Book.load(file) if file.exists() else Book(start)
    if book.start != start:
        raise Fault(f"{file} is a book of another start, {book.start.fen}: choose another file")
    limits = {"playouts": playouts, "seconds": seconds, "nodes": nodes}
    given = {name: value for name, value in limits.items() if value is not None}
    screen, known, is_interrupted = console(), len(book), False
    with screen.status(BUILDING) if is_terminal() else nullcontext() as status:
        told = partial(_tell, status, positions) if status else None
        try:
            book.extend(method_from(method), positions=positions, seed=seed, progress=told, **given)
        except KeyboardInterrupt:
            if not len(book):
                raise
            is_interrupted = True
    _save(book, file)
    print_whole(screen, f"{file}: {len(book):,} positions, {len(book) - known:,} of them new")
    print_whole(screen, f"{'Go on with' if is_interrupted else 'Again'}: {command_line(ctx)}")


def _tell(status: Status, goal: int, positions: int) -> None:
    status.update(f"{positions:,} of {goal:,} positions; {BUILDING}")


def _save(book: Book, file: Path) -> None:
    try:
        book.save(file)
    except OSError as fault:
        raise Fault(f"{file} cannot be written: {fault.strerror}; give another name") from None


@command.command(cls=Command)
@FILE
@click.option("--moves", metavar="MOVES", help="Then play these, from the start of the book.")
@click.option("--json", "as_json", is_flag=True, help="Print the moves as JSON.")
@click.pass_context
def show(ctx: click.Context, /, file: Path, moves: str | None, as_json: bool) -> None:
    """Show the moves that the book in FILE has in a position.

    \b
    Examples:
      playout book show four.book
      playout book show four.book --moves 44
    """
    book = Book.load(file)
    position = book.start if moves is None else after(game_of(book.start), book.start, moves)
    known = book.moves(position)
    line = command_line(ctx)
    if as_json:
        rows = [{"move": str(move), "value": value, "visits": n} for move, value, n in known]
        print_json({"position": position.fen, "moves": rows, "command": line})
        return
    screen = console()
    screen.print(board_of(screen, position), "\n", sep="")
    if known:
        cells = [[str(move), f"{value:.3f}", f"{n:,}"] for move, value, n in known]
        screen.print(table(["move", "value", "visits"], cells, best=0))
        screen.print("value: to the side to move; visits: how often building passed through it\n")
    best = book.line(position)
    screen.print(f"Best play: {' '.join(best)}" if best else "Here the book ends.")
    searched = "; ".join(f"{n:,} by {words}" for words, n in book.searches.items())
    screen.print(f"{len(book):,} positions, searched: {searched}")
    print_whole(screen, f"Again: {line}")
