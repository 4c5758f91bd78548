"""Certificates: a winning strategy in a file, which a short program can check without a solver.

A certificate is text. The first line is the position (its `fen`), the second the number of the
player who wins (0: the first player), and each other line a move of the winner. The moves are in
the order of this walk, which the writer and every checker share:

    waiting = [position]
    while waiting: take the last position of `waiting`
        the game is over:       the winner must have won
        it was taken before:    nothing to do
        the winner is to move:  read the next move, and append the position after it
        the loser is to move:   append the position after each move, the last legal move first

So the loser's moves are walked in legal order. No game comes back to a position, therefore a
strategy that answers every move and never ends in a loss wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from mcts_core.position import Move, Position

WinningMove = Callable[[Position], Move]  # of a position that the player to move wins


def write_certificate(
    path: str | Path, start: Position, winner: int, winning_move: WinningMove
) -> None:
    """Write the winner's strategy from a position."""
    with Path(path).open("w", encoding="utf-8") as file:
        file.write(f"{start.fen}\n{winner}\n")
        file.writelines(f"{move}\n" for move in _strategy(start, winner, winning_move))


def _strategy(start: Position, winner: int, winning_move: WinningMove) -> Iterator[Move]:
    """The winner's moves, in the order of the walk."""
    waiting, taken = [start.copy()], set()
    while waiting:
        position = waiting.pop()
        if position.is_over or position.key in taken:
            continue
        taken.add(position.key)
        if position.turn == winner:
            yield position.push(winning_move(position))
            waiting.append(position)
        else:
            waiting.extend(reversed(position.children()))
