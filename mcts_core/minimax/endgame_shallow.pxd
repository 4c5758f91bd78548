"""Exact Othello endgames with few empty squares, without a table."""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.bits cimport count_bits, first_bit
from mcts_core.minimax.limits cimport limits_t
from mcts_core.minimax.transposition cimport buckets_t

cdef enum:
    SHALLOW = 7                         # empty squares: with more of them the table saves more than it costs

cdef struct endgame_t:
    limits_t limits
    uint64_t squares                    # of the board
    int n_squares
    int size
    buckets_t table
    int64_t deep_nodes                  # positions searched with more than SHALLOW empty squares


cdef inline int quadrant(int square) noexcept nogil:
    """The bit of a square's quadrant. Smaller boards are divided like 8x8: parity only orders the moves."""
    return 1 << (square >> 5 & 1) * 2 + (square >> 2 & 1)


cdef inline int parity_of(uint64_t empty) noexcept nogil:
    """A bit for each quadrant, set if its empty squares are odd in number."""
    cdef int parity = 0
    while empty:
        parity ^= quadrant(first_bit(empty))
        empty &= empty - 1
    return parity


cdef inline int final_difference(int n_squares, uint64_t own, uint64_t enemy) noexcept nogil:
    """The score of a finished game."""
    cdef int n_own = count_bits(own), n_enemy = count_bits(enemy), lead = n_own - n_enemy
    cdef int empty = n_squares - n_own - n_enemy
    return lead + empty if lead > 0 else lead - empty if lead < 0 else 0


cdef int shallow(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
                 int n_empty, int parity) noexcept nogil
