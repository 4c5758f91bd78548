from collections.abc import Collection

from mcts_core.position import Position

class Breakthrough(Position):
    """Breakthrough on any board from 3x3 to 8x8: `Breakthrough()`, `Breakthrough(5)`, `Breakthrough(6, 5)`."""
    def __init__(self, rows: int = 8, cols: int | None = None, *, first_rows: int = 2) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...

def check_size(rows: int, cols: int, where: str | None = None) -> None:
    """Return rows and columns as ints. Raises BadPosition if no board has this size."""

def check_men(
    fen: str, white: Collection[int], black: Collection[int], rows: int, cols: int
) -> None:
    """Reject men that break what the engine relies on: at most 2 * cols on a side, and not two winners."""
