from collections.abc import Callable
from typing import Any, Self

from mcts_core.evaluator import Evaluator
from mcts_core.position import Position

SCALE: float

class Function(Evaluator):
    def __new__(cls, position: Position, function: Callable[[Any], float]) -> Self: ...
