"""The static evaluation of Othello positions, compiled into the searches that ask for it."""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.base.bits cimport count_bits
from mcts_core.games.othello_board cimport moves_of
from mcts_core.games.othello_stability cimport loose_discs, stable_discs

cdef struct mix_t:                      # what the terms weigh
    bint has_table
    double[8][256] table                # by row and its discs: the sum of its squares' weights, left to right
    double parity
    double mobility
    double potential
    double corners
    double stability
    double divisor                      # of the sum

cdef struct eval_t:
    uint64_t squares                    # of the board
    int size
    int n_mixes                         # phases of the game; 0: a Python function judges
    mix_t* mixes
    uint8_t[65] phase                   # which mix, by the number of discs

cdef extern from *:
    """
    #define OTHELLO_FINISHED 1e6
    """
    const double FINISHED "OTHELLO_FINISHED"    # a won game is worth this and its margin; no heuristic value reaches it


cdef inline double final_score(uint64_t own, uint64_t enemy, uint64_t squares) noexcept nogil:
    """Of a finished game: the result first, then the margin, empty squares going to the winner."""
    cdef int n_own = count_bits(own), n_enemy = count_bits(enemy)
    cdef int n_empty = count_bits(squares) - n_own - n_enemy
    if n_own > n_enemy:
        return FINISHED + (n_own - n_enemy + n_empty)
    if n_own < n_enemy:
        return -FINISHED + (n_own - n_enemy - n_empty)
    return 0.0


cdef inline double ratio(int a, int b) noexcept nogil:
    return 100.0 * (a - b) / (a + b) if a + b else 0.0


cdef inline double table_term(const mix_t* mix, uint64_t own, uint64_t enemy) noexcept nogil:
    """Row by row, so that any weights are added in one order, the twin's too."""
    cdef double total = 0.0
    cdef int row
    for row in range(8):
        total += mix.table[row][own >> 8 * row & 0xFF] - mix.table[row][enemy >> 8 * row & 0xFF]
    return total


cdef inline double parity_term(uint64_t own, uint64_t enemy) noexcept nogil:
    return ratio(count_bits(own), count_bits(enemy))


cdef inline double mobility_term(uint64_t own, uint64_t enemy, uint64_t squares) noexcept nogil:
    return ratio(count_bits(moves_of(own, enemy, squares)), count_bits(moves_of(enemy, own, squares)))


cdef inline uint64_t around(uint64_t discs) noexcept nogil:
    """The squares next to a disc, and the discs."""
    cdef uint64_t wide = discs
    wide |= (discs & ~<uint64_t> 0x8080808080808080) << 1
    wide |= (discs & ~<uint64_t> 0x0101010101010101) >> 1
    return wide | wide << 8 | wide >> 8


cdef inline double potential_term(uint64_t own, uint64_t enemy, uint64_t squares) noexcept nogil:
    cdef uint64_t empty = squares & ~(own | enemy)
    return ratio(count_bits(around(enemy) & empty), count_bits(around(own) & empty))


cdef inline double corners_term(uint64_t own, uint64_t enemy, int size) noexcept nogil:
    cdef uint64_t corners = <uint64_t> 1 | <uint64_t> 1 << size - 1
    corners |= corners << 8 * (size - 1)
    return ratio(count_bits(own & corners), count_bits(enemy & corners))


cdef inline double stability_term(uint64_t own, uint64_t enemy, uint64_t squares, int size) noexcept nogil:
    """+1 for a stable disc, -1 for one that can be flipped at once, out of 100 for all these discs."""
    cdef int own_stable = count_bits(stable_discs(own, enemy, squares, size))
    cdef int enemy_stable = count_bits(stable_discs(enemy, own, squares, size))
    cdef int own_loose = count_bits(loose_discs(own, enemy, squares))
    cdef int enemy_loose = count_bits(loose_discs(enemy, own, squares))
    cdef int concerned = own_stable + enemy_stable + own_loose + enemy_loose
    if concerned == 0:
        return 0.0
    return 100.0 * ((own_stable - own_loose) - (enemy_stable - enemy_loose)) / concerned


cdef inline double evaluate(const eval_t* e, uint64_t own, uint64_t enemy) noexcept nogil:
    """Of a game that goes on, for the side to move; the terms are added in one order."""
    cdef const mix_t* mix = &e.mixes[e.phase[count_bits(own | enemy)]]
    cdef double value = 0.0
    if mix.has_table:
        value += table_term(mix, own, enemy)
    if mix.parity != 0.0:
        value += mix.parity * parity_term(own, enemy)
    if mix.mobility != 0.0:
        value += mix.mobility * mobility_term(own, enemy, e.squares)
    if mix.potential != 0.0:
        value += mix.potential * potential_term(own, enemy, e.squares)
    if mix.corners != 0.0:
        value += mix.corners * corners_term(own, enemy, e.size)
    if mix.stability != 0.0:
        value += mix.stability * stability_term(own, enemy, e.squares, e.size)
    return value / mix.divisor


cdef class CompiledEvaluation:
    cdef eval_t c
    cdef readonly object function       # or None
    cdef double ask(self, uint64_t own, uint64_t enemy, int turn) except? -1.0
