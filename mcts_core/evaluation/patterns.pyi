from collections.abc import Sequence
from typing import Any, Self

from numpy.typing import NDArray

from mcts_core.evaluator import Evaluator
from mcts_core.position import Position

MOST_SQUARES: int
POINTS: int
LANES: int

class Patterns(Evaluator):
    def __new__(
        cls,
        position: Position,
        instances: Sequence[tuple[int, Sequence[int]]],
        weights: NDArray[Any],
        biases: NDArray[Any],
        most_men: int,
        scale: float,
    ) -> Self: ...
    def indices(
        self, own: NDArray[Any], enemy: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]: ...

def check_shapes(
    instances: Sequence[tuple[int, Sequence[int]]],
    weights: NDArray[Any],
    biases: NDArray[Any],
    most_men: int,
    scale: float,
) -> None: ...
