"""A small learned network that evaluates positions, in plain Python.

It reads the same file of weights as the engine and adds the same integers:

    hidden unit   its bias, plus a weight for each man, by its side and square
    activation    the hidden unit, not below 0 and below 256, squared
    score         (bias of the head + activations * weights of the head) / 2**14, rounded down

The number of men on the board chooses the head. The board is turned so that the mover's men move
up.
"""

from collections.abc import Sequence
from functools import cache

from .game import BoardPosition
from .weights import read

ONE = 256  # a hidden unit of 1
SHIFT = 14

Rows = list[tuple[int, ...]]


class Net:
    """The weights of a file.

    `inputs` has a row of hidden units for each square with a man of the mover, then for each
    square with a man of the opponent. `weights` has a row for each head.
    """

    def __init__(self, path: str) -> None:
        facts, arrays = read(path)
        self.most_men: int = facts["most_men"]
        self.biases: tuple[int, ...] = arrays["biases"]
        self.head_biases: tuple[int, ...] = arrays["head_biases"]
        self.inputs: Rows = _rows(arrays["inputs"], len(self.biases))
        self.weights: Rows = _rows(arrays["weights"], len(self.biases))

    def score(self, position: BoardPosition) -> int:
        """The score of a position for the side to move; 256 more make a win e times as likely."""
        own, enemy = position.planes
        squares = position.rows * position.cols
        active = [*own, *(squares + square for square in enemy)]
        hidden = [
            bias + sum(self.inputs[i][unit] for i in active)
            for unit, bias in enumerate(self.biases)
        ]
        n_heads = len(self.weights)
        head = max(0, min((len(active) - 1) * n_heads // self.most_men, n_heads - 1))
        total = self.head_biases[head]
        for unit, weight in zip(hidden, self.weights[head], strict=True):
            total += min(max(unit, 0), ONE - 1) ** 2 * weight
        return total >> SHIFT


def _rows(numbers: Sequence[int], length: int) -> Rows:
    return [tuple(numbers[i : i + length]) for i in range(0, len(numbers), length)]


@cache
def net(path: str) -> Net:
    """The network of a file, read once.

    >>> net("no such file.net")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'no such file.net'
    """
    return Net(path)
