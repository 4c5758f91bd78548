"""Breakthrough by hand: what a man is worth on each row, and a bonus for the side to move."""

from .breakthrough import Breakthrough

WEIGHTS = (762, 348, 246, 162, 138, 132, 150)
"""Of a man, by the rows that it still has to go: 1, 2, 3, ..."""

TEMPO = 30


def rows_score(position: Breakthrough) -> int:
    """The score of a position for the side to move.

    >>> rows_score(Breakthrough(5)), rows_score(Breakthrough(5).play("a2a3"))
    (30, -72)
    """
    own, enemy = position.planes
    last = position.rows - 1
    score = TEMPO
    score += sum(WEIGHTS[last - square // position.cols - 1] for square in own)
    score -= sum(WEIGHTS[square // position.cols - 1] for square in enemy)
    return score
