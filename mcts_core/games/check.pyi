from typing import Any, NamedTuple

import numpy as np

from mcts_core.errors import BadGame
from mcts_core.position import Position

MOST_MOVES: int
GAME_IS_OVER: str

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
class Jobs: ...

def raw_text(move: int) -> str: ...
def first_difference(one: bytes, other: bytes) -> int: ...
def moves_along(path: tuple[Any, str] | None) -> list[str]: ...
def fault_at(state: State, fault: str, remedy: str) -> BadGame: ...
def codes_in(words: Any) -> set[int]: ...
def check(
    start: Position, games: int, seed_sequence: np.random.SeedSequence
) -> tuple[int, list[str]]: ...
def most_plies(position: Position) -> int: ...
