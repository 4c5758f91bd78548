"""What the searches without a tree share: the moves of one position ("arms"), and playouts after each."""
from libc.stdint cimport int64_t

from mcts_core.game cimport any_state_t, move_t, trace_t
from mcts_core.rng cimport rng_t
from mcts_core.search.driver cimport Driver

cdef struct arm_t:                      # a move of the root; results are the mover's
    move_t move
    int code
    any_state_t after                   # the position it leads to
    bint is_over                        # the game is over there,
    double known                        # with this result
    rng_t rng                           # flat: the substream in use
    int64_t n                           # playouts
    double w                            # the sum of their results
    double squares                      # the sum of their squared results
    double recent_w                     # flat: as w and n, with weights that halve every half_life playouts of the arm
    double recent_n
    double recent_n2                    # the sum of the squared weights
    int64_t amaf_n                      # playouts in which its code occurred
    double amaf_w                       # the sum of their results


cdef class RootSearch(Driver):
    cdef const void* root_state         # kept alive by the position
    cdef int64_t breach                 # 1: a playout gave an invalid result
    cdef bint second_moves              # the second player is to move: 1 - result is the mover's
    cdef int n_arms
    cdef arm_t* arms

    cdef double seen_by_mover(self, double result) noexcept nogil
    cdef double arm_playout(self, arm_t* arm, rng_t* rng, trace_t* trace) noexcept nogil
    cdef int share_out(self, int64_t target, object pool, int threads) except -1
    cdef int end_batch(self) except -1
    cdef int refuse_breach(self) except -1
