"""`playout learn`: learn an evaluation of a game by self-play."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any, Self

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from playout.cli.contests import dask_executor
from playout.cli.errors import Command, Fault
from playout.cli.positions import position_from
from playout.cli.screen import console, print_json, print_whole
from playout.games import DEFAULT, GAMES, size_of, size_text
from playout.learning.learn import GENERATIONS, learn, usual_file
from playout.learning.learn import Progress as Step


@click.command(cls=Command)
@click.argument("game", default=DEFAULT.name, metavar=f"[{'|'.join(GAMES)}]")
@click.option("--size", metavar="N|RxC", help="Of the board: 5, or 6x5 for 6 rows of 5.")
@click.option(
    "--minutes",
    type=float,
    default=10.0,
    show_default=True,
    help="What one core takes, more or less; it sets the number of positions.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of all games and weights.")
@click.option(
    "--nodes", type=int, default=1000, show_default=True, help="Of a search in self-play."
)
@click.option(
    "--kind",
    metavar="net|patterns",
    help="What is learned: by default patterns for Othello and a small network for other games.",
)
@click.option(
    "--generations",
    type=int,
    default=GENERATIONS,
    show_default=True,
    help="Each learns from the games of the one before.",
)
@click.option(
    "--hidden",
    type=int,
    default=32,
    show_default=True,
    help="Hidden units of the network: a multiple of 32.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    metavar="N",
    help="That play; by default as many as there are cores.",
)
@click.option("--dask", metavar="ADDRESS", help="Play on this Dask cluster.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where the weights go; by default GAME-SIZE.net or .pat.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the facts of the file as JSON.")
def command(
    game: str,
    size: str | None,
    out: Path | None,
    dask: str | None,
    threads: int | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Learn an evaluation from nothing, by games of alpha-beta with itself.

    The evaluation plays itself in generations, and each learns from the games of the one before. An
    interrupted run continues where it was when the same command is given again. The same seed
    gives the same weights on a machine.

    \b
    Examples:
      playout learn breakthrough --size 5 --minutes 1
      playout learn connect-four --minutes 5 --out four.net
      playout learn breakthrough --size 6x5 --minutes 2 --threads 1
    """
    if dask is not None and threads is not None:
        raise Fault("--dask and --threads are two ways to play at a time: choose one")
    position = position_from(game, size)
    path = out or usual_file(position, settings["kind"])
    screen = console()
    with (
        nullcontext(None) if dask is None else dask_executor(dask) as executor,
        _Bar(as_json) as bar,
    ):
        net = learn(
            position, out=path, threads=threads, executor=executor, heard=bar.heard, **settings
        )
    if as_json:
        print_json({**net.facts, "file": str(path)})
        return
    screen.print(f"{path}: {net.facts['positions']:,} positions, error {net.facts['error']}")
    method = f"AlphaBeta(evaluation={str(path)!r})"
    board = f"--game {game} --size {size_text(size_of(position))}"
    example = f'playout match "{method}@10000n" rave@1000 {board} --games 20'
    print_whole(screen, f"Try it: {example}")


class _Bar:
    """A line that shows how far learning is."""

    def __init__(self, is_silent: bool) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        self.progress = Progress(*columns, console=console(), disable=is_silent)
        self.task = self.progress.add_task("", total=1.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def heard(self, step: Step) -> None:
        """Show it. The line appears with the first report, after all arguments were checked."""
        self.progress.start()
        text = f"generation {step.generation + 1} of {step.generations}: {step.phase}"
        if step.phase == "playing":
            text += f", {step.done:,} of {step.total:,} positions"
        else:
            text += f", epoch {step.done} of {step.total}, error {step.error:.4f}"
        self.progress.update(
            self.task, description=text, completed=step.done, total=float(step.total)
        )
