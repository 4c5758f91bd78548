"""Connect Four for Python: positions and their text. The rules are in connect_four_rules.pyx."""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from mcts_core.games.connect_four_rules cimport (
    BLACK, LEAST, MOST, WHITE, game_for, has_four, shape_of, shape_t, state_t
)
from mcts_core.position cimport Position

from mcts_core.board import Board
from mcts_core.errors import BadPosition, shown, whole
from mcts_core.lines import refuse_line_of_another


cdef class ConnectFour(Position):
    """ConnectFour(rows=6, cols=7)
--

    Connect Four on 6 rows of 7, or on 4 to 9 rows and columns: `ConnectFour()`, `ConnectFour(5, 6)`.

    (rows + 1) * columns is at most 64. A move is the number of a column, from '1' on the left. White,
    the first player, is 'x' in text. A line of four wins; a full board without one is a draw.

    >>> c = ConnectFour(4, 5)
    >>> for move in "3323":
    ...     played = c.push(move)
    >>> print(c)
    4  . . . . .
    3  . . b . .
    2  . . b . .
    1  . w w . .
       1 2 3 4 5   white to move
    """

    def __init__(self, rows=6, cols=7):
        rows, cols = check_size(rows, cols)
        self._place(["." * cols] * rows, WHITE)

    def _place(self, lines, int to_move):
        """Set up a position from rows of 'x', 'o' and '.', the lowest first."""
        cdef state_t state
        cdef int rows = len(lines), cols = len(lines[0])
        memset(&state, 0, sizeof(state))
        state.rows, state.cols, state.turn = rows, cols, to_move
        for row, line in enumerate(lines):
            for col, man in enumerate(line):
                if man != ".":
                    state.men["xo".index(man)] |= <uint64_t> 1 << <int> (col * (rows + 1) + row)
        self.start(game_for(rows, cols), &state)

    @classmethod
    def from_fen(cls, fen):
        """Return a position from its line: the rows from the top to the lowest, then the side to move.

        >>> ConnectFour.from_fen("..o./..x./..o./..x. x").legal_moves
        <3 moves: 1 2 4>
        """
        if not isinstance(fen, str):
            raise BadPosition(f"a Connect Four position is a line of text, not {shown(fen)}")
        refuse_line_of_another(fen, "Connect Four")
        parts = fen.lower().split()
        if len(parts) != 2 or parts[1] not in ("x", "o"):
            raise BadPosition(f"{shown(fen)}: expected the rows and the side to move, as in "
                              "'..../..../..../.xo. x'")
        lines = parts[0].split("/")[::-1]
        check_size(len(lines), len(lines[0]), fen)
        check_squares(fen, lines)
        position = cls.__new__(cls)
        position._place(lines, "xo".index(parts[1]))
        check_sides(fen, lines, parts[1], position)
        return position

    @property
    def rows(self):
        self.state()
        return shape_of(self.game).rows

    @property
    def cols(self):
        self.state()
        return shape_of(self.game).cols

    @property
    def fen(self):
        return f"{'/'.join(self._lines())} {'xo'[self.turn]}"

    def _lines(self):
        """Return the rows from the top to the lowest."""
        cdef state_t state = (<const state_t*> self.state())[0]     # another thread may push or pop meanwhile
        cdef const shape_t* shape = shape_of(self.game)
        cdef int bit
        men = ["."] * (shape.rows * shape.cols)
        for bit in range(64):
            if (state.men[WHITE] | state.men[BLACK]) >> bit & 1:
                men[shape.place[bit]] = "x" if state.men[WHITE] >> bit & 1 else "o"
        cols = shape.cols
        return ["".join(men[row * cols:(row + 1) * cols]) for row in range(shape.rows - 1, -1, -1)]

    def _square(self, raw):
        """Return the row from the top and the column of a move."""
        col, row = divmod(raw, self.rows + 1)
        return self.rows - 1 - row, col

    @property
    def board(self):
        if self.is_over:
            caption = {1.0: "white has won", 0.5: "a draw", 0.0: "black has won"}[self.result]
        else:
            caption = ("white", "black")[self.turn] + " to move"
        return Board([line.replace("x", "w").replace("o", "b") for line in self._lines()],
                     [str(row) for row in range(self.rows, 0, -1)],
                     frozenset(self._square(last.raw) for _, last in self._past[-1:]),
                     ("#3d6fb4", "#3867a8"), caption, "123456789",
                     {str(move): self._square(move.raw) for move in self.legal_moves})

    def move_text(self, raw):
        return str(raw // (self.rows + 1) + 1)


def check_size(rows, cols, where=None):
    """Return rows and columns as ints. Raises BadPosition if no board has this size."""
    prefix = f"{shown(where)}: " if where else ""
    for name, size in (("rows", rows), ("columns", cols)):
        if whole(size) not in range(LEAST, MOST + 1):
            raise BadPosition(f"{prefix}a Connect Four board has {LEAST} to {MOST} {name}, not {shown(size)}")
    rows, cols = whole(rows), whole(cols)
    if (rows + 1) * cols > 64:
        raise BadPosition(f"{prefix}a Connect Four board of {rows} rows has at most {64 // (rows + 1)} columns, "
                          f"not {cols}")
    return rows, cols


def check_squares(fen, lines):
    """Reject rows, the lowest first, that are not a board or have a disc above an empty square."""
    for row, line in enumerate(lines):
        if len(line) != len(lines[0]):
            raise BadPosition(f"{shown(fen)}: row {row + 1} has {len(line)} squares, row 1 has {len(lines[0])}")
        for col, man in enumerate(line):
            if man not in "xo.":
                raise BadPosition(f"{shown(fen)}: {man!r} in row {row + 1}, column {col + 1}; "
                                  "only 'x', 'o' and '.' can stand there")
            if man != "." and row and lines[row - 1][col] == ".":
                raise BadPosition(f"{shown(fen)}: the disc in row {row + 1}, column {col + 1} has none below it")


def check_sides(fen, lines, side, ConnectFour position not None):
    """Reject numbers of discs that do not fit the side to move, and a side to move that has won."""
    cdef const state_t* state = <const state_t*> position.state()
    cdef int turn = state.turn
    n_x, n_o = ("".join(lines).count(man) for man in "xo")
    if n_x - n_o != turn:
        raise BadPosition(f"{shown(fen)}: {n_x} 'x' and {n_o} 'o' with {side!r} to move; "
                          "x moves first, and then the sides take turns")
    if has_four(state.men[turn], position.rows):
        raise BadPosition(f"{shown(fen)}: {side!r} has four in a line and is to move; the game ended before")
