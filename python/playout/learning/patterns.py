"""Patterns as evaluations: `po.Patterns`, the kinds of patterns, and what their instances share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod
from mcts_core.evaluation import patterns as compiled
from mcts_core.evaluation.net import squares_of
from mcts_core.position import Position
from playout.learning import weights
from playout.learning.learned import Learned
from playout.learning.symmetries import square_symmetries

Kind: TypeAlias = tuple[int, ...]
"""The squares of a kind of patterns, by row * columns + column."""

ARRAYS = ("weights", "biases")


class Patterns(Learned):
    """Patterns that evaluate the positions of one game and board.

    It is a file that `playout.learn` has written. A kind of pattern is a list of squares, such as
    an edge of the board. Each way to fill them has a weight, which depends on the number of men on
    the board. A score is the sum of the weights of all places where symmetries put each kind. All
    numbers are integers, so a position has the same score on every machine.

    >>> import playout as po
    >>> po.Patterns("none.pat")
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: cannot read weights from 'none.pat': No such file or directory
    """

    kind = "patterns"
    suffix = ".pat"

    def check(self) -> None:
        """Refuse what no patterns of the package can be."""
        kinds, scale = self.facts.get("kinds"), self.facts.get("scale")
        n_squares = self.size[0] * self.size[1]
        if set(self.arrays) != set(ARRAYS) or not isinstance(kinds, list) or not kinds:
            raise self.fault("lacks an array or the kinds of its patterns")
        if not all(_is_kind(kind, n_squares) for kind in kinds) or len(kinds) > compiled.LANES:
            raise self.fault("has a kind of patterns that does not fit its board")
        if not _is_number(scale) or not 0.0 < float(scale or 0) < 1e6:
            raise self.fault("has no scale")
        table, biases = (self.arrays[name] for name in ARRAYS)
        if table.ndim != 2 or biases.ndim != 1 or len(table) != len(biases):
            raise self.fault("has arrays of the wrong dimension")
        if table.dtype.itemsize != 2 or biases.dtype.itemsize != 4:
            raise self.fault("has arrays of the wrong type")

    @classmethod
    def compiled(
        cls, position: Position, facts: dict[str, Any], arrays: weights.Arrays
    ) -> compiled.Patterns:
        """The compiled form, for the board of a position."""
        layout = layout_of(position, tuple(map(tuple, facts["kinds"])))
        layout.check(arrays["weights"])
        return layout.compiled(
            position,
            np.ascontiguousarray(arrays["weights"][:, layout.tied]),
            arrays["biases"],
            facts["most_men"],
            facts["scale"],
        )


@dataclass(frozen=True, eq=False)
class Layout:
    """The instances of some kinds, and the weights that they share."""

    instances: list[tuple[int, list[int]]]
    """Where the weights of each begin, and the bits of its squares."""
    tied: NDArray[np.int32]
    """By index: the weight, which mirror images within a kind share."""
    n_tied: int

    def compiled(
        self,
        position: Position,
        table: NDArray[np.int16],
        biases: NDArray[np.int32],
        most_men: int,
        scale: float,
    ) -> compiled.Patterns:
        """The compiled form of weights that are not tied."""
        return compiled.Patterns(position, self.instances, table, biases, most_men, scale)

    def check(self, table: NDArray[Any]) -> None:
        """Refuse weights of other kinds."""
        if table.shape[1] != self.n_tied:
            raise BadMethod(
                f"these patterns need {self.n_tied} weights a phase, and there are {table.shape[1]}"
            )


def layout_of(position: Position, kinds: tuple[Kind, ...]) -> Layout:
    """The instances of kinds on the board of a position.

    >>> import playout as po
    >>> layout = layout_of(po.Othello(), ((0, 1, 2, 3, 4, 5, 6, 7),))
    >>> len(layout.instances), len(layout.tied), layout.n_tied
    (4, 6561, 3321)
    """
    symmetries = tuple(tuple(map(int, goes)) for goes in square_symmetries(position))
    return _layout(tuple(squares_of(position)), symmetries, kinds)


@cache
def _layout(
    squares: tuple[int, ...], symmetries: tuple[tuple[int, ...], ...], kinds: tuple[Kind, ...]
) -> Layout:
    bit_of = {square: bit for bit, square in enumerate(squares) if square >= 0}
    instances: list[tuple[int, list[int]]] = []
    tied: list[NDArray[np.int64]] = []
    offset = n_tied = 0
    for kind in kinds:
        places = {frozenset(placed): placed for placed in reversed(list(_placed(kind, symmetries)))}
        instances += [(offset, [bit_of[square] for square in placed]) for placed in places.values()]
        _, weight_of = np.unique(_least_image(kind, symmetries), return_inverse=True)
        tied.append(weight_of + n_tied)
        offset += len(weight_of)
        n_tied += int(weight_of.max()) + 1
    return Layout(instances, np.concatenate(tied).astype(np.int32), n_tied)


def _placed(kind: Kind, symmetries: Iterable[tuple[int, ...]]) -> Iterable[Kind]:
    """The squares of a kind, where each symmetry puts them."""
    return (tuple(goes[square] for square in kind) for goes in symmetries)


def _least_image(kind: Kind, symmetries: Iterable[tuple[int, ...]]) -> NDArray[np.int64]:
    """By index of a kind: the least index among its mirror images on the same squares."""
    n = len(kind)
    powers = 3 ** np.arange(n)
    digits = np.arange(3**n)[:, None] // powers % 3
    least = np.arange(3**n)
    for placed in _placed(kind, symmetries):
        if set(placed) == set(kind):
            order = [placed.index(square) for square in kind]
            least = np.minimum(least, digits[:, order] @ powers)
    return least


def _is_number(thing: object) -> bool:
    return isinstance(thing, (int, float)) and not isinstance(thing, bool)


def _is_kind(kind: object, n_squares: int) -> bool:
    return (
        isinstance(kind, list)
        and 0 < len(kind) == len(set(map(str, kind))) <= compiled.MOST_SQUARES
        and all(type(square) is int and 0 <= square < n_squares for square in kind)
    )


def square_kinds(size: tuple[int, int]) -> tuple[Kind, ...]:
    """The usual kinds for games on square boards that may be turned, such as Othello.

    An edge with the squares diagonally next to its corners; in a corner 3x3, 2x5 and a triangle;
    lines along the edge and the longer diagonals.

    >>> [len(kind) for kind in square_kinds((8, 8))]
    [10, 9, 10, 10, 8, 8, 8, 8, 7, 6, 5, 4]
    """
    rows, cols = size
    n = min(rows, cols)

    def squares(*places: tuple[int, int]) -> Kind:
        return tuple(row * cols + col for row, col in places)

    kinds = [
        squares((1, 1), *((0, col) for col in range(n)), (1, n - 2)),
        squares(*((row, col) for row in range(3) for col in range(3))),
        squares(*((row, col) for row in range(2) for col in range(min(5, n)))),
        squares(*((row, col) for row in range(4) for col in range(4 - row))),
        *(squares(*((row, col) for col in range(n))) for row in range(1, n // 2)),
        *(squares(*((i, i + shift) for i in range(n - shift))) for shift in range(n - 3)),
    ]
    return tuple(kinds)
