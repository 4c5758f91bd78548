from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mcts_core.position import Moves, Position

POLICIES: tuple[str, ...]

def check_policy(policy: object) -> None: ...
def is_policy_capsule(thing: object) -> bool: ...

class Playout:
    @property
    def result(self) -> float: ...
    @property
    def plies(self) -> int: ...
    @property
    def codes(self) -> NDArray[np.int32]: ...
    @property
    def seed(self) -> int | np.random.SeedSequence: ...
    @property
    def moves(self) -> Moves: ...

def playout(
    position: Position,
    seed: int | np.integer | np.random.SeedSequence | np.random.Generator | None = None,
    policy: Any = "random",
) -> Playout: ...

class Batch:
    turns: NDArray[np.int64]
    def __new__(
        cls, positions: list[Position], n: int, seed: int | np.random.SeedSequence, policy: Any
    ) -> Self: ...
    def run(self, threads: int) -> NDArray[np.int64]: ...
