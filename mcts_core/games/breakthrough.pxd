"""The state of Breakthrough, shared by its rules and its lane kernel."""
from libc.stdint cimport uint8_t, uint64_t

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
