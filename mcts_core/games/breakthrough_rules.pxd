"""The state of Breakthrough, and the rules that its positions and kernels need."""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.game cimport game_t

cdef enum:
    WHITE = 0                           # the first player, moving to higher rows
    BLACK = 1

cdef struct state_t:
    uint64_t[2] men                     # white's and black's
    uint64_t squares                    # the squares of the board
    uint64_t key
    uint8_t rows
    uint8_t cols
    uint8_t turn
    uint8_t[5] padding


cdef const game_t* game_for(int rows, int cols) noexcept nogil
cdef void start_empty(state_t* state, int rows, int cols, int turn) noexcept nogil
cdef void put_man(state_t* state, int side, int square) noexcept nogil
