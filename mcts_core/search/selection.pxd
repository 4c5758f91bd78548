"""Selection, step 1 of a simulation: the move that a walk takes in an entry.

The rule scores the moves. Minimax values and proof numbers adjust the scores, and the solver strikes out moves that
cannot improve on what is proven.
"""
from libc.math cimport INFINITY
from libc.stdint cimport uint32_t

from mcts_core.search.minimax_values cimport mix_values
from mcts_core.search.node cimport WIDTH, highs_of, layout_t, lows_of, node_t, room_of, turn_of, visits_of
from mcts_core.search.proof_numbers cimport add_bonus
from mcts_core.search.simulation cimport search_t
from mcts_core.search.walk cimport worker_t


cdef inline int choose(const search_t* search, worker_t* worker, node_t* node, node_t* reference,
                       bint shared) noexcept nogil:
    """Return the index of the move to visit: an untried one if the rule wants that, else the first of highest score."""
    cdef const layout_t* layout = &search.table.layout
    cdef uint32_t i = node.t
    if search.rule.untried_first and i < node.n_moves:
        if shared:
            i = (i + node.n_moves * worker.view.number // worker.view.threads) % node.n_moves
        if visits_of(layout, node)[i] == 0:
            return i
    search.rule.score(search.rule, layout, node, reference, worker.scores)
    if search.adjusts:
        adjust(search, node, worker.scores)
        if search.solver:
            strike_out(layout, node, worker.scores)
    return first_best(worker.scores, node.n_moves, room_of(node))


cdef inline void adjust(const search_t* search, const node_t* node, double* scores) noexcept nogil:
    """Adjust the scores of the rule by minimax values and proof numbers, where the search keeps them."""
    cdef const layout_t* layout = &search.table.layout
    if layout.has.values:
        mix_values(layout, node, search.knowledge.minimax, scores)
    if layout.has.proofs:
        add_bonus(layout, node, search.knowledge.proof, scores)


cdef inline void score_moves(const search_t* search, node_t* node, node_t* reference, double* scores) noexcept nogil:
    """Write the scores that decide on an entry's next visit. Moves that the solver strikes out have theirs too."""
    search.rule.score(search.rule, &search.table.layout, node, reference, scores)
    adjust(search, node, scores)


cdef inline void strike_out(const layout_t* layout, const node_t* node, double* scores) noexcept nogil:
    """Score moves that cannot improve on the entry's proven bounds as -INFINITY."""
    cdef const double* lows = lows_of(layout, node)
    cdef const double* highs = highs_of(layout, node)
    cdef double low = node.low, high = node.high
    cdef int i
    if turn_of(node) == 0:
        for i in range(room_of(node)):
            scores[i] = -INFINITY if highs[i] <= low else scores[i]
    else:
        for i in range(room_of(node)):
            scores[i] = -INFINITY if lows[i] >= high else scores[i]


cdef inline int first_best(double* scores, int n, int room) noexcept nogil:
    """Return the first index of the highest of n scores. `room` is n rounded up to whole vectors."""
    cdef double[WIDTH] tops
    cdef double top
    cdef int i, k, block
    for i in range(n, room):
        scores[i] = -INFINITY
    for k in range(WIDTH):
        tops[k] = scores[k]
    for block in range(1, room // WIDTH):
        i = block * WIDTH
        for k in range(WIDTH):
            tops[k] = scores[i + k] if scores[i + k] > tops[k] else tops[k]
    top = tops[0]
    for k in range(1, WIDTH):
        top = tops[k] if tops[k] > top else top
    i = 0
    while i < n - 1 and scores[i] != top:
        i += 1
    return i
