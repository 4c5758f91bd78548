from mcts_core.position import Position

class Othello(Position):
    """Othello on 8x8, 6x6 or 4x4: `Othello()`, `Othello(6)`. Black, the first player, is 'X' in text."""
    def __init__(self, size: int = 8) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    @property
    def discs(self) -> tuple[int, int]:
        """The numbers of black's and white's discs."""

def check_size(size: int) -> None:
    """Return the size as an int. Raises BadPosition if no board has this size."""
