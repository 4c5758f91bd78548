from typing import Any, Self

from numpy.typing import NDArray

from mcts_core.evaluator import Evaluator
from mcts_core.minimax.evaluated import EvaluatedSearch
from mcts_core.position import Position

class BestFirstSearch(EvaluatedSearch):
    def __new__(
        cls,
        position: Position,
        evaluator: Evaluator,
        scope: float = 0.1,
        is_selective: bool = True,
        memory: int = ...,
    ) -> Self: ...
    @property
    def has_result(self) -> bool: ...
    @property
    def depth(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def run(self, seconds: float | None = None, nodes: int | None = None) -> str: ...
    def root(self) -> tuple[dict[str, NDArray[Any]], list[list[int]]]: ...
