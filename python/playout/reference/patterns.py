"""Learned patterns that evaluate positions, in plain Python.

It reads the same file of weights as the engine and adds the same integers:

    place         the squares of a kind of patterns, where a symmetry of the board puts them
    way           how they are filled: a digit to base 3 for each square, 0 empty, 1 a man of the
                  mover, 2 of the opponent, the first square's digit the lowest
    score         the bias of the phase + a weight for each place, by its way

Ways that are mirror images of each other on the same squares share a weight: that of the smallest.
The number of men on the board chooses the phase.
"""

from collections.abc import Sequence
from functools import cache

from .game import BoardPosition
from .weights import read

Squares = tuple[int, ...]


class Patterns:
    """The weights of a file."""

    def __init__(self, path: str) -> None:
        facts, arrays = read(path)
        self.most_men: int = facts["most_men"]
        self.biases = arrays["biases"]
        rows, cols = facts["size"]
        n_weights = len(arrays["weights"]) // len(self.biases)
        self.weights = [
            arrays["weights"][i : i + n_weights]
            for i in range(0, len(arrays["weights"]), n_weights)
        ]
        symmetries = symmetries_of(rows, cols, can_turn=facts["game"] == "othello")
        self.places: list[tuple[Squares, dict[int, int]]] = []
        begin = 0
        for kind in facts["kinds"]:
            weight_of = weights_of(tuple(kind), symmetries, begin)
            begin = max(weight_of.values()) + 1
            placed = {frozenset(goes[square] for square in kind): goes for goes in symmetries[::-1]}
            for goes in placed.values():
                self.places.append((tuple(goes[square] for square in kind), weight_of))

    def score(self, position: BoardPosition) -> int:
        """The score of a position for the side to move."""
        own, enemy = position.planes
        digits = dict.fromkeys(own, 1) | dict.fromkeys(enemy, 2)
        phases = len(self.biases)
        phase = max(0, min((len(digits) - 1) * phases // self.most_men, phases - 1))
        total = self.biases[phase]
        for squares, weight_of in self.places:
            way = sum(digits.get(square, 0) * 3**i for i, square in enumerate(squares))
            total += self.weights[phase][weight_of[way]]
        return total


def symmetries_of(rows: int, cols: int, can_turn: bool) -> list[Squares]:
    """Where each square goes: nowhere, mirrored, and in some games turned by 90, 180, 270 degrees.

    >>> symmetries_of(1, 3, can_turn=False)
    [(0, 1, 2), (2, 1, 0)]
    >>> len(symmetries_of(8, 8, can_turn=True))
    8
    """
    board = [[row * cols + col for col in range(cols)] for row in range(rows)]
    boards = [board, [line[::-1] for line in board]]
    for turns in (1, 2, 3) if can_turn else ():
        for first in boards[:2]:
            turned = first
            for _ in range(turns):
                turned = [list(line) for line in zip(*turned, strict=True)][::-1]
            boards.append(turned)
    return [tuple(square for line in b for square in line) for b in boards]


@cache
def _images(kind: Squares, symmetries: tuple[Squares, ...]) -> list[list[int]]:
    """The orders in which symmetries list the squares of a kind, if they stay on them."""
    places = [tuple(goes[square] for square in kind) for goes in symmetries]
    return [
        [placed.index(square) for square in kind] for placed in places if set(placed) == set(kind)
    ]


def weights_of(kind: Squares, symmetries: Sequence[Squares], begin: int) -> dict[int, int]:
    """The number of the weight of each way to fill a kind, counted from `begin`.

    >>> weights_of((0, 1), [(0, 1), (1, 0)], 10)
    {0: 10, 1: 11, 2: 12, 3: 11, 4: 13, 5: 14, 6: 12, 7: 14, 8: 15}
    """
    images = _images(kind, tuple(symmetries))
    numbers: dict[int, int] = {}
    found: dict[int, int] = {}
    for way in range(3 ** len(kind)):
        digits = [way // 3**i % 3 for i in range(len(kind))]
        least = min(sum(digits[place] * 3**i for i, place in enumerate(order)) for order in images)
        found[way] = numbers.setdefault(least, begin + len(numbers))
    return found


@cache
def patterns(path: str) -> Patterns:
    """The patterns of a file, read once."""
    return Patterns(path)
