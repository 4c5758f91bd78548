from typing import Any, Self

from numpy.typing import NDArray

from mcts_core.evaluator import Evaluator
from mcts_core.minimax.evaluated import EvaluatedSearch
from mcts_core.minimax.finisher import Finisher
from mcts_core.position import Position

class Worker: ...

class AlphaBetaSearch(EvaluatedSearch):
    def __new__(
        cls,
        position: Position,
        evaluator: Evaluator,
        n_exact: int = 1,
        is_selective: bool = True,
        memory: int = ...,
        threads: int = 1,
        finisher: Finisher | None = None,
    ) -> Self: ...
    @property
    def depth(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def run(self, depth: int, seconds: float | None = None, nodes: int | None = None) -> str: ...
    def help(self, number: int, most_depth: int) -> None: ...
    def root(self) -> tuple[dict[str, NDArray[Any]], list[list[int]]]: ...
