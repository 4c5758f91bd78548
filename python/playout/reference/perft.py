"""Perft: how many games are there of a given length?

The name is short for "performance test", but counting is above all the test of a move generator:
one rule got wrong, and the number is wrong.
"""

from .game import BoardPosition


def perft(position: BoardPosition, depth: int) -> int:
    """The number of move sequences of this length.

    Othello counts a game that ends earlier as one sequence, Breakthrough does not count it: such is
    the custom of the published figures. A pass is a move.

    >>> from playout.reference import Breakthrough, Othello
    >>> [perft(Breakthrough(5), depth) for depth in range(4)]
    [1, 13, 156, 1924]
    >>> [perft(Othello(), depth) for depth in range(5)]
    [1, 4, 12, 56, 244]
    """
    if depth < 0:
        raise ValueError(f"depth must be 0 or more, not {depth}")
    if depth == 0:
        return 1
    if position.is_over:
        return position.finished_game_leaves
    return sum(perft(position.after(move), depth - 1) for move in position.legal_moves)
