from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.search.growing import GrowingTree

MOST_THREADS: int

class TreeSearch(GrowingTree):
    @property
    def full(self) -> bool: ...
    def advance(self, move: int) -> None: ...
    def saved(self) -> tuple[dict[str, int], dict[str, NDArray[Any]]]: ...
    def restore(self, numbers: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None: ...

def check_threads(
    streams: NDArray[np.uint64] | None,
    learned: NDArray[np.float64] | None,
    lanes: int,
    n_learned: int,
    n_odds: int,
) -> None: ...
def count_in(numbers: dict[str, Any], name: str, most: int) -> int: ...
