"""Small networks as evaluations: `po.Net`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.evaluation import net as compiled
from mcts_core.position import Position
from playout.learning import weights
from playout.learning.learned import Learned

ARRAYS = ("inputs", "biases", "weights", "head_biases")


class Net(Learned):
    """A small network that evaluates the positions of one game and board.

    It is a file that `playout.learn` has written. Two boards go in, the mover's men and the
    opponent's; one layer of hidden units follows, and a score comes out. All numbers are
    integers, so a position has the same score on every machine.

    >>> import playout as po
    >>> po.Net("none.net")
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: cannot read weights from 'none.net': No such file or directory
    """

    kind = "net"
    suffix = ".net"

    def check(self) -> None:
        """Refuse what no network of the package can be."""
        if set(self.arrays) != set(ARRAYS):
            raise self.fault("lacks an array or the number of men")
        dimensions = [self.arrays[name].ndim for name in ARRAYS]
        types = [self.arrays[name].dtype.itemsize for name in ARRAYS]
        if dimensions != [2, 1, 2, 1] or types != [2, 2, 2, 4]:
            raise self.fault("has arrays of the wrong type or dimension")
        rows, cols = self.size
        inputs = self.arrays["inputs"]
        if len(inputs) != 2 * rows * cols:
            raise self.fault("has inputs for another board")
        padded = np.pad(inputs, ((0, 128 - len(inputs)), (0, 0)))
        biases, heads, head_biases = (self.arrays[name] for name in ARRAYS[1:])
        compiled.check_shapes(padded, biases, heads, head_biases, self.facts["most_men"])

    @classmethod
    def compiled(
        cls, position: Position, facts: dict[str, Any], arrays: weights.Arrays
    ) -> compiled.Net:
        """The compiled form, for the board of a position."""
        return compiled_net(position, arrays, facts["most_men"])


def compiled_net(position: Position, arrays: weights.Arrays, most_men: int) -> compiled.Net:
    """The compiled form of the arrays of a network, whose inputs are in the order of squares."""
    own, enemy = np.split(arrays["inputs"], 2)
    inputs = np.zeros((128, own.shape[1]), np.int16)
    for bit, square in enumerate(compiled.squares_of(position)):
        if square >= 0:
            inputs[bit], inputs[64 + bit] = own[square], enemy[square]
    biases, heads, head_biases = (arrays[name] for name in ARRAYS[1:])
    return compiled.Net(position, inputs, biases, heads, head_biases, most_men)


def by_square(inputs: NDArray[Any], position: Position) -> NDArray[Any]:
    """Inputs in the order of squares, from those in the order of bits."""
    bits = [
        (square, bit) for bit, square in enumerate(compiled.squares_of(position)) if square >= 0
    ]
    order = np.array([bit for _, bit in sorted(bits)])
    chosen: NDArray[Any] = inputs[np.concatenate([order, 64 + order])]
    return chosen


def rounded(values: NDArray[Any], unit: int, most: int, type_: Any = np.int16) -> NDArray[Any]:
    """Numbers in whole units, clipped to what the compiled network takes."""
    units: NDArray[Any] = np.clip(np.rint(values * unit), -most, most).astype(type_)
    return units
