import threading
from typing import Any, Self

import numpy as np

from mcts_core.position import Position

MOST_LANES: int
NEED_CODES: tuple[str, ...]

class Driver:
    def __new__(
        cls, position: Position, options: dict[str, Any], seed_sequence: np.random.SeedSequence
    ) -> Self: ...
    @property
    def position(self) -> Position: ...
    @property
    def playouts(self) -> int: ...
    @property
    def lock(self) -> threading.RLock: ...
    def run(
        self,
        playouts: int | None = None,
        seconds: float | None = None,
        until_sure: float | None = None,
        threads: int = 1,
        stops: int | None = None,
    ) -> str: ...
    @property
    def stops(self) -> int: ...
    def check_process(self) -> int: ...
    def stop(self) -> None: ...
