"""Tic-tac-toe: a whole game outside the package. X is the first player; a side's men are nine bits."""
from libc.stdint cimport uint64_t

from mcts_core.game cimport GAME_ABI, game_t, move_t
from mcts_core.position cimport Position
from mcts_core.rng cimport fixed_word

from mcts_core.board import Board
from mcts_core.errors import BadPosition

cdef struct state_t:
    int[2] men                          # X's and O's: bit 0 is the top left square, bit 8 the last
    int turn

cdef int[8] LINES = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]


cdef bint has_line(const state_t* state, int side) noexcept nogil:
    cdef int line
    for line in LINES:
        if state.men[side] & line == line:
            return True
    return False

cdef int moves(const game_t* game, const void* s, move_t* out) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    cdef int square, n = 0
    if has_line(state, 0) or has_line(state, 1):
        return 0
    for square in range(9):
        if not (state.men[0] | state.men[1]) >> square & 1:
            if out != NULL:
                out[n] = square
            n += 1
    return n

cdef void play(const game_t* game, void* s, move_t move) noexcept nogil:
    cdef state_t* state = <state_t*> s
    state.men[state.turn] |= 1 << move
    state.turn = 1 - state.turn

cdef int turn(const game_t* game, const void* s) noexcept nogil:
    return (<const state_t*> s).turn

cdef uint64_t key(const game_t* game, const void* s) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    return fixed_word(state.men[0] | state.men[1] << 9 | state.turn << 18)

cdef int code(const game_t* game, const void* s, move_t move) noexcept nogil:
    return 9 * (<const state_t*> s).turn + move

cdef double result(const game_t* game, const void* s) noexcept nogil:
    return 0.5 * (1 + has_line(<const state_t*> s, 0) - has_line(<const state_t*> s, 1))

cdef game_t GAME                        # all zero to begin with: what is not set here is left to the engine
GAME.abi, GAME.state_size, GAME.max_moves, GAME.max_plies, GAME.n_codes = GAME_ABI, sizeof(state_t), 9, 9, 18
GAME.moves, GAME.play, GAME.turn, GAME.key, GAME.code, GAME.result = moves, play, turn, key, code, result


cdef class TicTacToe(Position):
    def __init__(self, squares="---------", side="X"):
        cdef state_t state
        if len(squares) != 9 or not set(squares) <= set("XO-") or side not in ("X", "O"):
            raise BadPosition(f"{squares} {side}: expected nine squares 'X', 'O' or '-', and the side to move")
        for i in range(2):
            state.men[i] = sum([1 << n for n, man in enumerate(squares) if man == "XO"[i]])
        state.turn = "XO".index(side)
        self.start(&GAME, &state)

    @classmethod
    def from_fen(cls, fen):
        return cls(*fen.split())

    @property
    def fen(self):
        cdef const state_t* state = <const state_t*> self.state()
        men = ["-XO"[(state.men[0] >> n & 1) + 2 * (state.men[1] >> n & 1)] for n in range(9)]
        return f"{''.join(men)} {'XO'[state.turn]}"

    @property
    def board(self):
        men = self.fen.replace("X", "w").replace("O", "b")
        last = frozenset(divmod(move.raw, 3) for move in self.history[-1:])
        return Board([men[:3], men[3:6], men[6:9]], ["3", "2", "1"], last)

    def move_text(self, raw):
        return "abc"[raw % 3] + "321"[raw // 3]
