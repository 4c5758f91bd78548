"""Perft: the number of move sequences of a given length.

The name is short for "performance test", but perft is mainly a test of correctness: if any rule is
wrong, the number is wrong.
"""

from .game import BoardPosition


def perft(position: BoardPosition, depth: int) -> int:
    """The number of move sequences of this length.

    Othello counts a game that ends earlier as one sequence, the other games do not count it. The
    published figures follow the same conventions. A pass is a move.

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
