"""States with guard words behind them, and the checker of a game's rules."""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from mcts_core.game cimport STATE_WORDS, game_t, move_t
from mcts_core.position cimport Position
from mcts_core.rng cimport seed_t

cdef enum:
    GUARDS = 4096                       # words behind each buffer that a game writes to; a write beyond is not found
    GUARD = 0x5AFE5AFE                  # the value of these words
    STATE_GUARDS = 64                   # words behind a state

cdef int[2] FILLS                       # the bytes of a buffer before the first and the second call of a function


cdef class State:
    cdef const game_t* game
    cdef readonly object path
    cdef int fill                       # the byte that fills the guards
    cdef uint64_t[STATE_WORDS + STATE_GUARDS] words

    cdef bint is_intact(self) except -1


cdef State copy_of(const game_t* game, const void* state, object path, int fill)


cdef class Checker:
    cdef Position start
    cdef const game_t* game
    cdef seed_t seed
    cdef int positions                  # checked so far
    cdef dict known                     # by key: the state or its facts, and the path to it
    cdef list unfinished                # (state, its moves) from which playouts can begin
    cdef move_t[::1] out                # buffers: the moves of a position,
    cdef move_t[::1] moves              # the moves of a playout,
    cdef int32_t[::1] codes             # their codes in order,
    cdef uint64_t[::1] seen             # their codes as bits

    cdef State first(self)
    cdef bint is_over(self) except -1
    cdef list names(self)
    cdef int check_fields(self) except -1
    cdef object look(self, State state)
    cdef object ask(self, State state, int fill)
    cdef int expect_same(self, State state, bytes before, name) except -1
    cdef list moves_of(self, State state, uint32_t fill)
    cdef int code_of(self, State state, move_t move) except -1
    cdef object progress_of(self, State state)
    cdef object result_of(self, State state)
    cdef int check_margin(self, State state, double result) except -1
    cdef list texts_of(self, State state, list moves, Position here)
    cdef int note(self, State state, key, what) except -1
    cdef State played(self, State state, move_t move, text, int fill)
    cdef int check_play(self, State state, facts, list texts) except -1
    cdef int check_line(self, int number) except -1
    cdef object look_at(self, State state, Position here)
    cdef int expect_new(self, State state, key, dict plies) except -1
    cdef int check_again(self, list line, end) except -1
    cdef int expect_facts(self, State state, facts) except -1
