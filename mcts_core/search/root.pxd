"""What the searches without a tree share: the moves of one position ("arms"), and playouts after each."""
from libc.stdint cimport int64_t

from mcts_core.game cimport any_state_t, move_t, trace_t
from mcts_core.rng cimport rng_t
from mcts_core.search.driver cimport Driver

cdef struct arm_t:                      # a move of the root; results are the mover's
    move_t move
    int code
    any_state_t after                   # the position it leads to
    bint is_over                        # which is finished
    double known                        # with this result
    rng_t rng                           # flat: the substream in use
    int64_t n                           # playouts
    double w                            # their results
    double squares
    double recent_w                     # flat: the same with weights that halve every half_life playouts
    double recent_n
    double recent_n2                    # sum of the squared weights
    int64_t amaf_n                      # playouts in which the move occurred at any time
    double amaf_w


cdef class RootSearch(Driver):
    cdef const void* root_state         # kept alive by the position
    cdef int64_t breach                 # a playout gave no result
    cdef bint second_moves              # the second player is to move: results turn round
    cdef int n_arms
    cdef arm_t* arms

    cdef double seen_by_mover(self, double result) noexcept nogil
    cdef double arm_playout(self, arm_t* arm, rng_t* rng, trace_t* trace) noexcept nogil
    cdef int share_out(self, int64_t target, object pool, int threads) except -1
    cdef int refuse_breach(self) except -1
