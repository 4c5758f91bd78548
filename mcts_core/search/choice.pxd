"""The final choice among the moves of a position, from their rows."""
from mcts_core.rng cimport rng_t
from mcts_core.search.rows cimport row_t

cdef enum criterion_t:                  # what makes a move the best
    MOST_VISITS                         # if equal, the better mean; moves without playouts go by their AMAF mean
    BEST_MEAN
    BEST_RECENT_MEAN
    BEST_AMAF_MEAN

cdef struct merit_t:                    # compared field by field; larger is better
    bint is_candidate                   # not proven worse than another move
    double first
    double second

cdef void find_merits(criterion_t criterion, int turn, const row_t* rows, int n, merit_t* merits) noexcept nogil
cdef int best_of(const merit_t* merits, int n, rng_t* lots) noexcept nogil
cdef bint lead_is_sure(criterion_t criterion, int turn, const row_t* rows, int n, double error) noexcept nogil
cdef list ranked(const merit_t* merits, int n)
