from typing import Self

from mcts_core.evaluator import Evaluator
from mcts_core.minimax.limits import LimitedSearch
from mcts_core.position import Position

class EvaluatedSearch(LimitedSearch):
    def __new__(
        cls, position: Position, evaluator: Evaluator, *settings: object, **more_settings: object
    ) -> Self: ...
    @property
    def position(self) -> Position: ...
