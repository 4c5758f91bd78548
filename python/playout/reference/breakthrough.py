"""Breakthrough: a race of men to the far row.

White, the first player, starts on the lowest rows and moves up; Black starts on the highest rows
and moves down. A man goes one row forward, straight or diagonally, to an empty square; diagonally
it may also capture an enemy man there. The first player to reach the far row, or to take the last
enemy man, wins.
"""

from functools import cached_property, lru_cache
from typing import NamedTuple, Self

from .board import board_rows, diagram, read_rows, square_name
from .game import BoardPosition, Move, MoveClasses

EMPTY = "."
CODE_IN_SQUARE = {  # by column step, and whether the move captures
    (0, False): 0,
    (+1, False): 1,
    (+1, True): 2,
    (-1, False): 3,
    (-1, True): 4,
}
CODES_PER_SQUARE = len(CODE_IN_SQUARE)
STRAIGHT, DIAGONAL, CAPTURE = 0, 1, 2
TAKES_UNDEFENDED, TAKES_DEFENDED, TAKES_NOTHING = 4, 2, 1


class Breakthrough(BoardPosition):
    """A position of Breakthrough.

    >>> start = Breakthrough(5)
    >>> print(start)
    5 b b b b b
    4 b b b b b
    3 . . . . .
    2 w w w w w
    1 w w w w w
      a b c d e
    white to move
    >>> [move.text for move in start.legal_moves][:5]
    ['a2a3', 'a2b3', 'b2a3', 'b2b3', 'b2c3']
    >>> start.play("a2b3", "c4b3").fen
    'bbbbb/bb.bb/.b.../.wwww/wwwww w'
    >>> start.play("a2b3", "c4b3") == Breakthrough.from_fen("bbbbb/bb.bb/.b.../.wwww/wwwww w")
    True
    """

    players = "wb"
    finished_game_leaves = 0

    def __init__(self, rows: int = 8, cols: int | None = None, first_rows: int = 2) -> None:
        cols = rows if cols is None else cols
        check_size(rows, cols)
        if first_rows not in (1, 2) or 2 * first_rows > rows:
            raise ValueError(
                f"first_rows must be 1 or 2 and both sides' men must fit, "
                f"not {first_rows} on a board of {rows} rows"
            )
        men = cols * first_rows
        board = "w" * men + EMPTY * (rows * cols - 2 * men) + "b" * men
        self.set_up(rows, cols, board, turn=0)

    @classmethod
    def from_fen(cls, fen: str) -> Self:
        """Read a position from a line: the rows, the last one first, then the side to move.

        >>> Breakthrough.from_fen("bbb/.../www b").turn
        1
        """
        rows, cols, board, turn = read_rows(fen, "w", "b")
        check_size(rows, cols)
        position = cls.with_board(rows, cols, board, turn)
        if position.white_has_won and position.black_has_won:
            raise ValueError(f"{fen!r}: both sides have won")
        return position

    @property
    def fen(self) -> str:
        """The position as a line: the rows, the last one first, then the side to move.

        >>> Breakthrough(3, 4, first_rows=1).fen
        'bbbb/..../wwww w'
        """
        lines = reversed(board_rows(self.board, self.cols))
        return f"{'/'.join(lines)} {self.mover}"

    def __str__(self) -> str:
        side = ("white", "black")[self.turn]
        return diagram(self.board, self.cols, first_row_on_top=False) + f"\n{side} to move"

    # The end of the game.

    @property
    def white_has_won(self) -> bool:
        """Is a white man on the last row, or no black man left?"""
        last_row = self.board[-self.cols :]
        return "w" in last_row or "b" not in self.board

    @property
    def black_has_won(self) -> bool:
        """Is a black man on the first row, or no white man left?"""
        first_row = self.board[: self.cols]
        return "b" in first_row or "w" not in self.board

    @cached_property
    def result(self) -> float | None:
        """1.0 if White has won, 0.0 if Black has, None while the game goes on.

        >>> Breakthrough.from_fen("bwb/.../www b").result
        1.0
        """
        if self.white_has_won:
            return 1.0
        if self.black_has_won:
            return 0.0
        return None

    @property
    def planes(self) -> tuple[list[int], list[int]]:
        """The squares of the mover's men and of the opponent's, with the mover's men moving up.

        >>> Breakthrough.from_fen("bb./.../..w b").planes
        ([0, 1], [8])
        """
        if self.turn == 0:
            return super().planes
        flipped = "".join(reversed(board_rows(self.board, self.cols)))
        own, enemy = (
            [square for square, man in enumerate(flipped) if man == side] for side in ("b", "w")
        )
        return own, enemy

    # Moves.

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """The moves by from-square, row after row; those of one man by column step -1, 0, +1."""
        if self.is_over:
            return ()
        steps = forward_steps(self.rows, self.cols, self.turn)
        board, mover = self.board, self.mover
        moves = [
            move
            for square, man in enumerate(board)
            if man == mover
            for move, target, enters in steps[square]
            if board[target] in enters
        ]
        return tuple(moves)

    @property
    def kernel_moves(self) -> tuple[Move, ...]:
        """All moves with column step -1, then all straight ones, then all with column step +1.

        Each group is ordered by target square without further sorting: in legal order the
        from-squares ascend, and so do the targets of moves with the same column step. Every
        move advances one row, so sorting by the difference of its squares sorts by column step.

        >>> [move.text for move in Breakthrough(3, first_rows=1).kernel_moves]
        ['b1a2', 'c1b2', 'a1a2', 'b1b2', 'c1c2', 'a1b2', 'b1c2']
        """
        return tuple(sorted(self.legal_moves, key=squares_gone))  # equal keys keep their order

    def after(self, move: Move) -> Self:
        """The position after a legal move."""
        origin, target = move.squares
        squares = list(self.board)
        squares[target] = squares[origin]
        squares[origin] = EMPTY
        return self.with_board(self.rows, self.cols, "".join(squares), 1 - self.turn)

    def column_step(self, move: Move) -> int:
        """-1, 0 or +1: the columns between the two squares of a move."""
        origin, target = move.squares
        return target % self.cols - origin % self.cols

    def is_capture(self, move: Move) -> bool:
        """Does the move take a man?"""
        return self.board[move.squares[1]] != EMPTY

    # AMAF codes.

    @property
    def n_codes(self) -> int:
        """Five kinds of move for each square and side."""
        return 2 * CODES_PER_SQUARE * self.rows * self.cols

    def code(self, move: Move) -> int:
        """The from-square and the kind of move, White's codes first.

        >>> position = Breakthrough.from_fen("bbb/w../.ww b")
        >>> [(move.text, position.code(move)) for move in position.legal_moves]
        [('a3b2', 76), ('b3a2', 84), ('b3b2', 80), ('b3c2', 81), ('c3b2', 88), ('c3c2', 85)]
        """
        origin = move.squares[0]
        first_code = self.turn * CODES_PER_SQUARE * self.rows * self.cols
        way = CODE_IN_SQUARE[self.column_step(move), self.is_capture(move)]
        return first_code + CODES_PER_SQUARE * origin + way

    # For RAVE with several biases.

    def kind(self, move: Move) -> int:
        """0 for a straight move, 1 for a diagonal one, 2 for a capture.

        >>> position = Breakthrough.from_fen("bbb/w../.ww b")
        >>> [(move.text, position.kind(move)) for move in position.legal_moves][:3]
        [('a3b2', 1), ('b3a2', 2), ('b3b2', 0)]
        """
        if self.is_capture(move):
            return CAPTURE
        return STRAIGHT if self.column_step(move) == 0 else DIAGONAL

    @cached_property
    def progress(self) -> float:
        """How far the men have advanced; captured men count as arrived.

        At the start a man of the first row is `rows - 1` rows from the far row, a man of the second
        row `rows - 2`. For both sides together that is `2 * cols * (2 * rows - 3)` rows.

        >>> Breakthrough(5).progress, Breakthrough.from_fen("..b/.w./... w").progress
        (0.0, 0.8333333333333334)
        """
        rows_left = sum(
            self.rows - 1 - row if man == "w" else row
            for row, line in enumerate(board_rows(self.board, self.cols))
            for man in line
            if man != EMPTY
        )
        return max(0.0, 1.0 - rows_left / (2 * self.cols * (2 * self.rows - 3)))

    # Guided playouts.

    @property
    def guided_classes(self) -> MoveClasses:
        """Win if possible; else capture a man about to win; else prefer captures, free ones most.

        >>> def texts(fen):
        ...     classes = Breakthrough.from_fen(fen).guided_classes
        ...     return [(weight, [move.text for move in moves]) for weight, moves in classes]
        >>> texts("bb./..w/.b./w.w w")
        [(1, ['c3b4', 'c3c4'])]
        >>> texts("bbb/.../.b./w.w w")
        [(1, ['c1b2', 'a1b2'])]
        >>> texts("b.b.b/...b./b.b.b/.w.w./..w.. w")
        [(4, ['b2a3']), (2, ['d2c3', 'b2c3', 'd2e3']), (1, ['c1c2', 'b2b3', 'd2d3'])]
        """
        moves = self.kernel_moves
        wins = [move for move in moves if self.wins_at_once(move)]
        if wins:
            return [(1, wins)]
        rescues = [move for move in moves if self.takes_man_about_to_win(move)]
        if rescues:
            return [(1, rescues)]
        captures = [move for move in moves if self.is_capture(move)]
        return [
            (TAKES_UNDEFENDED, [move for move in captures if not self.is_defended(move)]),
            (TAKES_DEFENDED, [move for move in captures if self.is_defended(move)]),
            (TAKES_NOTHING, [move for move in moves if not self.is_capture(move)]),
        ]

    # Tactics.

    def solve(self) -> int:
        """A win in 1 or 3 plies, or a loss in 2, by the men near their goals.

        A man one row before its goal wins at once. A man that can step to such a square safely wins
        in 3, unless the opponent is one row before his goal.

        >>> [Breakthrough.from_fen(f"b.b/{row}/.../..w/ww. w").solve() for row in ("w..", ".w.")]
        [1, 1]
        >>> Breakthrough.from_fen("b../.../w../..w/ww. w").solve()
        3
        >>> Breakthrough.from_fen("b../.../.../b../..w w").solve()
        -2
        """
        own_row, enemy_row = (self.rows - 2, 1) if self.turn == 0 else (1, self.rows - 2)
        lines, moves = board_rows(self.board, self.cols), self.legal_moves
        if self.mover in lines[own_row]:  # at least one of its diagonal steps is legal
            return 1
        if any(self.wins_at_once(move) for move in self.noisy_moves):
            return 1
        threats = lines[enemy_row].count(self.opponent)
        if threats:
            can_take = any(self.takes_man_about_to_win(move) for move in moves)
            return 0 if threats == 1 and can_take else -2
        return 3 if any(self.threatens_safely(move) for move in moves) else 0

    def threatens_safely(self, move: Move) -> bool:
        """Does the move go to the row before the goal, where no enemy man can take?"""
        row = self.rows - 2 if self.turn == 0 else 1
        return move.squares[1] // self.cols == row and not self.is_defended(move)

    @property
    def noisy_moves(self) -> tuple[Move, ...]:
        """The captures."""
        return tuple(move for move in self.legal_moves if self.is_capture(move))

    @property
    def passed(self) -> Self:
        """The same board with the other side to move."""
        return self.with_board(self.rows, self.cols, self.board, 1 - self.turn)

    def wins_at_once(self, move: Move) -> bool:
        """Does the move enter the far row or take the last enemy man?"""
        far_row = self.rows - 1 if self.turn == 0 else 0
        enters_far_row = move.squares[1] // self.cols == far_row
        return enters_far_row or (self.is_capture(move) and self.board.count(self.opponent) == 1)

    def takes_man_about_to_win(self, move: Move) -> bool:
        """Does the move take a man that is one step from winning?"""
        row_before_the_end = 1 if self.turn == 0 else self.rows - 2
        return self.is_capture(move) and move.squares[1] // self.cols == row_before_the_end

    def is_defended(self, move: Move) -> bool:
        """Could the enemy recapture on the square that the move enters?

        It could if one of its men is on a square diagonally in front of it, as the mover sees it.
        """
        row, col = divmod(move.squares[1], self.cols)
        row_behind = row + 1 if self.turn == 0 else row - 1
        start = row_behind * self.cols
        men_behind = self.board[start : start + self.cols]
        return any(
            men_behind[beside] == self.opponent
            for beside in (col - 1, col + 1)
            if 0 <= beside < self.cols
        )


