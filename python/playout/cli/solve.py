"""`playout solve`: the exact result of a position."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from rich.status import Status

from playout.cli.counts import COUNT
from playout.cli.errors import Command
from playout.cli.positions import game_of, position_options, to_search
from playout.cli.repeat import command_line
from playout.cli.screen import (
    board_of,
    console,
    is_terminal,
    mover,
    print_json,
    print_whole,
)
from playout.interrupts import INTERRUPTED
from playout.render.text import seconds_text
from playout.solving import Solution, solve

SOLVING = "solving; Ctrl-C gives up ..."


@click.command(cls=Command)
@position_options
@click.option("-s", "--seconds", type=float, metavar="S", help="Give up after S seconds.")
@click.option("--nodes", type=COUNT, metavar="N", help="Give up after N nodes.")
@click.option("--outcome-only", is_flag=True, help="Othello: only who wins, which is faster.")
@click.option("--multi", is_flag=True, help="Find the exact score of every move.")
@click.option(
    "--threads",
    type=int,
    default=1,
    metavar="N",
    help="Threads that share one table. Default: 1.",
)
@click.option(
    "--memory",
    metavar="SIZE",
    help='Limit of the table, such as "512MB". Default: 256 MiB.',
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the winner's strategy to FILE.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    as_json: bool,
    seconds: float | None,
    nodes: int | None,
    outcome_only: bool,
    multi: bool,
    threads: int,
    memory: str | None,
    certificate: Path | None,
    **place: Any,
) -> None:
    """Find the exact result when both sides play their best.

    This is possible near the end of a game or on small boards: Othello with up to about 24 empty
    squares, Breakthrough up to 5x5 or with few men, Connect Four up to 5x5. --seconds and --nodes
    limit the search.

    \b
    Examples:
      playout solve --size 4
      playout solve --game othello --size 4
      playout solve --position ".b..b/bbbbb/w..w./b.w../www.w w" --seconds 10
    """
    position = to_search(**place)
    screen = console()
    watched = is_terminal() and not as_json
    effort = Effort(seconds)
    try:
        with screen.status(SOLVING) if watched else nullcontext() as effort.status:
            found = solve(
                position,
                outcome_only=outcome_only,
                multi=multi,
                seconds=seconds,
                nodes=nodes,
                threads=threads,
                memory=memory,
                certificate=certificate,
                progress=effort.tell,
            )
    except KeyboardInterrupt:
        if as_json or not effort.nodes:
            raise
        screen.print(board_of(screen, position), "\n", sep="")
        screen.print(f"Not solved: {effort}, and you ended it. `playout search` can estimate it.")
        print_whole(screen, f"Again: {command_line(ctx)}")
        ctx.exit(INTERRUPTED)
    line = command_line(ctx)
    if as_json:
        print_json(_plain(found) | {"command": line})
        return
    screen.print(board_of(screen, position), "\n", sep="")
    for text in _words(found, outcome_only):
        screen.print(text)
    print_whole(screen, f"Again: {line}")


class Effort:
    """How much work was done so far, and how much time is left."""

    def __init__(self, limit: float | None) -> None:
        self.limit, self.nodes, self.seconds = limit, 0, 0.0
        self.status: Status | None = None

    def tell(self, nodes: int, seconds: float) -> None:
        """Keep and show the nodes and seconds so far."""
        self.nodes, self.seconds = nodes, seconds
        if self.status is not None:
            self.status.update(f"{self}{self.left}; {SOLVING}")

    @property
    def left(self) -> str:
        """The rest of the time, in words."""
        if self.limit is None:
            return ""
        return f", {seconds_text(max(0.0, self.limit - self.seconds))} left"

    def __str__(self) -> str:
        return f"{self.nodes:,} nodes in {seconds_text(self.seconds)}"


def _words(found: Solution, outcome_only: bool) -> list[str]:
    who = mover(found.position)
    effort = f"{found.nodes:,} nodes in {seconds_text(found.seconds)}"
    if not found.is_solved:
        return [f"Not solved: {effort}, and the limit is met. `playout search` can estimate it."]
    worth = {1.0: f"{who} wins", 0.5: "it is a draw", 0.0: f"{who} loses"}[found.value or 0.0]
    points = game_of(found.position).points
    if points and found.score and not outcome_only:
        worth += f" by {abs(found.score)} {points}"
    lines = [
        f"With best play {worth}. Best: {' '.join(found.best_moves)}",
        f"Best play: {' '.join(found.pv)}",
    ]
    if found.scores:
        lines.append(_each_move(found, has_points=bool(points) and not outcome_only))
    return [*lines, f"Proved with {effort}."]


def _each_move(found: Solution, has_points: bool) -> str:
    """The score of each move, and whether there are moves without one."""
    outcomes = {1: "wins", 0: "draws", -1: "loses"}
    words = (
        f"{move} {f'{score:+d}' if has_points else outcomes[score]}"
        for move, score in found.scores.items()
    )
    n = len(found.position.legal_moves)
    missing = "" if len(found.scores) == n else f" (the limit is met: {len(found.scores)} of {n})"
    return f"Each move{missing}: {', '.join(words)}"


def _plain(found: Solution) -> dict[str, Any]:
    return {
        "game": game_of(found.position).name,
        "position": found.position.fen,
        "move": str(found.move),
        "score": found.score,
        "value": found.value,
        "pv": [str(move) for move in found.pv],
        "nodes": found.nodes,
        "bytes": found.bytes,
        "seconds": found.seconds,
        "reason": found.reason,
        "moves": {str(move): score for move, score in found.scores.items()},
    }
