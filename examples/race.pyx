"""A game in Cython: two players count to 21 by one, two or three, and who says 21 loses.

`examples/researcher.py` compiles it. CONTRIBUTING.md explains the contract.
"""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from mcts_core.game cimport GAME_ABI, game_t, move_t
from mcts_core.position cimport Position
from mcts_core.rng cimport fixed_word

cdef enum:
    END = 21

cdef struct state_t:
    int count
    int turn


cdef int moves(const game_t* game, const void* s, move_t* out) noexcept nogil:
    cdef int i, n = min(3, END - (<const state_t*> s).count)
    for i in range(n if out != NULL else 0):
        out[i] = i + 1
    return n

cdef void play(const game_t* game, void* s, move_t move) noexcept nogil:
    cdef state_t* state = <state_t*> s
    state.count += move
    state.turn = 1 - state.turn

cdef int turn(const game_t* game, const void* s) noexcept nogil:
    return (<const state_t*> s).turn

cdef uint64_t key(const game_t* game, const void* s) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    return fixed_word(2 * state.count + state.turn)

cdef int code(const game_t* game, const void* s, move_t move) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    return 2 * (state.count + move) + state.turn

cdef double result(const game_t* game, const void* s) noexcept nogil:
    return 1.0 - (<const state_t*> s).turn      # the other one has said 21


cdef game_t GAME
memset(&GAME, 0, sizeof(game_t))
GAME.abi, GAME.state_size, GAME.max_moves, GAME.max_plies = GAME_ABI, sizeof(state_t), 3, END
GAME.n_codes = 2 * (END + 1)
GAME.moves, GAME.play, GAME.turn, GAME.key, GAME.code, GAME.result = moves, play, turn, key, code, result


cdef class Race(Position):
    """Race(count=0, turn=0)
    --

    A position: the number said last, and who is to speak.
    """

    def __init__(self, int count=0, int turn=0):
        cdef state_t state
        if not 0 <= count <= END or turn not in (0, 1):
            raise ValueError(f"a count is 0 to {END} and a turn 0 or 1, not {count} and {turn}")
        memset(&state, 0, sizeof(state))
        state.count, state.turn = count, turn
        self.start(&GAME, &state)

    @classmethod
    def from_fen(cls, fen):
        return cls(*map(int, fen.split()))

    @property
    def fen(self):
        cdef const state_t* state = <const state_t*> self.state()
        return f"{state.count} {state.turn}"

    def move_text(self, raw):
        return f"+{raw}"
