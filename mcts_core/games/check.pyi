from typing import Any

import numpy as np

from mcts_core.games.check_rules import Checker
from mcts_core.position import Position

MOST_MOVES: int
GAME_IS_OVER: str

class PlayoutChecker(Checker): ...
class Jobs: ...

def codes_in(words: Any) -> set[int]: ...
def check(
    start: Position, games: int, seed_sequence: np.random.SeedSequence
) -> tuple[int, list[str]]: ...
def most_plies(position: Position) -> int: ...
