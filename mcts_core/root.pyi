from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.driver import Driver
from mcts_core.position import Position

class RootSearch(Driver):
    def __init__(
        self, position: Position, options: dict[str, Any], seed_sequence: np.random.SeedSequence
    ) -> None: ...
    def root(self) -> dict[str, NDArray[Any]]: ...
    def choose(self) -> int: ...
