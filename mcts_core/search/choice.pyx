"""The final choice. The map is choice.pxd."""
from libc.math cimport INFINITY, sqrt

from mcts_core.game cimport MOVES_ROOM
from mcts_core.rng cimport below, rng_t
from mcts_core.search.rows cimport row_t
from mcts_core.search.select cimport variance_of_mean


cdef void find_merits(criterion_t criterion, int turn, const row_t* rows, int n, merit_t* merits) noexcept nogil:
    """Compute the merits of all moves; `turn` is the mover's."""
    cdef double least = -INFINITY, most = -INFINITY     # bounds on the position's value, the mover's
    cdef int i
    for i in range(n):
        least, most = max(least, low_of(&rows[i], turn)), max(most, high_of(&rows[i], turn))
    for i in range(n):
        if least == most:
            merits[i].is_candidate = low_of(&rows[i], turn) == least
        else:
            merits[i].is_candidate = high_of(&rows[i], turn) >= least
        merits[i].second = 0.0
        if criterion == MOST_VISITS:
            merits[i].first, merits[i].second = rows[i].visits, mean_or_amaf(&rows[i])
        else:
            merits[i].first = mean_of(criterion, &rows[i])


cdef double low_of(const row_t* row, int turn) noexcept nogil:
    """Return the lower bound as the mover sees it: the second player's has its sign changed."""
    return -row.high if turn else row.low


cdef double high_of(const row_t* row, int turn) noexcept nogil:
    return -row.low if turn else row.high


cdef double mean_or_amaf(const row_t* row) noexcept nogil:
    return mean_of(BEST_MEAN if row.visits else BEST_AMAF_MEAN, row)


cdef double mean_of(criterion_t criterion, const row_t* row) noexcept nogil:
    """Return the mean that a criterion compares; -INFINITY if there are no results."""
    cdef double wins, n
    evidence(criterion, row, &wins, &n)
    return wins / n if n else -INFINITY


cdef void evidence(criterion_t criterion, const row_t* row, double* wins, double* n) noexcept nogil:
    """Return the sum and the number of the results that a criterion's mean is made of."""
    if criterion == BEST_AMAF_MEAN:
        wins[0], n[0] = row.amaf_wins, row.amaf_visits
    elif criterion == BEST_RECENT_MEAN:
        wins[0], n[0] = row.recent_wins, row.recent_visits
    else:
        wins[0], n[0] = row.wins, row.visits


cdef bint is_better(const merit_t* one, const merit_t* other) noexcept nogil:
    if one.is_candidate != other.is_candidate:
        return one.is_candidate
    if one.first != other.first:
        return one.first > other.first
    return one.second > other.second


cdef bint is_equal(const merit_t* one, const merit_t* other) noexcept nogil:
    return not is_better(one, other) and not is_better(other, one)


cdef int best_of(const merit_t* merits, int n, rng_t* lots) noexcept nogil:
    """Return the index of the best move. Among equals one is drawn, or the first taken if `lots` is NULL."""
    cdef int i, best = 0, tied = 0, drawn
    for i in range(1, n):
        if is_better(&merits[i], &merits[best]):
            best = i
    if lots == NULL:
        return best
    for i in range(best, n):
        tied += is_equal(&merits[i], &merits[best])
    drawn = <int> below(lots, tied) if tied > 1 else 0
    for i in range(best, n):
        if is_equal(&merits[i], &merits[best]):
            if drawn == 0:
                return i
            drawn -= 1
    return best


cdef list ranked(const merit_t* merits, int n):
    """Return the indices of the moves, the best first; equals stay in legal order."""
    cdef int[MOVES_ROOM] order
    cdef int i, place
    for i in range(n):
        place = i
        while place > 0 and is_better(&merits[i], &merits[order[place - 1]]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
    return [order[i] for i in range(n)]


cdef bint lead_is_sure(criterion_t criterion, int turn, const row_t* rows, int n, double error) noexcept nogil:
    """Return whether the standard errors of the best move's mean and of its lead over the second are below `error`."""
    cdef merit_t[MOVES_ROOM] merits
    cdef double best_variance
    cdef int best, second = -1, i
    find_merits(criterion, turn, rows, n, merits)
    best = best_of(merits, n, NULL)
    for i in range(n):
        if i != best and (second < 0 or is_better(&merits[i], &merits[second])):
            second = i
    best_variance = variance(criterion, &rows[best])
    if sqrt(best_variance) >= error:
        return False
    return second < 0 or sqrt(best_variance + variance(criterion, &rows[second])) < error


cdef double variance(criterion_t criterion, const row_t* row) noexcept nogil:
    cdef double wins, n
    evidence(criterion, row, &wins, &n)
    return variance_of_mean(wins, n)
