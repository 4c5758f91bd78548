"""Sequential halving, a root schedule."""
from libc.stdint cimport int64_t

from mcts_core.game cimport MOVES_ROOM
from mcts_core.search.schedule cimport schedule_t

cdef struct halving_t:
    schedule_t schedule
    double amaf                         # weight of a move's AMAF mean; 0: moves are compared by their means alone
    int64_t left                        # playouts for the rounds to come
    int64_t each                        # playouts of each move in this round
    int64_t given                       # playouts of this round so far
    int n                               # moves still in
    int[MOVES_ROOM] moves               # their indices, the best of the last round first


cdef class Halving:
    cdef halving_t halving
