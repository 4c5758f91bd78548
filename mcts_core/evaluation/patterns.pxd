"""Patterns for other compiled modules: their indices and their weights."""
from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t

from mcts_core.evaluator cimport Evaluator, evaluator_t

cdef extern from "mcts_core/evaluation/patterns.h":
    int PATTERN_LANES
    void pattern_indices(const uint16_t* digits, uint64_t own, uint64_t enemy, uint16_t* indices) noexcept nogil
    int pattern_sum(const int16_t* weights, const int32_t* offsets, const uint16_t* indices, int n) noexcept nogil

cdef struct patterns_t:
    evaluator_t evaluator
    int n_instances
    int phases
    int most_men
    int n_weights                       # of a phase; the last one is 0, for the padding
    uint16_t* digits                    # [8][256][PATTERN_LANES]
    int32_t* offsets                    # [PATTERN_LANES], of each instance: where the weights of its kind begin
    int32_t* biases                     # [phases]
    int16_t* weights                    # [phases][n_weights]


cdef class Patterns(Evaluator):
    cdef patterns_t patterns
    cdef void* memory
