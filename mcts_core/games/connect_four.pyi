from collections.abc import Sequence

from mcts_core.position import Position

class ConnectFour(Position):
    """Connect Four on 6 rows of 7, or on 4 to 9 rows and columns: `ConnectFour()`, `ConnectFour(5, 6)`."""
    def __init__(self, rows: int = 6, cols: int = 7) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...

def check_size(rows: int, cols: int, where: str | None = None) -> tuple[int, int]:
    """Return rows and columns as ints. Raises BadPosition if no board has this size."""

def check_squares(fen: str, lines: Sequence[str]) -> None:
    """Reject rows, the lowest first, that are not a board or have a disc above an empty square."""

def check_sides(fen: str, lines: Sequence[str], side: str, position: ConnectFour) -> None:
    """Reject numbers of discs that do not fit the side to move, and a side to move that has won."""
