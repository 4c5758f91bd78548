from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.evaluator import Evaluator
from mcts_core.position import Position

class SelfPlay:
    def __init__(
        self,
        position: Position,
        evaluator: Evaluator,
        nodes: int,
        plies: tuple[int, int] = (4, 16),
        memory: int = ...,
        endgame: Callable[[Any], Any] | None = None,
        men: int = 0,
        points: int = 0,
    ) -> None: ...
    def fill(
        self, seed_sequence: np.random.SeedSequence, generation: int, chunk: int, n: int
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]: ...
