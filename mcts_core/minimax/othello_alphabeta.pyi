from typing import Any, Self

from numpy.typing import NDArray

from mcts_core.evaluation.othello_eval import CompiledEvaluation
from mcts_core.games.othello import Othello
from mcts_core.minimax.limits import LimitedSearch

class OthelloSearch(LimitedSearch):
    def __new__(
        cls,
        position: Othello,
        evaluation: CompiledEvaluation,
        n_exact: int = 1,
        exact_ties: bool = False,
        memory: int = ...,
    ) -> Self: ...
    @property
    def position(self) -> Othello: ...
    @property
    def depth(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def run(self, depth: int, seconds: float | None = None, nodes: int | None = None) -> str: ...
    def root(self) -> tuple[dict[str, NDArray[Any]], list[list[int]]]: ...
