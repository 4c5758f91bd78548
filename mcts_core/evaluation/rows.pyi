from typing import Self

from mcts_core.evaluator import Evaluator
from mcts_core.position import Position

WEIGHTS: tuple[int, ...]
SCALE: float

class Rows(Evaluator):
    def __new__(cls, position: Position) -> Self: ...
