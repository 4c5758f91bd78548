from typing import Any

from mcts_core.position import Position
from mcts_core.rule import Rule

BETAS: dict[str, int]

class RAVE(Rule):
    def __init__(self, options: dict[str, Any], position: Position) -> None: ...
