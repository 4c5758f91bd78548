from typing import Self

from mcts_core.position import Position

WANTED: str

class Buffers:
    def __new__(cls, position: Position, room: int) -> Self: ...
