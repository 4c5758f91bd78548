from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mcts_core.position import Position
from mcts_core.search.driver import Driver

RULES: dict[str, int]
COLUMNS: np.dtype[np.void]

class AmafSums: ...

class RootSearch(Driver):
    def __new__(
        cls, position: Position, options: dict[str, Any], seed_sequence: np.random.SeedSequence
    ) -> Self: ...
    def root(self) -> dict[str, NDArray[Any]]: ...
    def choose(self) -> int: ...
    def flat_share(self, target: int, share: int, threads: int) -> None: ...
    def amaf_share(self, target: int, share: int, threads: int) -> None: ...
