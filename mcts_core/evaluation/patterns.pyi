from collections.abc import Sequence
from typing import Any, Self, TypeAlias

from numpy.typing import NDArray

from mcts_core.evaluator import Evaluator
from mcts_core.position import Position

POINTS: int
LANES: int

Instances: TypeAlias = Sequence[tuple[int, Sequence[int]]]

class Patterns(Evaluator):
    def __new__(
        cls,
        position: Position,
        instances: Instances,
        weights: NDArray[Any],
        biases: NDArray[Any],
        most_men: int,
        scale: float,
        errors: Sequence[float] | None = None,
    ) -> Self: ...
    def indices(
        self, own: NDArray[Any], enemy: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]: ...

def check_shapes(
    instances: Instances, weights: NDArray[Any], biases: NDArray[Any], most_men: int, scale: float
) -> None: ...
