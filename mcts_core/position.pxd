"""Position: the Python class of every game. A game derives its class from this one (see game.pxd)."""
from libc.stdint cimport uint8_t

from mcts_core.game cimport game_t, move_t


cdef class Position

cdef class LegalMoves:
    cdef Position position              # gives the texts
    cdef bytes state
    cdef tuple made                     # all moves, once somebody has asked for them

    cdef int list_raw(self, move_t* out) noexcept
    cdef tuple all(self)


cdef class Position:
    cdef const game_t* game
    cdef bytes _state                   # the game's struct; replaced, never changed in place
    cdef list _past                     # (state before, Move) of every push
    cdef dict _known                    # the game's moves made so far, by raw; shared by all its positions

    cdef int start(self, const game_t* game, const void* state) except -1
    cdef const void* state(self) except NULL
    cdef int refuse(self) except -1
    cdef bytes current(self)
    cdef LegalMoves legal_in(self, bytes state)
    cdef object known_move(self, move_t raw)
    cdef object known_legal(self, bytes state, move)
    cdef object move_in(self, bytes state, move)
    cdef object find_among(self, legal, move)
    cdef int play(self, bytes state, move, move_t raw) except -1
    cdef tuple shape(self)
    cdef int write_planes_to(self, uint8_t* out, int squares) except -1
    cdef int need_codes(self) except -1
    cdef list legal_codes(self)


cdef object no_such_move(index, int n)
