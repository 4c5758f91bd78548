from typing import Any, Self

from numpy.typing import NDArray

from mcts_core.evaluator import Evaluator
from mcts_core.position import Position

UNIT: int
HEAD_UNIT: int
MOST_HEAD_WEIGHT: int
BLOCK: int
SCALE: float

def squares_of(position: Position) -> list[int]: ...
def most_input(most_men: int) -> int: ...

class Net(Evaluator):
    def __new__(
        cls,
        position: Position,
        inputs: NDArray[Any],
        biases: NDArray[Any],
        weights: NDArray[Any],
        head_biases: NDArray[Any],
        most_men: int,
    ) -> Self: ...

def check_shapes(
    inputs: NDArray[Any],
    biases: NDArray[Any],
    weights: NDArray[Any],
    head_biases: NDArray[Any],
    most_men: int,
) -> None: ...