def squares_gone(move: Move) -> int:
    """The target square minus the from-square."""
    origin, target = move.squares
    return target - origin


def check_size(rows: int, cols: int) -> None:
    """Refuse a board that the compiled engine cannot hold."""
    if not (3 <= rows <= 8 and 3 <= cols <= 8):
        raise ValueError(f"a board has 3 to 8 rows and columns, not {rows} rows and {cols} columns")


class Step(NamedTuple):
    """A man's step forward on an empty board."""

    move: Move
    target: int
    enters: str
    """What the target may hold. Only a diagonal step captures."""


@lru_cache
def forward_steps(rows: int, cols: int, turn: int) -> tuple[tuple[Step, ...], ...]:
    """For each square, the steps of a man of that side, by column step.

    >>> [[(step.move.text, step.enters) for step in steps] for steps in forward_steps(3, 3, 0)][:2]
    [[('a1a2', '.'), ('a1b2', '.b')], [('b1a2', '.b'), ('b1b2', '.'), ('b1c2', '.b')]]
    """
    forward = 1 if turn == 0 else -1
    enemy = "bw"[turn]

    def steps_from(square: int) -> tuple[Step, ...]:
        row, col = divmod(square, cols)
        name = square_name(square, cols)
        steps = []
        for step in (-1, 0, +1):
            if 0 <= row + forward < rows and 0 <= col + step < cols:
                to = (row + forward) * cols + col + step
                move = Move(name + square_name(to, cols), (square, to))
                steps.append(Step(move, to, EMPTY + enemy if step else EMPTY))
        return tuple(steps)

    return tuple(steps_from(square) for square in range(rows * cols))
