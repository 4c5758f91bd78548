"""The contract of a game in plain Python, and the calls of the user's object that its positions make too."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint64_t

from mcts_core.game cimport game_t

cdef struct state_t:
    PyObject* object                    # the user's position, changed by play; NULL: copying it has failed
    PyObject* moves                     # the list of its legal moves; NULL in a copy: not asked for yet
    int plies                           # since the position that was wrapped


cdef class Wrapper:
    cdef game_t c
    cdef object failure                 # the first exception
    cdef int64_t failed                 # 1 once there is a failure; read without the GIL
    cdef dict words                     # by key, see `word_of`
    cdef object next_word               # counts them

    cdef Wrapper for_search(self)
    cdef void fail(self, failure)
    cdef object take_failure(self)


cdef list ask_moves(const game_t* game, position, int plies)
cdef int ask_turn(position) except -1
cdef int ask_code(const game_t* game, position, move) except -1
cdef double ask_result(position) except -1
cdef uint64_t word_of(Wrapper wrapper, value) except? 0
