"""The score of a small network: its arrays, and the function for an `evaluator_t`."""
from libc.stdint cimport int16_t, int32_t, uint64_t

from mcts_core.evaluator cimport evaluator_t
from mcts_core.game cimport game_t

cdef extern from "mcts_core/evaluation/net.h":
    int NET_BLOCK
    int32_t net_block(const int16_t* inputs, int stride, const int16_t* biases, const int16_t* weights,
                      uint64_t own, uint64_t enemy) noexcept nogil

cdef enum:
    INPUTS = 128                        # two boards of 64 squares

cdef struct net_t:
    evaluator_t evaluator
    int hidden
    int heads
    int most_men
    int16_t* inputs                     # [INPUTS][hidden]
    int16_t* biases                     # [hidden]
    int16_t* weights                    # [heads][hidden]
    int32_t* head_biases                # [heads]


cdef int score(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil
