"""Othello boards: moves and flips, inline.

A board is a pair of 64-bit words, `own` discs and `enemy` discs: bit 8*row + col, a1 is bit 0.
Smaller boards lie in the corner at a1. Moves are found by flooding lines (Kogge-Stone). Flips are found
ray by ray: the first square that is not an enemy disc ends the ray, and if it is an own disc, the
enemy discs before it are flipped.

With AVX2 the four kinds of lines are flooded in the four lanes of a vector: perft is 30 % faster,
playouts 1 %. Flips by vectors are fewer instructions, but have a longer latency. So the searches that try many moves
use them: with AVX-512 position 40 of the FFO test takes 0.8 of the time. Games, where each move waits for the one
before, do not: perft would take 1.6 times as long.

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
    # returns the other squares of a diagonal: of line 1, towards a8 and h1, or 3, towards a1 and h8
    uint64_t diagonal "othello_diagonal"(int square, int line) noexcept nogil
    # returns the squares on a line with a square, in all eight directions
    uint64_t lines_of "othello_lines"(int square) noexcept nogil


cdef inline uint64_t moves_of(uint64_t own, uint64_t enemy, uint64_t squares) noexcept nogil:
    """Return the squares of the board where `own` can play."""
    return reach(own, enemy) & squares & ~(own | enemy)
