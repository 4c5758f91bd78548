from typing import Any, Self

from mcts_core.position import Position
from mcts_core.rule import Rule

class UCT(Rule):
    def __new__(cls, options: dict[str, Any], position: Position) -> Self: ...
