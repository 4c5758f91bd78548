from typing import Any, NamedTuple

from mcts_core.errors import BadGame

class Facts(NamedTuple):
    moves: list[int]
    turn: int
    key: int
    code: list[int]
    progress: float | None
    result: float | None

class State:
    path: tuple[Any, str] | None
    @property
    def bytes(self) -> bytes | None: ...

class Checker: ...

def raw_text(move: int) -> str: ...
def first_difference(one: bytes, other: bytes) -> int: ...
def moves_along(path: tuple[Any, str] | None) -> list[str]: ...
def fault_at(state: State, fault: str, remedy: str) -> BadGame: ...
