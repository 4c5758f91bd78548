"""The guided policy: a little knowledge of each game makes playouts less foolish.

For each game, one function sorts the moves into classes with weights (see policy.py).
"""

from functools import lru_cache

from .breakthrough import Breakthrough
from .game import Move, Position
from .othello import EMPTY, Othello

CORNER, ORDINARY, BESIDE_EMPTY_CORNER = 16, 4, 1
TAKES_UNDEFENDED, TAKES_DEFENDED, TAKES_NOTHING = 4, 2, 1


def guided_classes(position: Position) -> list[tuple[int, list[Move]]]:
    """The moves of a position in classes with weights."""
    if isinstance(position, Breakthrough):
        return breakthrough_classes(position)
    if isinstance(position, Othello):
        return othello_classes(position)
    raise ValueError(f"there is no guided policy for {type(position).__name__}")


# Breakthrough


def breakthrough_classes(position: Breakthrough) -> list[tuple[int, list[Move]]]:
    """Win if you can; else stop a man about to win; else prefer captures, the free ones most.

    >>> def texts(fen):
    ...     position = Breakthrough.from_fen(fen)
    ...     return [(weight, [move.text for move in moves])
    ...             for weight, moves in breakthrough_classes(position)]
    >>> texts("bb./..w/.b./w.w w")
    [(1, ['c3b4', 'c3c4'])]
    >>> texts("bbb/.../.b./w.w w")
    [(1, ['c1b2', 'a1b2'])]
    >>> texts("b.b.b/...b./b.b.b/.w.w./..w.. w")
    [(4, ['b2a3']), (2, ['d2c3', 'b2c3', 'd2e3']), (1, ['c1c2', 'b2b3', 'd2d3'])]
    """
    moves = position.kernel_moves
    wins = [move for move in moves if wins_at_once(position, move)]
    if wins:
        return [(1, wins)]
    rescues = [move for move in moves if takes_man_about_to_win(position, move)]
    if rescues:
        return [(1, rescues)]
    captures = [move for move in moves if position.is_capture(move)]
    return [
        (TAKES_UNDEFENDED, [move for move in captures if not is_defended(position, move)]),
        (TAKES_DEFENDED, [move for move in captures if is_defended(position, move)]),
        (TAKES_NOTHING, [move for move in moves if not position.is_capture(move)]),
    ]


def wins_at_once(position: Breakthrough, move: Move) -> bool:
    """Does the move enter the far row or take the last enemy man?"""
    far_row = position.rows - 1 if position.turn == 0 else 0
    enters_far_row = move.squares[1] // position.cols == far_row
    last_enemy = position.board.count(position.opponent) == 1
    return enters_far_row or (last_enemy and position.is_capture(move))


def takes_man_about_to_win(position: Breakthrough, move: Move) -> bool:
    """Does the move take a man who is one step away from his far row?"""
    row_before_the_end = 1 if position.turn == 0 else position.rows - 2
    return position.is_capture(move) and move.squares[1] // position.cols == row_before_the_end


def is_defended(position: Breakthrough, move: Move) -> bool:
    """Could the enemy take back on the square that the move enters?

    He could if one of his men stands diagonally behind it, which is where the mover is heading.
    """
    row, col = divmod(move.squares[1], position.cols)
    row_behind = row + 1 if position.turn == 0 else row - 1
    start = row_behind * position.cols
    men_behind = position.board[start : start + position.cols]
    return any(
        men_behind[beside] == position.opponent
        for beside in (col - 1, col + 1)
        if 0 <= beside < position.cols
    )


# Othello


def othello_classes(position: Othello) -> list[tuple[int, list[Move]]]:
    """Corners most, squares beside an empty corner least.

    >>> position = Othello.from_fen("X----XOO-XXX---- O")
    >>> [(weight, [move.text for move in moves]) for weight, moves in othello_classes(position)]
    [(16, ['a4', 'd4']), (4, ['a2']), (1, ['b4', 'c4'])]
    """
    corners, others, poor = [], [], []
    near = corner_of_neighbour(position.cols)
    for move in position.kernel_moves:
        square = move.squares[0]
        if square in corner_squares(position.cols):
            corners.append(move)
        elif square in near and position.board[near[square]] == EMPTY:
            poor.append(move)
        else:
            others.append(move)
    return [(CORNER, corners), (ORDINARY, others), (BESIDE_EMPTY_CORNER, poor)]


def corner_squares(size: int) -> tuple[int, int, int, int]:
    """The numbers of the four corners.

    >>> corner_squares(4)
    (0, 3, 12, 15)
    """
    return 0, size - 1, size * (size - 1), size * size - 1


@lru_cache
def corner_of_neighbour(size: int) -> dict[int, int]:
    """For each square next to a corner, in any of the eight directions, that corner.

    >>> [square for square, corner in corner_of_neighbour(8).items() if corner == 63]
    [54, 55, 62]
    """
    return {
        square: corner
        for corner in corner_squares(size)
        for square in range(size * size)
        if square != corner and are_neighbours(square, corner, size)
    }


def are_neighbours(square: int, other: int, size: int) -> bool:
    """Do two different squares touch, by a side or by a corner?"""
    row, col = divmod(square, size)
    other_row, other_col = divmod(other, size)
    return abs(row - other_row) <= 1 and abs(col - other_col) <= 1
