from typing import Any

from numpy.typing import NDArray

from mcts_core.evaluation.patterns import Patterns

def descend(
    patterns: Patterns,
    tied: NDArray[Any],
    weights: NDArray[Any],
    squares: NDArray[Any],
    bias: float,
    own: NDArray[Any],
    enemy: NDArray[Any],
    labels: NDArray[Any],
    order: NDArray[Any],
    rate: float,
) -> tuple[float, float]: ...
def check_fit(
    patterns: Patterns,
    tied: NDArray[Any],
    weights: NDArray[Any],
    squares: NDArray[Any],
    own: NDArray[Any],
    enemy: NDArray[Any],
    labels: NDArray[Any],
    order: NDArray[Any],
) -> None: ...
