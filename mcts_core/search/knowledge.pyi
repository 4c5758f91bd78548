from typing import Self

from mcts_core.evaluator import Evaluator
from mcts_core.position import Position

MOST_CUT: int
MOST_PRIOR: int

class QuietSearch:
    def __new__(cls, position: Position, evaluator: Evaluator) -> Self: ...
