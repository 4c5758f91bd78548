"""Position: the Python class of every game. A game derives its class from this one (see game.pxd)."""
from mcts_core.game cimport game_t, move_t


cdef class Position:
    cdef const game_t* game
    cdef bytes _state                   # the game's struct; replaced, never changed in place
    cdef list _past                     # (state before, Move) of every push

    cdef int start(self, const game_t* game, const void* state) except -1
    cdef const void* state(self) except NULL
    cdef int refuse(self) except -1
    cdef tuple find_here(self, move)


cdef int perft_depth(object plies) except -1
