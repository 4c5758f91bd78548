"""The score of patterns: their arrays, and the function for an `evaluator_t`."""
from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t

from mcts_core.evaluator cimport evaluator_t
from mcts_core.game cimport game_t

cdef extern from "mcts_core/evaluation/pattern_score.h":
    int PATTERN_LANES
    void pattern_indices(const uint16_t* digits, uint64_t own, uint64_t enemy, uint16_t* indices) noexcept nogil
    int pattern_sum(const int16_t* weights, const int32_t* offsets, const uint16_t* indices, int n) noexcept nogil

cdef struct patterns_t:
    evaluator_t evaluator
    int n_instances
    int phases
    int most_men
    int n_weights                       # of a phase
    int row                             # from a phase's weights to the next: n_weights, and a 0 for the padding
    uint16_t* digits                    # [8][256][PATTERN_LANES]
    int32_t* offsets                    # [PATTERN_LANES], of each instance: where the weights of its kind begin
    int32_t* biases                     # [phases]
    int16_t* weights                    # [phases][row]; after the biases, because gathers read 2 bytes before


cdef int score(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil
cdef void list_indices(const patterns_t* p, const uint64_t* own, const uint64_t* enemy, int n,
                       int32_t* phases, int32_t* indices) noexcept nogil
