from typing import Any, Self

from mcts_core.position import Position
from mcts_core.rule import Rule

BETAS: dict[str, int]

class RAVE(Rule):
    def __new__(cls, options: dict[str, Any], position: Position) -> Self: ...
