"""The state of Connect Four, and the rules that its positions and its kernel need."""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.game cimport game_t

cdef enum:
    WHITE = 0                           # the first player, 'x' in text
    BLACK = 1

cdef struct state_t:
    uint64_t[2] men                     # white's discs and black's; connect_four_rules.pyx gives the order of bits
    uint8_t rows
    uint8_t cols
    uint8_t turn
    uint8_t[5] padding

cdef enum:
    LEAST = 4                           # rows and columns
    MOST = 9

cdef struct shape_t:                    # of a board; each game_t points to one
    int rows
    int cols
    uint64_t lowest                     # the lowest row
    uint64_t squares                    # all squares, without the sentinels
    int[64] place                       # a bit's square, counted row by row from the lowest row


cdef inline const shape_t* shape_of(const game_t* game) noexcept nogil:
    return <const shape_t*> game.context


cdef const game_t* game_for(int rows, int cols) noexcept nogil
cdef bint has_four(uint64_t men, int rows) noexcept nogil
