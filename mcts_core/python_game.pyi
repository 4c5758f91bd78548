from typing import Any, Self

from mcts_core.position import Position

REQUIRED: tuple[str, ...]

class Wrapper:
    def __new__(cls, example: Any) -> Self: ...

class PythonPosition(Position):
    object: Any
    def __init__(self, example: Any, like: PythonPosition | None = None) -> None: ...

def checked(example: Any, name: str, default: int | None, least: int, most: int) -> int: ...
def copy_of(position: Any) -> Any: ...
