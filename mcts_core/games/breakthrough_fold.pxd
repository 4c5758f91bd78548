"""Breakthrough: the key that a position shares with its mirror image, for exact search."""
from libc.stdint cimport uint64_t

from mcts_core.rng cimport fixed_word


cdef inline uint64_t folded(uint64_t white, uint64_t black, int turn, int rows, int cols) noexcept nogil:
    """Return one key for a position and its mirror image. On at most 31 squares no other position has it."""
    cdef uint64_t white_mirrored = mirrored(white, cols), black_mirrored = mirrored(black, cols)
    if white_mirrored < white or white_mirrored == white and black_mirrored < black:
        white, black = white_mirrored, black_mirrored
    if rows * cols <= 31:
        return fixed_word(packed(white, rows, cols) << 32 | packed(black, rows, cols) << 1 | turn)
    return fixed_word(white ^ fixed_word(black ^ fixed_word(turn)))


cdef inline uint64_t mirrored(uint64_t men, int cols) noexcept nogil:
    """Return a board with its columns reversed: all bits of each byte, then without the empty columns."""
    cdef uint64_t every_second = 0x5555555555555555     # every second bit of a word, pair of bits, four bits
    cdef uint64_t every_second_pair = 0x3333333333333333
    cdef uint64_t every_second_four = 0x0F0F0F0F0F0F0F0F
    men = men >> 1 & every_second | (men & every_second) << 1
    men = men >> 2 & every_second_pair | (men & every_second_pair) << 2
    men = men >> 4 & every_second_four | (men & every_second_four) << 4
    return men >> (8 - cols)


cdef inline uint64_t packed(uint64_t men, int rows, int cols) noexcept nogil:
    """Return a board row by row without gaps."""
    cdef uint64_t board = 0
    cdef int row
    for row in range(rows):
        board = board << cols | men >> 8 * row & 0xFF
    return board
