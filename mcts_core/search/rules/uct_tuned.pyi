from typing import Any, Self

from mcts_core.position import Position
from mcts_core.search.rules.uct import UCT

class UCTTuned(UCT):
    def __new__(cls, options: dict[str, Any], position: Position) -> Self: ...
