"""Evaluations of Othello by hand: mixes of terms, such as squares, mobility and corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcts_core.errors import BadMethod, shown
from mcts_core.evaluation.othello_eval import END
from playout.arguments import array_of_numbers, finite, number

TERMS = ("parity", "mobility", "potential", "corners", "stability")
MOST_PHASES = 61


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """A mix of terms: their sum, each times its weight, divided by `divisor`.

    Every term but the first lies between -100 and 100. It is `100 * (a - b) / (a + b)`, where a is
    the count of the side to move and b the opponent's; 0 if both are 0.

    - `weights`: an 8x8 array with the value of a disc on each square; own minus opponent's discs;
    - `parity`: discs;
    - `mobility`: squares where a side could play if it were to move;
    - `potential`: empty squares next to a disc of the other side;
    - `corners`: corners taken;
    - `stability`: discs that can never be flipped, minus those that the other side could flip at
      once, relative to all such discs of both sides.

    `by_phase` replaces all of these by a sequence of mixes for equally long parts of the game,
    counted in discs.

    >>> Evaluation(mobility=2, corners=1.5)
    Evaluation(mobility=2.0, corners=1.5)
    >>> Evaluation(by_phase=[Evaluation(mobility=1), Evaluation(parity=1)])
    Evaluation(by_phase=(Evaluation(mobility=1.0), Evaluation(parity=1.0)))
    >>> Evaluation(mobility=float("nan"))
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: Evaluation: mobility must be a finite number, not nan
    """

    weights: ArrayLike | None = None
    parity: float = 0.0
    mobility: float = 0.0
    potential: float = 0.0
    corners: float = 0.0
    stability: float = 0.0
    divisor: float = 1.0
    by_phase: Sequence[Evaluation] | None = None

    def __post_init__(self) -> None:
        try:
            for name in TERMS:
                object.__setattr__(self, name, finite(name, getattr(self, name)))
            object.__setattr__(self, "divisor", number("divisor", self.divisor, above=True))
        except ValueError as fault:
            raise BadMethod(f"Evaluation: {fault}") from None
        if self.by_phase is not None:
            object.__setattr__(self, "by_phase", self._checked_phases())
            return
        if self.weights is not None:
            object.__setattr__(self, "weights", _table(self.weights))
        elif not any(getattr(self, name) for name in TERMS):
            raise BadMethod(
                f"Evaluation: no term has a weight; give weights= or some of {', '.join(TERMS)}"
            )
        if self._largest() >= END:
            raise BadMethod(
                f"Evaluation: its values reach {self._largest():g}, and from {END:g} on they are "
                "those of finished games: make the weights smaller or divisor larger"
            )

    def _checked_phases(self) -> tuple[Evaluation, ...]:
        alone = [f.name for f in fields(self) if getattr(self, f.name) is not f.default]
        if set(alone) - {"by_phase", "divisor", *TERMS} or self.divisor != 1.0 or self._weighs():
            raise BadMethod("Evaluation: with by_phase every term stands in one of its mixes")
        assert self.by_phase is not None
        mixes = tuple(self.by_phase) if isinstance(self.by_phase, (list, tuple)) else ()
        if not 1 <= len(mixes) <= MOST_PHASES or not all(
            isinstance(mix, Evaluation) and mix.by_phase is None for mix in mixes
        ):
            raise BadMethod(
                f"Evaluation: by_phase is a list of 1 to {MOST_PHASES} evaluations without phases, "
                "such as [Evaluation(mobility=1), Evaluation(parity=1)], "
                f"not {shown(self.by_phase)}"
            )
        return mixes

    def _weighs(self) -> bool:
        return any(getattr(self, name) for name in TERMS)

    def _largest(self) -> float:
        """An upper bound on the size of any value."""
        table = sum((abs(weight) for row in self._rows() for weight in row), 0.0)
        terms: float = sum(abs(getattr(self, name)) for name in TERMS)
        return (table + 100.0 * terms) / self.divisor

    def _rows(self) -> tuple[tuple[float, ...], ...]:
        return () if self.weights is None else self.weights  # type: ignore[return-value]

    def mixes(self) -> list[dict[str, Any]]:
        """The mix of each phase, in the form of the compiled evaluation."""
        if self.by_phase is not None:
            return [mix.mixes()[0] for mix in self.by_phase]
        table = [weight for row in self._rows() for weight in row] or None
        return [{name: getattr(self, name) for name in (*TERMS, "divisor")} | {"table": table}]

    def __repr__(self) -> str:
        changed = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if getattr(self, f.name) != f.default
        ]
        return f"Evaluation({', '.join(changed)})"


def _table(weights: ArrayLike) -> tuple[tuple[float, ...], ...]:
    """Eight rows of eight finite weights."""
    try:
        table = array_of_numbers("weights", weights, "8x8 numbers")
    except ValueError as fault:
        raise BadMethod(f"Evaluation: {fault}") from None
    if table.shape != (8, 8):
        raise BadMethod(f"Evaluation: weights must be 8x8 numbers, not of shape {table.shape}")
    if not np.isfinite(table).all():
        row, col = np.argwhere(~np.isfinite(table))[0]
        raise BadMethod(
            f"Evaluation: the weight of {'abcdefgh'[col]}{row + 1} must be a finite number, "
            f"not {table[row, col]}"
        )
    return tuple(tuple(row) for row in table.tolist())


_UPPER_HALF = (
    (100, -10, 11, 6, 6, 11, -10, 100),
    (-10, -20, 1, 2, 2, 1, -20, -10),
    (10, 1, 5, 4, 4, 5, 1, 10),
    (6, 2, 4, 2, 2, 4, 2, 6),
)

MIXES = {
    "weights": Evaluation(weights=(*_UPPER_HALF, *reversed(_UPPER_HALF))),
    "ratios": Evaluation(parity=1, mobility=1, corners=1, divisor=3),
    "washington": Evaluation(corners=30, mobility=5, stability=25, parity=25),
}
