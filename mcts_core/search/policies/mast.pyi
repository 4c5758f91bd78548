from typing import Self

from mcts_core.position import Position
from mcts_core.search.policy import Policy

class MAST(Policy):
    def __new__(cls, position: Position) -> Self: ...
