"""The state of Connect Four, shared by its rules and its lane kernel."""
from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    WHITE = 0                           # the first player, 'x' in text
    BLACK = 1

cdef struct state_t:
    uint64_t[2] men                     # white's discs and black's; connect_four.pyx gives the order of bits
    uint8_t rows
    uint8_t cols
    uint8_t turn
    uint8_t[5] padding
