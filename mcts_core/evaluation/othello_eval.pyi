from collections.abc import Callable
from typing import Any, Self

from mcts_core.games.othello import Othello

END: float

class CompiledEvaluation:
    def __new__(
        cls,
        size: int,
        mixes: list[dict[str, Any]],
        function: Callable[[Othello], float] | None = None,
    ) -> Self: ...
    @property
    def function(self) -> Callable[[Othello], float] | None: ...
    def value(self, position: Othello) -> float: ...
    def terms(self, position: Othello) -> list[tuple[str, float, float]]: ...
