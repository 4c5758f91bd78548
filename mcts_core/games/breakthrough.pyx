"""Breakthrough for Python: positions and their text. The rules are in breakthrough_rules.pyx."""
from mcts_core.games.breakthrough_rules cimport BLACK, WHITE, game_for, put_man, start_empty, state_t
from mcts_core.position cimport Position

from mcts_core.board import Board
from mcts_core.errors import BadPosition, shown, whole
from mcts_core.lines import refuse_line_of_another


cdef class Breakthrough(Position):
    """Breakthrough(rows=8, cols=None, *, first_rows=2)
--

    Breakthrough on any board from 3x3 to 8x8: `Breakthrough()`, `Breakthrough(5)`, `Breakthrough(6, 5)`.

    White, the first player, moves up the board; the first to reach the far row wins.

    >>> b = Breakthrough(5)
    >>> b.push("a2a3")
    Move('a2a3')
    >>> print(b)
    5  b b b b b
    4  b b b b b
    3  w . . . .
    2  . w w w w
    1  w w w w w
       a b c d e   black to move
    """

    def __init__(self, rows=8, cols=None, *, first_rows=2):
        rows, cols = check_size(rows, rows if cols is None else cols)
        n_first = whole(first_rows)
        if n_first not in (1, 2) or 2 * n_first > rows:
            raise BadPosition("first_rows must be 1 or 2, and both sides' men must fit: "
                              f"{shown(first_rows)} does not do for {rows} rows")
        self._place({row * 8 + col for row in range(n_first) for col in range(cols)},
                    {row * 8 + col for row in range(rows - n_first, rows) for col in range(cols)},
                    rows, cols, WHITE)

    def _place(self, white, black, int rows, int cols, int to_move):
        cdef state_t state
        cdef int side
        start_empty(&state, rows, cols, to_move)
        for side, men in enumerate((white, black)):
            for square in men:
                put_man(&state, side, square)
        self.start(game_for(rows, cols), &state)

    @classmethod
    def from_fen(cls, fen):
        """Return a position from its line: rows from the last to the first, then the side to move.

        >>> Breakthrough.from_fen("bbb/.../www w").legal_moves
        <7 moves: a1a2 a1b2 b1a2 b1b2 b1c2 c1b2 c1c2>
        """
        if not isinstance(fen, str):
            raise BadPosition(f"a Breakthrough position is a line of text, not {shown(fen)}")
        refuse_line_of_another(fen, "Breakthrough")
        parts = fen.split()
        if len(parts) != 2 or parts[1] not in ("w", "b"):
            raise BadPosition(f"{shown(fen)}: expected the rows and the side to move, as in 'bbb/.../www w'")
        rows = parts[0].split("/")[::-1]
        check_size(len(rows), len(rows[0]), fen)
        men = {"w": set(), "b": set(), ".": set()}
        for row, line in enumerate(rows):
            if len(line) != len(rows[0]):
                raise BadPosition(f"{shown(fen)}: row {row + 1} has {len(line)} squares, row 1 has {len(rows[0])}")
            for col, man in enumerate(line):
                if man not in men:
                    raise BadPosition(f"{shown(fen)}: {man!r} on {'abcdefgh'[col]}{row + 1}; "
                                      "only 'w', 'b' and '.' can stand there")
                men[man].add(8 * row + col)
        check_men(fen, men["w"], men["b"], len(rows), len(rows[0]))
        position = cls.__new__(cls)
        position._place(men["w"], men["b"], len(rows), len(rows[0]), WHITE if parts[1] == "w" else BLACK)
        return position

    @property
    def rows(self):
        return (<const state_t*> self.state()).rows

    @property
    def cols(self):
        return (<const state_t*> self.state()).cols

    @property
    def fen(self):
        return f"{'/'.join(self._lines())} {'wb'[self.turn]}"

    def _lines(self):
        """Return the rows from the last to the first."""
        cdef state_t state = (<const state_t*> self.state())[0]     # a copy: another thread may push or pop
        cdef int row, col, square
        lines = []
        for row in range(state.rows - 1, -1, -1):
            line = ""
            for col in range(state.cols):
                square = 8 * row + col
                line += "w" if state.men[WHITE] >> square & 1 else "b" if state.men[BLACK] >> square & 1 else "."
            lines.append(line)
        return lines

    @property
    def board(self):
        if self.is_over:
            caption = "white has won" if self.result == 1.0 else "black has won"
        else:
            caption = ("white", "black")[self.turn] + " to move"
        marked = []
        for _, last in self._past[-1:]:
            raw = last.raw
            marked = [(self.rows - 1 - (square >> 3), square & 7) for square in (raw & 63, raw >> 6)]
        return Board(self._lines(), [str(row) for row in range(self.rows, 0, -1)], frozenset(marked), caption=caption)

    def move_text(self, raw):
        return square_text(raw & 63) + square_text(raw >> 6)

    def normal_text(self, text):
        """Return a move's text as `move_text` would write it. Accepts 'A2-A3' and 'a2xb3', too."""
        text = text.strip().lower()
        return text[:2] + text[3:] if text[2:3] in ("-", "x") else text


cdef str square_text(int square):
    return f"{'abcdefgh'[square & 7]}{(square >> 3) + 1}"


def check_size(rows, cols, where=None):
    """Return rows and columns as ints. Raises BadPosition if no board has this size."""
    for name, size in (("rows", rows), ("columns", cols)):
        if whole(size) not in range(3, 9):
            prefix = f"{shown(where)}: " if where else ""
            raise BadPosition(f"{prefix}a Breakthrough board has 3 to 8 {name}, not {shown(size)}")
    return whole(rows), whole(cols)


def check_men(fen, white, black, rows, cols):
    """Reject men that break what the engine relies on: at most 2 * cols on a side, and not two winners."""
    for name, men in (("white", white), ("black", black)):
        if len(men) > 2 * cols:
            raise BadPosition(f"{shown(fen)}: {name} has {len(men)} men, "
                              f"and a board of {cols} columns has at most {2 * cols}")
    white_arrived = any(square // 8 == rows - 1 for square in white)
    black_arrived = any(square // 8 == 0 for square in black)
    if not white and not black:
        raise BadPosition(f"{shown(fen)}: there are no men on the board")
    if (white_arrived or not black) and (black_arrived or not white):
        raise BadPosition(f"{shown(fen)}: both sides have won")
