"""The contract of a game in plain Python, and the calls of the user's object that its positions make too."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint64_t

from mcts_core.game cimport game_t

cdef struct state_t:
    PyObject* place                     # a Place; NULL: copying the user's position has failed


cdef class Wrapper

cdef class Place:
    cdef object position                # the user's
    cdef list legal                     # its moves; None: not asked for yet
    cdef int plies                      # since the position that was wrapped
    cdef Wrapper sharer                 # counts shared places; None in a place that is not shared
    cdef list after                     # in a shared place, for each move the shared place after it, or None
    cdef uint64_t word                  # in a shared place, the word of its key, if `has_word`
    cdef bint has_word


cdef class Wrapper:
    cdef game_t c
    cdef object failure                 # the first exception
    cdef int64_t failed                 # 1 once there is a failure; read without the GIL
    cdef dict words                     # by key, see `word_of`
    cdef object next_word               # counts them
    cdef int n_shared                   # shared places

    cdef Wrapper for_search(self)
    cdef void fail(self, failure, position, name)
    cdef object take_failure(self)


cdef list ask_moves(const game_t* game, position, int plies)
cdef int ask_turn(position) except -1
cdef int ask_code(const game_t* game, position, move) except -1
cdef double ask_result(position) except -1
cdef uint64_t word_of(Wrapper wrapper, value) except? 0

cdef Place new_place(position, list legal, int plies)
cdef void share(Wrapper wrapper, Place place) noexcept
