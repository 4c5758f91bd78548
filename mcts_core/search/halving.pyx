"""Sequential halving: rounds of equal playouts for the moves still in, of which the better half stays.

Each round gets an equal share of the playouts that are left. One playout is kept for the last move, so
that it has the most visits, and the usual final choice takes it. Moves that a solver has struck out get
no more playouts. If that is all of the moves still in, the rule chooses among the others.

Karnin, Koren and Somekh 2013; with AMAF's mean in the comparison it is SHUSS (Fabiano and Cazenave 2021).
"""
from libc.stdint cimport int64_t

from mcts_core.game cimport MOVES_ROOM
from mcts_core.search.amaf cimport amaf_results
from mcts_core.search.node cimport highs_of, layout_t, lows_of, node_t, turn_of, visits_of, wins_of
from mcts_core.search.schedule cimport schedule_t


cdef class Halving:
    """The schedule of one search with a known number of playouts."""

    def __cinit__(self, int n_moves, int64_t playouts, double amaf):
        cdef halving_t* halving = &self.halving
        cdef int i
        if not 0 < n_moves <= MOVES_ROOM:
            raise ValueError(f"a position has 1 to {MOVES_ROOM} moves, not {n_moves}")
        halving.schedule.next = next_move
        halving.amaf, halving.left, halving.n = amaf, playouts - 1, n_moves
        for i in range(n_moves):
            halving.moves[i] = i
        begin_round(halving)


cdef int next_move(schedule_t* schedule, const layout_t* layout, const node_t* root) noexcept nogil:
    """Return the next of the moves still in, in turn; -1 if all of them are struck out."""
    cdef halving_t* halving = <halving_t*> schedule
    cdef int i
    while any_is_open(halving, layout, root):
        if halving.n > 1 and halving.given == halving.n * halving.each:
            keep_better_half(halving, layout, root)
            begin_round(halving)
        i = halving.moves[<int> (halving.given % halving.n)]
        halving.given += 1
        if is_open(layout, root, i):
            halving.left -= 1
            return i
    return -1


cdef bint any_is_open(const halving_t* halving, const layout_t* layout, const node_t* root) noexcept nogil:
    cdef int j
    for j in range(halving.n):
        if is_open(layout, root, halving.moves[j]):
            return True
    return False


cdef bint is_open(const layout_t* layout, const node_t* root, int i) noexcept nogil:
    """Return whether a move may still be better than what is certain."""
    if not layout.has.bounds:
        return True
    return highs_of(layout, root)[i] > root.low if turn_of(root) == 0 else lows_of(layout, root)[i] < root.high


cdef void begin_round(halving_t* halving) noexcept nogil:
    cdef int64_t share
    halving.given = 0
    if halving.n > 1:
        share = halving.left // rounds_for(halving.n)
        halving.each = max(<int64_t> 1, share // halving.n)


cdef int rounds_for(int n) noexcept nogil:
    """Return how many rounds leave one of n moves."""
    cdef int rounds = 0
    while 1 << rounds < n:
        rounds += 1
    return rounds


cdef void keep_better_half(halving_t* halving, const layout_t* layout, const node_t* root) noexcept nogil:
    """Sort the moves still in, the best first, and drop the worse half. Equal moves stay in order."""
    cdef double[MOVES_ROOM] merits
    cdef double merit
    cdef int j, place, i
    for j in range(halving.n):
        i, place = halving.moves[j], j
        merit = merit_of(halving, layout, root, i)
        while place > 0 and merits[place - 1] < merit:
            halving.moves[place], merits[place] = halving.moves[place - 1], merits[place - 1]
            place -= 1
        halving.moves[place], merits[place] = i, merit
    halving.n = (halving.n + 1) // 2


cdef double merit_of(const halving_t* halving, const layout_t* layout, const node_t* root, int i) noexcept nogil:
    """Return a move's mean, and with `amaf` also `amaf * A / n`, where A is its AMAF mean and n its visits.

    -1 if the solver has struck it out.
    """
    cdef double n = visits_of(layout, root)[i], mean, amaf_n, amaf_w
    if not is_open(layout, root, i):
        return -1.0
    mean = wins_of(root)[i] / n
    if halving.amaf == 0.0:
        return mean
    amaf_w = amaf_results(layout, root, i, &amaf_n)
    return mean + halving.amaf * (amaf_w / amaf_n if amaf_n > 0.0 else 0.0) / n
