"""Othello for Python: positions and their text. The rules are in othello_rules.pyx."""
from libc.stdint cimport uint64_t

from mcts_core.games.othello_rules cimport BLACK, PASS, game_for, put_disc, start_empty, state_t
from mcts_core.position cimport Position

from mcts_core.board import Board
from mcts_core.errors import BadPosition, shown, whole
from mcts_core.lines import refuse_line_of_another


cdef class Othello(Position):
    """Othello(size=8)
--

    Othello on 8x8, 6x6 or 4x4: `Othello()`, `Othello(6)`. Black, the first player, is 'X' in text.

    >>> o = Othello()
    >>> o.legal_moves
    <4 moves: d3 c4 f5 e6>
    >>> o.push("f5")
    Move('f5')
    """

    def __init__(self, size=8):
        size = check_size(size)
        middle = size // 2
        discs = ["-"] * (size * size)
        for row, col in ((middle - 1, middle), (middle, middle - 1)):
            discs[size * row + col] = "X"
            discs[size * col + col] = "O"
        self._place(discs, size, BLACK)

    def _place(self, discs, int size, int to_move):
        """Set up a position from its squares row by row, as 'X', 'O' and '-'."""
        cdef state_t state
        cdef int i
        start_empty(&state, size, to_move)
        for i, disc in enumerate(discs):
            if disc != "-":
                put_disc(&state, "XO".index(disc), i // size * 8 + i % size)
        self.start(game_for(size), &state)

    @classmethod
    def from_fen(cls, fen):
        """Return a position from its OBF line: the squares row by row from a1, a space, the side to move.

        >>> Othello.from_fen("-----XO--OX----- X").legal_moves
        <4 moves: c1 d2 a3 b4>
        """
        if not isinstance(fen, str):
            raise BadPosition(f"an Othello position is a line of text, not {shown(fen)}")
        refuse_line_of_another(fen, "Othello")
        parts = fen.upper().split()
        if len(parts) != 2 or parts[1] not in ("X", "O"):
            raise BadPosition(f"{shown(fen)}: expected the squares and the side to move, as in '-----XO--OX----- X'")
        sizes = {16: 4, 36: 6, 64: 8}
        if len(parts[0]) not in sizes:
            raise BadPosition(f"{shown(fen)}: {len(parts[0])} squares; an Othello board has 64, 36 or 16")
        size = sizes[len(parts[0])]
        for i, disc in enumerate(parts[0]):
            if disc not in "XO-":
                raise BadPosition(f"{shown(fen)}: {disc!r} on {'abcdefgh'[i % size]}{i // size + 1} (column {i + 1}); "
                                  "only 'X', 'O' and '-' can stand there")
        position = cls.__new__(cls)
        position._place(parts[0], size, "XO".index(parts[1]))
        return position

    @property
    def size(self):
        return (<const state_t*> self.state()).size

    @property
    def rows(self):
        return self.size

    @property
    def cols(self):
        return self.size

    @property
    def discs(self):
        """The numbers of black's and white's discs."""
        black_white = self._discs()
        return black_white.count("X"), black_white.count("O")

    @property
    def fen(self):
        return f"{self._discs()} {'XO'[self.turn]}"

    def _discs(self):
        cdef state_t state = (<const state_t*> self.state())[0]     # another thread may push or pop meanwhile
        cdef int row, col, square
        own, enemy = ("X", "O") if state.turn == BLACK else ("O", "X")
        text = ""
        for row in range(state.size):
            for col in range(state.size):
                square = 8 * row + col
                text += own if state.own >> square & 1 else enemy if state.enemy >> square & 1 else "-"
        return text

    @property
    def board(self):
        size = self.size
        discs = self._discs().translate({ord("X"): "b", ord("O"): "w", ord("-"): "."})
        black, white = self.discs
        caption = "game over" if self.is_over else ("black", "white")[self.turn] + " to move"
        marked = [divmod(last.raw, 8) for _, last in self._past[-1:] if last.raw != PASS]
        return Board([discs[i:i + size] for i in range(0, size * size, size)], [str(i + 1) for i in range(size)],
                     frozenset(marked), ("#4f9d69", "#479060"), f"{caption}, black {black}, white {white}")

    def move_text(self, raw):
        return "pass" if raw == PASS else f"{'abcdefgh'[raw & 7]}{(raw >> 3) + 1}"

    def normal_text(self, text):
        """Return a move's text as `move_text` would write it. A pass may be written 'pa', 'ps' or '--', too."""
        text = text.strip().lower()
        return "pass" if text in ("pa", "ps", "--") else text


def check_size(size):
    """Return the size as an int. Raises BadPosition if no board has this size."""
    found = whole(size)
    if found not in (4, 6, 8):
        raise BadPosition(f"an Othello board has a size of 8, 6 or 4, not {shown(size)}")
    return found


cdef Othello othello_of(uint64_t own, uint64_t enemy, int size, int turn):
    """Return the position with these discs of the side to move and of the other side."""
    cdef Othello position = Othello.__new__(Othello)
    cdef int square
    discs = []
    for square in range(8 * size):
        if square & 7 < size:
            side = turn if own >> square & 1 else 1 - turn
            discs.append("XO"[side] if (own | enemy) >> square & 1 else "-")
    position._place(discs, size, turn)
    return position
