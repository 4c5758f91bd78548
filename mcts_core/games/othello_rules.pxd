"""The state of Othello, and the rules that its positions, kernel and exact search need."""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.game cimport game_t

cdef enum:
    BLACK = 0                           # the first player
    WHITE = 1
    PASS = 64                           # as a move; 0 to 63 are squares

cdef struct state_t:
    uint64_t own                        # discs of the side to move
    uint64_t enemy
    uint64_t squares                    # the squares of the board
    uint64_t key
    uint8_t size
    uint8_t turn
    uint8_t[6] padding


cdef const game_t* game_for(int size) noexcept nogil
cdef void start_empty(state_t* state, int size, int turn) noexcept nogil
cdef void put_disc(state_t* state, int side, int square) noexcept nogil
