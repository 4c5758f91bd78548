"""The final choice among the moves of a position, by what a search knows of them."""
from mcts_core.rng cimport rng_t
from mcts_core.search.rows cimport row_t

cdef enum criterion_t:                  # the best move has the most / the best
    MOST_VISITS                         # playouts; of equals the better mean, AMAF's where there are no playouts
    BEST_MEAN
    BEST_RECENT_MEAN
    BEST_AMAF_MEAN

cdef struct merit_t:                    # compared field by field; the larger, the better
    bint is_candidate                   # not certainly worse than another
    double first
    double second

cdef void judge(criterion_t criterion, int turn, const row_t* rows, int n, merit_t* merits) noexcept nogil
cdef int best_of(const merit_t* merits, int n, rng_t* lots) noexcept nogil
cdef bint lead_is_sure(criterion_t criterion, int turn, const row_t* rows, int n, double error) noexcept nogil
cdef list ranked(const merit_t* merits, int n)
