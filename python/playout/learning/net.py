"""Small networks as evaluations: `po.Net`, and those that come with the package."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod, shown
from mcts_core.evaluation import net as compiled
from mcts_core.position import Position
from playout.games import GAMES, Size, game_of, size_of, size_text
from playout.learning import weights

ARRAYS = ("inputs", "biases", "weights", "head_biases")


@dataclass(frozen=True, eq=False, repr=False)
class Net:
    """A small network that evaluates the positions of one game and board.

    It is a file that `playout.learn` has written. Two boards go in, the mover's men and the
    opponent's; one layer of hidden units follows, and a score comes out. All numbers are
    integers, so a position has the same score on every machine.

    >>> import playout as po
    >>> po.Net("none.net")
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: cannot read weights from 'none.net': No such file or directory
    """

    path: str | os.PathLike[str]
    facts: dict[str, Any] = field(init=False)
    arrays: weights.Arrays = field(init=False)

    def __post_init__(self) -> None:
        facts, arrays = weights.read(self.path, "net")
        object.__setattr__(self, "facts", facts)
        object.__setattr__(self, "arrays", arrays)
        self._check()

    def _check(self) -> None:
        """Refuse what no network of the package can be."""
        game, size, men = (self.facts.get(name) for name in ("game", "size", "most_men"))
        is_size = isinstance(size, list) and [type(n) for n in size] == [int, int]
        if not isinstance(game, str) or game not in GAMES or not is_size:
            raise BadMethod(f"{shown(str(self.path))} is for a game or board that is not known")
        if type(men) is not int or set(self.arrays) != set(ARRAYS):
            raise BadMethod(f"{shown(str(self.path))} lacks an array or the number of men")
        if not 0 < self.size[0] * self.size[1] <= 64 or men < GAMES[game].most_men(self.size):
            raise BadMethod(f"{shown(str(self.path))} is for fewer men than its board can have")
        dimensions = [self.arrays[name].ndim for name in ARRAYS]
        types = [self.arrays[name].dtype.itemsize for name in ARRAYS]
        if dimensions != [2, 1, 2, 1] or types != [2, 2, 2, 4]:
            raise BadMethod(f"{shown(str(self.path))} has arrays of the wrong type or dimension")
        rows, cols = self.size
        inputs = self.arrays["inputs"]
        if len(inputs) != 2 * rows * cols:
            raise BadMethod(f"{shown(str(self.path))} has inputs for another board")
        padded = np.pad(inputs, ((0, 128 - len(inputs)), (0, 0)))
        biases, heads, head_biases = (self.arrays[name] for name in ARRAYS[1:])
        compiled.check_shapes(padded, biases, heads, head_biases, men)

    @property
    def size(self) -> Size:
        """Rows and columns of its board."""
        rows, cols = self.facts["size"]
        return rows, cols

    def evaluator(self, position: Position) -> compiled.Net:
        """The compiled form, for positions of this game and board."""
        game = game_of(position)
        if game is None or game.name != self.facts["game"] or size_of(position) != self.size:
            own = f"{self.facts['game']} {size_text(self.size)}"
            raise BadMethod(f"{self!r} is for {own}, not for {shown(position)}")
        return compiled_net(position, self.arrays, self.facts["most_men"])

    def __repr__(self) -> str:
        return f"Net({os.fspath(self.path)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Net) and os.fspath(self.path) == os.fspath(other.path)

    def __hash__(self) -> int:
        return hash(os.fspath(self.path))

    def __reduce__(self) -> Any:
        return Net, (self.path,)


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


def shipped(position: Position) -> Net | None:
    """The network of the package for the board of a position; None if there is none."""
    game = game_of(position)
    return None if game is None else _shipped(game.name, size_of(position))


@cache
def _shipped(name: str, size: Size) -> Net | None:
    from importlib.resources import as_file, files  # imported here: slow to import

    found = files("playout.learning") / "shipped" / f"{name}-{size_text(size)}.net"
    if not found.is_file():
        return None
    with as_file(found) as path:
        return Net(path)


def rounded(values: NDArray[Any], unit: int, most: int, type_: Any = np.int16) -> NDArray[Any]:
    """Numbers in whole units, clipped to what the compiled network takes."""
    units: NDArray[Any] = np.clip(np.rint(values * unit), -most, most).astype(type_)
    return units
