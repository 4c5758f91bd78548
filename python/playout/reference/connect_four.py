"""Connect Four: discs fall to the lowest free square of a column.

White, the first player, is x, Black is o. The first player with four in a line, vertical,
horizontal or diagonal, wins; a full board without such a line is a draw.
"""

from functools import cached_property, lru_cache
from typing import Self

from .board import board_rows, read_rows
from .game import BoardPosition, Move, MoveClasses

EMPTY = "."
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows and columns of a step


class ConnectFour(BoardPosition):
    """A position of Connect Four.

    >>> start = ConnectFour(4, 5)
    >>> print(start.play("3", "3", "2", "3"))
    4 . . . . .
    3 . . o . .
    2 . . o . .
    1 . x x . .
      1 2 3 4 5
    x to move
    >>> start.play("3", "3", "2", "3").fen
    '...../..o../..o../.xx.. x'
    """

    players = "xo"
    finished_game_leaves = 0

    def __init__(self, rows: int = 6, cols: int = 7) -> None:
        check_size(rows, cols)
        self.set_up(rows, cols, EMPTY * (rows * cols), turn=0)

    @classmethod
    def from_fen(cls, fen: str) -> Self:
        """Read a position from a line: the rows, the top one first, then the side to move.

        >>> ConnectFour.from_fen("..../..../..../.xo. x") == ConnectFour(4, 4).play("2", "3")
        True
        """
        rows, cols, board, turn = read_rows(fen, "x", "o")
        check_size(rows, cols)
        return cls.with_board(rows, cols, board, turn)

    @property
    def fen(self) -> str:
        """The position as a line: the rows, the top one first, then the side to move.

        >>> ConnectFour(4, 5).fen
        '...../...../...../..... x'
        """
        lines = reversed(board_rows(self.board, self.cols))
        return f"{'/'.join(lines)} {self.mover}"

    def __str__(self) -> str:
        rows = enumerate(board_rows(self.board, self.cols), start=1)
        lines = [f"{number} {' '.join(row)}" for number, row in rows]
        columns = " ".join(str(col + 1) for col in range(self.cols))
        return "\n".join([*reversed(lines), f"  {columns}", f"{self.mover} to move"])

    # The end of the game.

    def has_line(self, man: str) -> bool:
        """Are there four of these characters in a line?"""
        board = self.board
        for a, b, c, d in lines_of_four(self.rows, self.cols):
            if man == board[a] == board[b] == board[c] == board[d]:
                return True
        return False

    @cached_property
    def result(self) -> float | None:
        """1.0 if White has four in a line, 0.0 if Black has, 0.5 on a full board, else None.

        >>> ConnectFour(4, 4).play("1", "2", "1", "2", "1", "2", "1").result
        1.0
        """
        if self.has_line("x"):
            return 1.0
        if self.has_line("o"):
            return 0.0
        return None if EMPTY in self.board else 0.5

    # Moves.

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """The columns that are not full, from the left; each with the square where the disc lands.

        >>> ConnectFour(4, 4).play("2").legal_moves[:2]
        (Move(text='1', squares=(0,)), Move(text='2', squares=(5,)))
        """
        if self.is_over:
            return ()
        moves = []
        for col in range(self.cols):
            column = self.board[col :: self.cols]
            if EMPTY in column:
                square = column.index(EMPTY) * self.cols + col
                moves.append(Move(str(col + 1), (square,)))
        return tuple(moves)

    def after(self, move: Move) -> Self:
        """The position after a legal move."""
        return self.with_disc(move, self.mover)

    def with_disc(self, move: Move, man: str) -> Self:
        """The position with one more disc, of either side, and the other side to move."""
        squares = list(self.board)
        squares[move.squares[0]] = man
        return self.with_board(self.rows, self.cols, "".join(squares), 1 - self.turn)

    # AMAF codes.

    @property
    def n_codes(self) -> int:
        """One code for each square and side."""
        return 2 * self.rows * self.cols

    def code(self, move: Move) -> int:
        """The square where the disc lands, White's codes first.

        >>> position = ConnectFour(4, 4).play("2")
        >>> [position.code(move) for move in position.legal_moves]
        [16, 21, 18, 19]
        """
        return self.turn * self.rows * self.cols + move.squares[0]

    # For RAVE with several biases.

    def kind(self, move: Move) -> int:
        """The number of columns between the move's column and the nearer edge.

        >>> [ConnectFour().kind(move) for move in ConnectFour().legal_moves]
        [0, 1, 2, 3, 2, 1, 0]
        """
        col = move.squares[0] % self.cols
        return min(col, self.cols - 1 - col)

    @cached_property
    def progress(self) -> float:
        """The share of squares that are taken.

        >>> ConnectFour(4, 4).play("1", "2").progress
        0.125
        """
        n_squares = self.rows * self.cols
        return (n_squares - self.board.count(EMPTY)) / n_squares

    # Tactics.

    def solve(self) -> int:
        """A win by a line, or a loss: two lines of the opponent cannot both be stopped.

        They cannot if both are there now, or if the second is above the first, where the disc that
        stops the first lets the opponent play.

        >>> ConnectFour().play(*"112233").solve(), ConnectFour().play(*"33445").solve()
        (1, -2)
        """
        lines = [move for move in self.legal_moves if self.makes_line(move, self.mover)]
        if lines:
            return 1
        threats = [move for move in self.legal_moves if self.makes_line(move, self.opponent)]
        if len(threats) > 1:
            return -2
        for move in threats:
            above = Move(move.text, (move.squares[0] + self.cols,))
            if above.squares[0] < len(self.board) and self.makes_line(above, self.opponent):
                return -2
        return 0

    def makes_line(self, move: Move, man: str) -> bool:
        """Would this man on the square of a move make a line of four?"""
        return self.with_disc(move, man).has_line(man)

    # Guided playouts.

    @property
    def guided_classes(self) -> MoveClasses:
        """Win if possible; else take a square where the enemy would win; else play anywhere.

        >>> def texts(fen):
        ...     return [move.text for _, moves in ConnectFour.from_fen(fen).guided_classes
        ...             for move in moves]
        >>> texts("..../o.../oo../xxx. x"), texts("..../..../o.../oxxx o")
        (['4'], ['1', '2', '3', '4'])
        >>> texts(".o../.x../.x../ox.. o"), texts("..../.x../ox../ox.. o")
        (['1', '3', '4'], ['2'])
        """
        moves = self.legal_moves
        wins = [move for move in moves if self.with_disc(move, self.mover).has_line(self.mover)]
        rescues = [
            move for move in moves if self.with_disc(move, self.opponent).has_line(self.opponent)
        ]
        return [(1, wins or rescues or moves)]


@lru_cache
def lines_of_four(rows: int, cols: int) -> tuple[tuple[int, int, int, int], ...]:
    """The squares of every line of four.

    >>> len(lines_of_four(4, 4)), len(lines_of_four(6, 7))
    (10, 69)
    >>> lines_of_four(4, 4)[0]
    (0, 1, 2, 3)
    """
    lines = []
    for row in range(rows):
        for col in range(cols):
            for up, right in DIRECTIONS:
                if 0 <= row + 3 * up < rows and 0 <= col + 3 * right < cols:
                    a, step = row * cols + col, up * cols + right
                    lines.append((a, a + step, a + 2 * step, a + 3 * step))
    return tuple(lines)


def check_size(rows: int, cols: int) -> None:
    """Refuse a board that the compiled engine cannot hold."""
    if not (4 <= rows <= 9 and 4 <= cols <= 9 and (rows + 1) * cols <= 64):
        raise ValueError(
            f"a board has 4 to 9 rows and columns, and (rows + 1) * columns is at most 64, "
            f"not {rows} rows and {cols} columns"
        )
