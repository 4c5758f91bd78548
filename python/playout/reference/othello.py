"""Othello (Reversi).

Black, the first player, is X, White is O. A new disc must flip at least one enemy disc. It flips
every straight run of enemy discs between it and another disc of its own colour. A side without such
a move passes. When neither side has one, the game is over and the side with more discs wins.
"""

from functools import cached_property, lru_cache
from math import floor
from typing import Self

from .board import diagram, square_name
from .game import BoardPosition, Move, MoveClasses

EMPTY = "-"
GRAINS = 2**20
SIZES = (4, 6, 8)
FEW = 8
"""Most discs of an opponent that `solve` looks at."""
PASS = Move("pass", ())
INSIDE, EDGE, CORNER = 0, 1, 2
CORNER_WEIGHT, ORDINARY_WEIGHT, BESIDE_EMPTY_CORNER_WEIGHT = 16, 4, 1
DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Othello(BoardPosition):
    """A position of Othello.

    >>> start = Othello(4)
    >>> print(start)
      a b c d
    1 - - - -
    2 - O X -
    3 - X O -
    4 - - - -
    X to move
    >>> [move.text for move in start.legal_moves]
    ['b1', 'a2', 'd3', 'c4']
    >>> start.play("b1", "a1").fen
    'OX---OX--XO----- X'
    """

    players = "XO"
    finished_game_leaves = 1

    def __init__(self, size: int = 8) -> None:
        if size not in SIZES:
            raise ValueError(f"the size of an Othello board is 4, 6 or 8, not {size}")
        squares = [EMPTY] * (size * size)
        upper_left = (size // 2 - 1) * (size + 1)  # the upper left of the four central squares
        squares[upper_left], squares[upper_left + 1] = "O", "X"
        squares[upper_left + size], squares[upper_left + size + 1] = "X", "O"
        self.set_up(size, size, "".join(squares), turn=0)

    @classmethod
    def from_fen(cls, fen: str) -> Self:
        """Read a position from a line: all squares row after row, then the side to move.

        >>> Othello.from_fen("OX---OX--XO----- X") == Othello(4).play("b1", "a1")
        True
        """
        words = fen.split()
        if len(words) != 2 or words[1] not in ("X", "O"):
            raise ValueError(f"{fen!r}: expected the squares, a space, and X or O to move")
        board = words[0]
        sizes = [size for size in SIZES if size * size == len(board)]
        if not sizes or not set(board) <= set("XO" + EMPTY):
            raise ValueError(f"{fen!r}: expected 16, 36 or 64 squares, made of X, O and '-'")
        return cls.with_board(sizes[0], sizes[0], board, turn="XO".index(words[1]))

    @property
    def fen(self) -> str:
        """The position as a line: all squares row after row, then the side to move.

        >>> Othello(4).fen
        '-----OX--XO----- X'
        """
        return f"{self.board} {self.mover}"

    def __str__(self) -> str:
        return diagram(self.board, self.cols, first_row_on_top=True) + f"\n{self.mover} to move"

    # Moves.

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """The moves by square, row after row; a pass if only the opponent has any.

        >>> Othello.from_fen("XO-------------- O").legal_moves
        (Move(text='pass', squares=()),)
        """
        placements = placement_moves(self.cols)
        own = tuple(placements[square] for square in self.playable(self.mover, self.opponent))
        if own:
            return own
        if self.playable(self.opponent, self.mover):
            return (PASS,)
        return ()

    def playable(self, own: str, enemy: str) -> list[int]:
        """The empty squares where a disc of colour `own` would flip an enemy disc."""
        return [
            square
            for square, squares_around in enumerate(rays(self.cols))
            if self.board[square] == EMPTY and flips_any(self.board, squares_around, own, enemy)
        ]

    @property
    def must_pass(self) -> bool:
        """Does only the opponent have a square to play on?"""
        return self.legal_moves == (PASS,)

    def after(self, move: Move) -> Self:
        """The position after a legal move. A pass changes only the side to move."""
        squares = list(self.board)
        for square in move.squares:
            squares[square] = self.mover
            for flipped in self.flips(square):
                squares[flipped] = self.mover
        return self.with_board(self.rows, self.cols, "".join(squares), 1 - self.turn)

    def flips(self, square: int) -> list[int]:
        """The discs that a move of the side to move on this square flips.

        >>> Othello(4).flips(1)
        [5]
        """
        return [
            flipped
            for ray in rays(self.cols)[square]
            for flipped in enclosed(self.board, ray, self.mover, self.opponent)
        ]

    # The end of the game.

    @cached_property
    def result(self) -> float | None:
        """1.0 if Black has more discs, 0.5 if equal, 0.0 if fewer; None while the game goes on.

        >>> Othello.from_fen("XX-------------- O").result
        1.0
        """
        if self.legal_moves:
            return None
        return self.outcome(self.board.count("X"), self.board.count("O"))

    def outcome(self, black: int, white: int) -> float:
        """The result of a finished game with these numbers of discs."""
        if black == white:
            return 0.5
        return 1.0 if black > white else 0.0

    @property
    def by_margin(self) -> "OthelloByMargin":
        """The same position of the game whose result is Black's share of the discs."""
        return OthelloByMargin.with_board(self.rows, self.cols, self.board, self.turn)

    # Tactics.

    def solve(self) -> int:
        """1 if a move takes all discs of an opponent who has at most eight; otherwise 0, unknown.

        >>> Othello.from_fen("XO-------------- X").solve()
        1
        """
        enemy = self.board.count(self.opponent)
        squares = [square for move in self.legal_moves for square in move.squares]
        return int(enemy <= FEW and any(len(self.flips(square)) == enemy for square in squares))

    # AMAF codes.

    @property
    def n_codes(self) -> int:
        """One code for each square and one for the pass, for each side."""
        return 2 * (self.rows * self.cols + 1)

    def code(self, move: Move) -> int:
        """The square, or the number of squares for a pass; Black's codes first.

        >>> start = Othello()
        >>> [start.code(move) for move in start.legal_moves]
        [19, 26, 37, 44]
        """
        n_squares = self.rows * self.cols
        first_code = self.turn * (n_squares + 1)
        return first_code + (n_squares if move == PASS else move.squares[0])

    # For RAVE with several biases.

    def kind(self, move: Move) -> int:
        """2 for a corner, 1 for other edge squares, 0 for inner squares and a pass.

        >>> position = Othello.from_fen("X----XOO-XXX---- O")
        >>> [(move.text, position.kind(move)) for move in position.legal_moves][:3]
        [('a2', 1), ('a4', 2), ('b4', 1)]
        """
        if move == PASS:
            return INSIDE
        row, col = divmod(move.squares[0], self.cols)
        return (INSIDE, EDGE, CORNER)[(row in (0, self.rows - 1)) + (col in (0, self.cols - 1))]

    @cached_property
    def progress(self) -> float:
        """The share of squares taken since the start.

        >>> Othello(4).progress, Othello(4).play("b1", "a1", "a2").progress
        (0.0, 0.25)
        """
        n_squares = self.rows * self.cols
        discs = n_squares - self.board.count(EMPTY)
        return max(0.0, (discs - 4) / (n_squares - 4))

    # Guided playouts.

    @property
    def guided_classes(self) -> MoveClasses:
        """Prefer corners, and avoid squares next to an empty corner.

        >>> position = Othello.from_fen("X----XOO-XXX---- O")
        >>> [(weight, [move.text for move in moves]) for weight, moves in position.guided_classes]
        [(16, ['a4', 'd4']), (4, ['a2']), (1, ['b4', 'c4'])]
        """
        corners, others, poor = [], [], []
        near = corner_of_neighbour(self.cols)
        for move in self.kernel_moves:
            square = move.squares[0]
            if square in corner_squares(self.cols):
                corners.append(move)
            elif square in near and self.board[near[square]] == EMPTY:
                poor.append(move)
            else:
                others.append(move)
        return [
            (CORNER_WEIGHT, corners),
            (ORDINARY_WEIGHT, others),
            (BESIDE_EMPTY_CORNER_WEIGHT, poor),
        ]


class OthelloByMargin(Othello):
    """Othello whose result is Black's share of the discs. The empty squares count for the winner.

    >>> OthelloByMargin.from_fen("XX-------------- O").result
    1.0
    >>> OthelloByMargin.from_fen("XXXXXXXXXXXOOOOO X").result
    0.6875
    """

    def outcome(self, black: int, white: int) -> float:
        """Rounded to a multiple of 2^-20, so that sums are exact."""
        squares = self.rows * self.cols
        lead = black - white
        if black != white:
            lead += (squares - black - white) * (1 if lead > 0 else -1)
        return floor((squares + lead) * GRAINS / (2 * squares) + 0.5) / GRAINS


def enclosed(board: str, ray: tuple[int, ...], own: str, enemy: str) -> tuple[int, ...]:
    """The enemy discs at the start of the ray, if an `own` disc follows them.

    >>> enclosed("-OOX", (1, 2, 3), own="X", enemy="O")
    (1, 2)
    >>> enclosed("-OO-", (1, 2, 3), own="X", enemy="O")
    ()
    """
    for length, square in enumerate(ray):
        if board[square] != enemy:
            return ray[:length] if board[square] == own else ()
    return ()


def flips_any(board: str, around: tuple[tuple[int, ...], ...], own: str, enemy: str) -> bool:
    """Would a disc flip an enemy disc on any of the rays from its square?

    >>> flips_any("-OOX", ((1, 2, 3),), own="X", enemy="O")
    True
    """
    for ray in around:  # noqa: SIM110 - `any` takes twice as long, and playouts spend their time here
        if board[ray[0]] == enemy and enclosed(board, ray, own, enemy):
            return True
    return False


@lru_cache
def rays(size: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each square, the squares from it to the edge, in each direction.

    Rays of one square are left out, because nothing can be enclosed there.

    >>> rays(4)[0]
    ((1, 2, 3), (4, 8, 12), (5, 10, 15))
    """

    def ray(square: int, down: int, right: int) -> tuple[int, ...]:
        row, col = divmod(square, size)
        squares = []
        while 0 <= row + down < size and 0 <= col + right < size:
            row, col = row + down, col + right
            squares.append(size * row + col)
        return tuple(squares)

    def rays_from(square: int) -> tuple[tuple[int, ...], ...]:
        everything = (ray(square, down, right) for down, right in DIRECTIONS)
        return tuple(squares for squares in everything if len(squares) > 1)

    return tuple(rays_from(square) for square in range(size * size))


@lru_cache
def placement_moves(size: int) -> tuple[Move, ...]:
    """For each square, the move that places a disc there."""
    return tuple(Move(square_name(square, size), (square,)) for square in range(size * size))


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
