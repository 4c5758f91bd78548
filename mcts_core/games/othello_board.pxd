"""Othello boards: moves and flips, inline.

A board is a pair of 64-bit words, `own` discs and `enemy` discs: bit 8*row + col, a1 is bit 0.
Smaller boards lie in the corner at a1. Moves are found by flooding lines (Kogge-Stone). Flips are found
ray by ray: the first square that is not an enemy disc ends the ray, and if it is an own disc, the
enemy discs before it are flipped.

With AVX2 the four kinds of lines are flooded in the four lanes of a vector: perft is 30 % faster,
playouts 1 %. Flips by vectors are fewer instructions, but it takes longer until they are known. Endgames, which try
many moves, are a fifth faster with them; perft, where each move waits for the one before, takes half as long again.

A module that uses the flips calls `fill_rays` once, when it is imported.
"""
from libc.stdint cimport uint64_t

from mcts_core.base.bits cimport last_bit  # noqa: othello_board.h calls it

cdef extern from "mcts_core/games/othello_board.h":
    void fill_rays "othello_fill_rays"() noexcept nogil
    # returns the squares just behind an unbroken line of enemy discs that starts next to an own disc
    uint64_t reach "othello_reach"(uint64_t own, uint64_t enemy) noexcept nogil
    # returns the enemy discs that an own disc on that square flips
    uint64_t flips_of "othello_flips"(uint64_t own, uint64_t enemy, int square) noexcept nogil
    # the same flips, with vectors of four rays where the processor has them
    uint64_t flips_in_vectors "othello_flips_in_vectors"(uint64_t own, uint64_t enemy, int square) noexcept nogil
    # returns the squares on a line with a square, in all eight directions
    uint64_t lines_of "othello_lines"(int square) noexcept nogil


cdef inline uint64_t moves_of(uint64_t own, uint64_t enemy, uint64_t squares) noexcept nogil:
    """Return the squares of the board where `own` can play."""
    return reach(own, enemy) & squares & ~(own | enemy)
