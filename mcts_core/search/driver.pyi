from typing import Any, Self

import numpy as np

from mcts_core.base.engine import Engine
from mcts_core.position import Position

MOST_LANES: int

class Turns:
    def __enter__(self) -> None: ...
    def __exit__(self, kind: object, error: object, traceback: object) -> None: ...
    def is_free(self) -> bool: ...

class Driver(Engine):
    def __new__(
        cls, position: Position, options: dict[str, Any], seed_sequence: np.random.SeedSequence
    ) -> Self: ...
    @property
    def position(self) -> Position: ...
    @property
    def playouts(self) -> int: ...
    @property
    def lock(self) -> Turns: ...
    def run(
        self,
        playouts: int | None = None,
        seconds: float | None = None,
        until_sure: float | None = None,
        threads: int = 1,
        stops: int | None = None,
    ) -> str: ...
