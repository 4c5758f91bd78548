"""`playout perft`: count the sequences of moves of a given length."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import click

from mcts_core.position import Position
from playout.cli.errors import Command
from playout.cli.positions import game_of, position_from, position_options
from playout.cli.repeat import command_line
from playout.cli.screen import board_of, console, print_json, print_whole
from playout.render.text import seconds_text

WIDEST = "18,446,744,073,709,551,615"  # the largest count, for the width of the column


@click.command(cls=Command)
@click.argument("depth", type=click.IntRange(0, 100))
@position_options
@click.option("--divide", is_flag=True, help="Also show the count of each first move.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@click.pass_context
def command(ctx: click.Context, /, depth: int, divide: bool, as_json: bool, **place: Any) -> None:
    """Count the sequences of DEPTH moves: the classical check that the rules are right.

    Compare the counts with published ones: Othello 4, 12, 56, 244, 1396, 8200 ... A game that ends
    earlier counts as one sequence in Othello, and is not counted in the other games.

    \b
    Examples:
      playout perft 6 --game breakthrough --size 5
      playout perft 4 --game othello --divide
      playout perft 5 --moves "a2a3 d7d6" --json
    """
    position = position_from(**place)
    screen = console()
    if not as_json:
        screen.print(board_of(screen, position), "\n", sep="")
        screen.print(f"depth  {'move sequences':>{len(WIDEST)}}        time")
    counts, began = [], perf_counter()
    for plies in range(min(1, depth), depth + 1):
        counts.append(_counted(position, plies))
        if not as_json:
            leaves, seconds = counts[-1]
            screen.print(f"{plies:5}  {leaves:>{len(WIDEST)},}  {seconds_text(seconds):>10}")
    shares = _divided(position, depth) if divide else {}
    line = command_line(ctx)
    if as_json:
        found = {
            "game": game_of(position).name,
            "position": position.fen,
            "depth": depth,
            "leaves": counts[-1][0],
            "counts": [leaves for leaves, _ in counts],
            "seconds": perf_counter() - began,
        }
        print_json(found | ({"divide": shares} if divide else {}) | {"command": line})
        return
    if shares:
        screen.print(f"\nof the {counts[-1][0]:,} at depth {depth}, by first move:")
        for move, leaves in shares.items():
            screen.print(f"{move:5}  {leaves:>{len(WIDEST)},}")
    screen.print()
    print_whole(screen, f"Again: {line}")


def _counted(position: Position, depth: int) -> tuple[int, float]:
    began = perf_counter()
    leaves = position.perft(depth)
    return leaves, perf_counter() - began


def _divided(position: Position, depth: int) -> dict[str, int]:
    """The number of sequences that begin with each move."""
    shares = {}
    for move in position.legal_moves if depth else ():
        position.push(move)
        shares[str(move)] = position.perft(depth - 1)
        position.pop()
    return shares
