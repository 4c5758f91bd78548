"""Many positions as one array."""
from libc.stdint cimport uint8_t

from mcts_core.base.array_memory cimport memory_of
from mcts_core.game cimport game_t
from mcts_core.position cimport Position

from collections.abc import Iterable

import numpy as np

from mcts_core.errors import BadPosition, shown


def stack(positions):
    """Return the planes of many positions of one game and size, as uint8 [n, 2, rows, cols]. See `Position.planes`.

    >>> from mcts_core.games.othello import Othello
    >>> stack([Othello(), Othello()]).shape
    (2, 2, 8, 8)
    """
    if not isinstance(positions, Iterable):
        raise TypeError(f"positions must be a list of positions, not {shown(positions)}")
    listed = list(positions)
    if not listed:
        raise BadPosition("an empty list has no positions to stack, so the size of the board is unknown")
    cdef const game_t* game = NULL
    cdef Position position
    cdef uint8_t* out = NULL
    cdef int squares = 0
    planes = None
    for i, thing in enumerate(listed):
        if not isinstance(thing, Position):
            raise TypeError(f"position number {i} must be a position, such as playout.Breakthrough(), "
                            f"not {shown(thing)}")
        position = thing
        if planes is None:
            rows, cols = position.shape()
            game, squares = position.game, rows * cols
            planes = np.zeros((len(listed), 2, rows, cols), np.uint8)
            out = <uint8_t*> memory_of(planes)
        if position.game != game:
            raise BadPosition(f"position number {i} is of another game or size than position number 0: "
                              "stack each kind in a call of its own")
        position.write_planes_to(out, squares)
        out += 2 * squares
    return planes
