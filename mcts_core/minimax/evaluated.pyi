from mcts_core.evaluator import Evaluator
from mcts_core.minimax.limits import LimitedSearch
from mcts_core.position import Position

class EvaluatedSearch(LimitedSearch):
    def __init__(
        self, position: Position, evaluator: Evaluator, *settings: object, **more_settings: object
    ) -> None: ...
    @property
    def position(self) -> Position: ...
