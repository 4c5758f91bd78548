"""Othello boards: moves, flips and stable lines, inline, for all modules that look at a board.

Boards are words of 64 bits, bit 8*row + col with a1 = bit 0, for 8x8 as for the smaller boards in
its corner; they come in pairs, `own` discs and `enemy` discs. Moves are found by flooding lines
(Kogge-Stone), the discs that a move flips ray by ray: the first square that is not an enemy disc
ends the line, and it flips what lies between if it is one's own.

Where there are AVX2 vectors the four kinds of lines are flooded in their four lanes: perft gains
30 % by it, playouts 1 % (a vector of rays for the flips loses 30 %: it is all one chain of latencies).

A module that uses the flips calls `fill_rays` once, when it is imported.
"""
from libc.stdint cimport uint64_t

from mcts_core.base.bits cimport last_bit  # noqa: the C code above calls it

cdef extern from "mcts_core/games/othello_board.h":
    void fill_rays "othello_fill_rays"() noexcept nogil
    # the squares just behind an unbroken line of enemy discs that starts next to an own disc
    uint64_t reach "othello_reach"(uint64_t own, uint64_t enemy) noexcept nogil
    # the enemy discs that an own disc on that square turns over
    uint64_t flips_of "othello_flips"(uint64_t own, uint64_t enemy, int square) noexcept nogil


cdef inline uint64_t moves_of(uint64_t own, uint64_t enemy, uint64_t squares) noexcept nogil:
    """The squares, of those of the board, where `own` can play."""
    return reach(own, enemy) & squares & ~(own | enemy)
