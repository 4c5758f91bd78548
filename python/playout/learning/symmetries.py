"""The symmetries of boards: permutations of the squares in which a position is worth the same."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mcts_core.evaluation.net import squares_of
from mcts_core.position import Position
from playout.games import Size, game_of, size_of

Squares = NDArray[np.intp]


def square_symmetries(position: Position) -> Squares:
    """Where each square goes, by row * columns + column: one row for each symmetry.

    The board as it is comes first, then mirrored; in some games it is also turned.
    """
    game = game_of(position)
    return _squares(size_of(position), game is not None and game.turns)


@cache
def _squares(size: Size, turns: bool) -> Squares:
    rows, cols = size
    board = np.arange(rows * cols).reshape(size)
    boards = [board, board[:, ::-1]]
    if turns:
        boards += [np.rot90(b, times) for times in (1, 2, 3) for b in boards[:2]]
    return np.array([b.ravel() for b in boards])


def key_of(position: Position) -> bytes:
    """The squares of a board and the side to move. Symmetric positions, and no others, share it.

    >>> import playout as po
    >>> corners = [po.Othello(4).children()[i] for i in range(4)]
    >>> len({key_of(position) for position in corners})
    1
    >>> key_of(po.ConnectFour(4))[-1:]
    b'0'
    """
    squares = np.frombuffer("".join(position.board.rows).encode("ascii"), np.uint8)
    boards = squares[square_symmetries(position)]
    least: bytes = min(board.tobytes() for board in boards)
    return least + b"%d" % position.turn


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
