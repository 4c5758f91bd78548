from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

from mcts_core.playouts import Rollout

class FunctionPolicy(Rollout):
    def __new__(cls, function: Callable[[Any, Sequence[Any]], int | Iterable[float]]) -> Self: ...
