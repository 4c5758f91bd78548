from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mcts_core.batched.chooser import Chooser
from mcts_core.position import Position
from mcts_core.search.driver import MOST_LANES as MOST_LANES
from mcts_core.search.driver import Driver

MOST_BATCH: int
CHOOSERS: dict[str, Callable[[dict[str, Any]], Chooser]]

class BatchedSearch(Driver):
    def __new__(
        cls, position: Position, options: dict[str, Any], seed: int | np.random.SeedSequence
    ) -> Self: ...
    def share(self, number: int, threads: int, target: int) -> None: ...
    def advance(self, move: int) -> None: ...
    def tables(
        self,
    ) -> tuple[
        list[int],
        NDArray[np.int64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.int64],
        NDArray[np.float64],
    ]: ...
