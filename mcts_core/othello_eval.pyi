from collections.abc import Callable
from typing import Any

from mcts_core.othello import Othello

END: float

class CompiledEvaluation:
    def __new__(
        cls,
        size: int,
        mixes: list[dict[str, Any]],
        function: Callable[[Othello], float] | None = None,
    ) -> CompiledEvaluation: ...
    @property
    def function(self) -> Callable[[Othello], float] | None: ...
    def value(self, position: Othello) -> float: ...
    def terms(self, position: Othello) -> list[tuple[str, float, float]]: ...
