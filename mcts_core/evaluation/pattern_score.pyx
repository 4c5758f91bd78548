"""Patterns over the planes of a game: a weight for each way in which a few squares can be filled.

A kind of pattern is a list of squares, such as an edge. Its instances are the places where the symmetries of the board
put it; all share the kind's weights. A score is the sum of one weight for each instance, and a bias:

    index         a digit to base 3 for each square: 0 empty, 1 a man of the mover, 2 of the opponent
    score         bias[phase] + the sum of weights[phase][offset of the kind + index]

The number of men on the board chooses the phase, of equal ranges from 1 to `most_men`. All numbers are integers, and no
sum can overflow, so every machine computes the same score.
"""
from libc.stdint cimport int32_t, uint16_t, uint64_t

from mcts_core.base.bits cimport count_bits


cdef inline int phase_of(const patterns_t* p, uint64_t own, uint64_t enemy) noexcept nogil:
    return max(0, min((count_bits(own | enemy) - 1) * p.phases // p.most_men, p.phases - 1))


cdef int score(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil:
    cdef const patterns_t* p = <const patterns_t*> evaluator
    cdef uint16_t[64 + 32] room         # to begin at a cache line
    cdef uint16_t* indices = <uint16_t*> ((<size_t> room + 63) & ~<size_t> 63)
    cdef uint64_t own, enemy
    cdef int phase
    game.planes(game, state, &own, &enemy)
    phase = phase_of(p, own, enemy)
    pattern_indices(p.digits, own, enemy, indices)
    return p.biases[phase] + pattern_sum(p.weights + phase * p.row, p.offsets, indices, p.n_instances)


cdef void list_indices(const patterns_t* p, const uint64_t* own, const uint64_t* enemy, int n,
                       int32_t* phases, int32_t* indices) noexcept nogil:
    """Write the phase of each of n boards, and the indices of its instances in the weights of a phase."""
    cdef uint16_t[64 + 32] room         # to begin at a cache line
    cdef uint16_t* found = <uint16_t*> ((<size_t> room + 63) & ~<size_t> 63)
    cdef int board, i
    for board in range(n):
        phases[board] = phase_of(p, own[board], enemy[board])
        pattern_indices(p.digits, own[board], enemy[board], found)
        for i in range(p.n_instances):
            indices[i] = p.offsets[i] + found[i]
        indices += p.n_instances
