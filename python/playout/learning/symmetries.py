"""The symmetries of boards: permutations of the squares in which a position is worth the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mcts_core.evaluation.net import squares_of
from mcts_core.position import Position
from playout.games import game_of, size_of

Squares = NDArray[np.intp]


def square_symmetries(position: Position) -> list[Squares]:
    """Where each square goes, by row * columns + column, in each symmetry of the board."""
    rows, cols = size_of(position)
    board = np.arange(rows * cols).reshape(rows, cols)
    game = game_of(position)
    boards = [board, board[:, ::-1]]
    if game is not None and game.turns:
        boards += [np.rot90(b, turns) for turns in (1, 2, 3) for b in boards[:2]]
    return [b.ravel() for b in boards]


def symmetries_of(position: Position) -> list[Squares]:
    """The same for the 64 bits of a game's planes."""
    squares = squares_of(position)
    bit_of = {square: bit for bit, square in enumerate(squares) if square >= 0}
    return [
        np.array(
            [bit_of[goes[square]] if square >= 0 else bit for bit, square in enumerate(squares)]
        )
        for goes in square_symmetries(position)
    ]
