from collections.abc import Callable
from typing import Any, Self

import numpy as np

from mcts_core.position import Position
from mcts_core.rule import Rule
from mcts_core.search.driver import MOST_LANES as MOST_LANES
from mcts_core.search.driver import Driver

RULES: dict[str, Callable[[dict[str, Any], Position], Rule]]

class Worker: ...

class GrowingTree(Driver):
    def __new__(
        cls, position: Position, options: dict[str, Any], seed_sequence: np.random.SeedSequence
    ) -> Self: ...
    def share(self, number: int, batch: int) -> None: ...
