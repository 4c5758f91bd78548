"""The static evaluation of Othello positions, inline in the searches that use it."""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.base.bits cimport count_bits
from mcts_core.games.othello_board cimport moves_of
from mcts_core.games.othello_stability cimport loose_discs, stable_discs

cdef struct mix_t:                      # the weights of the terms
    bint has_table
    double[8][256] table                # by row and the discs in it: the sum of their squares' weights, left to right
    double parity
    double mobility
    double potential
    double corners
    double stability
    double divisor                      # of the weighted sum

cdef struct eval_t:
    uint64_t squares                    # of the board
    int size
    int n_mixes                         # phases of the game; 0: a Python function evaluates
    mix_t* mixes
    uint8_t[65] phase                   # by the number of discs: which mix

cdef extern from *:
    """
    #define OTHELLO_FINISHED 1e6
    """
    const double FINISHED "OTHELLO_FINISHED"    # a won game is worth this plus its margin; evaluations stay below


cdef inline double final_score(uint64_t own, uint64_t enemy, uint64_t squares) noexcept nogil:
    """Return the value of a finished game: by its result first, then by margin. Empty squares go to the winner."""
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
    """Add the weights row by row, in the same order as the twin."""
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
    """Return the discs and the squares next to them. May leave a small board."""
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
    """Return the balance of +1 for a stable disc and -1 for one that can be flipped at once, in % of these discs."""
    cdef int own_stable = count_bits(stable_discs(own, enemy, squares, size))
    cdef int enemy_stable = count_bits(stable_discs(enemy, own, squares, size))
    cdef int own_loose = count_bits(loose_discs(own, enemy, squares))
    cdef int enemy_loose = count_bits(loose_discs(enemy, own, squares))
    cdef int concerned = own_stable + enemy_stable + own_loose + enemy_loose
    if concerned == 0:
        return 0.0
    return 100.0 * ((own_stable - own_loose) - (enemy_stable - enemy_loose)) / concerned


cdef inline double evaluate(const eval_t* e, uint64_t own, uint64_t enemy) noexcept nogil:
    """Return the value of an unfinished game for the side to move. The order of the terms is fixed."""
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
    cdef readonly object function       # None: the mixes evaluate
    cdef double ask(self, uint64_t own, uint64_t enemy, int turn) except? -1.0
