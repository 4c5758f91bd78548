from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mcts_core.position import Moves, Position

POLICIES: tuple[str, ...]

def check_policy(policy: object) -> None:
    """Raise if this is no policy: a name, a capsule, or a Rollout."""

def is_policy_capsule(thing: object) -> bool:
    """Return whether this is a capsule that `playout_capsule` has made, for this version of the contract."""

class Rollout:
    """The base class: a C function of the game, or of a capsule, which cannot fail."""
    def check(self) -> None:
        """Raise the failure of a policy that can fail, if there was one. Searches call this."""

class Playout:
    """One game played to its end."""
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
    @property
    def end(self) -> Position:
        """The position at the end of the game."""
    def _repr_svg_(self) -> str | None: ...

def playout(
    position: Position,
    seed: int | np.integer | np.random.SeedSequence | np.random.Generator | None = None,
    policy: Any = "random",
    rewards: str = "result",
) -> Playout:
    """Play one game to its end and return its record. It is game 0 of `playouts(position, n, seed)`."""

class Batch:
    """A request for `n` playouts of each of some positions of one game. Call `run` once."""

    turns: NDArray[np.int64]
    def __new__(
        cls,
        positions: list[Position],
        n: int,
        seed: int | np.random.SeedSequence,
        policy: Any,
        rewards: str = "result",
    ) -> Self: ...
    @property
    def units(self) -> int:
        """The substreams of all positions."""
    def run(self, threads: int, begin: int = 0, end: int | None = None) -> NDArray[np.int64]:
        """Play. Returns int64, a row for each position: the first player's wins, draws, losses; plies, sum, squares."""
