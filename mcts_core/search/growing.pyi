from collections.abc import Callable
from typing import Any, Self

import numpy as np

from mcts_core.position import Position
from mcts_core.rule import Rule
from mcts_core.search.driver import MOST_LANES as MOST_LANES
from mcts_core.search.driver import Driver
from mcts_core.search.knowledge import MOST_CUT as MOST_CUT
from mcts_core.search.knowledge import MOST_PRIOR as MOST_PRIOR
from mcts_core.search.policy import Policy

RULES: dict[str, Callable[[dict[str, Any], Position], Rule]]
LEARNERS: dict[str, Callable[[Position], Policy]]

class Worker: ...

class GrowingTree(Driver):
    def __new__(
        cls, position: Position, options: dict[str, Any], seed: int | np.random.SeedSequence
    ) -> Self: ...
    def share(self, number: int, batch: int) -> None: ...
