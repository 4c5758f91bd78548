"""Expansion, the end of a walk: the entry of a new position, and the body of an entry.

A body comes later than its entry, when a walk first goes on from there, because most entries never get one.
"""
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from mcts_core.base.atomics cimport store, store_pointer
from mcts_core.game cimport game_t, has_failed, move_t
from mcts_core.search.amaf cimport count_log, seen_by, take_log
from mcts_core.search.knowledge cimport expect, quiet_t
from mcts_core.search.minimax_values cimport UNKNOWN
from mcts_core.search.node cimport (
    AMAF_OF_MOVES, codes_of, highs_of, layout_t, moves_of, node_t, priors_of, proofs_of, turn_of, values_of, visits_of,
    wins_of
)
from mcts_core.search.simulation cimport search_t
from mcts_core.search.table cimport body_size, table_node, table_put, table_take, table_takes
from mcts_core.search.thread_view cimport add_own
from mcts_core.search.walk cimport worker_t


cdef inline node_t* add_entry(search_t* search, worker_t* worker, const void* state, uint64_t key,
                              bint shared) noexcept nogil:
    """Make the entry of a position. Returns NULL if there is no memory, or the game has failed."""
    cdef node_t* node = NULL
    cdef double progress
    if not shared or table_takes(&worker.view.table):
        node = table_node(&search.table, &worker.cursor)
    if node == NULL:
        return NULL
    node.key = key
    node.high = 1.0
    node.side = search.game.turn(search.game, state) & 1
    if search.rule.n_phases > 1:
        progress = max(0.0, search.game.progress(search.game, state))
        node.side |= min(<int> (progress * search.rule.n_phases), search.rule.n_phases - 1) << 1    # the phase
    if has_failed(search.game):
        return NULL
    if shared:
        add_own(worker.view, node)
        return node
    worker.added += 1
    table_put(&search.table, node)
    return node


cdef inline bint give_body(search_t* search, worker_t* worker, node_t* node, const void* state) noexcept nogil:
    """Make sure that an entry has a body. Returns False if it gets none: no memory, or a faulty game."""
    cdef node_t made
    cdef int n
    if node.body != NULL:
        return True
    n = search.game.moves(search.game, state, worker.moves)
    if has_failed(search.game):
        return False
    if not 0 < n <= search.game.max_moves:      # 0: a finished position has the key of this entry
        store(&search.breach, 1)
        return False
    made.n_moves = n
    made.body = <double*> table_take(&search.table, &worker.cursor, body_size(&search.table.layout, made.n_moves))
    if made.body == NULL:
        return False
    made.side = node.side
    if not fill_body(search.game, &search.table.layout, worker.quiet, &made, worker.moves, state):
        store(&search.breach, 1)
        return False
    if has_failed(search.game):
        return False
    node.n_moves = made.n_moves
    store_pointer(<void**> &node.body, made.body)       # other threads test it for NULL
    if search.table.layout.amaf == AMAF_OF_MOVES:
        count_log(&search.table, &worker.cursor, take_log(node), node)
    return True


cdef inline bint fill_body(const game_t* game, const layout_t* layout, quiet_t* quiet, node_t* node,
                           const move_t* moves, const void* state) noexcept nogil:
    """Write the moves of an entry into a body of zeros. Returns False if the game breaks its contract."""
    cdef int i, code
    memcpy(moves_of(layout, node), moves, node.n_moves * sizeof(move_t))
    if layout.codes:
        for i in range(node.n_moves):
            code = game.code(game, state, moves[i])
            if not 0 <= code < game.n_codes:
                return False
            codes_of(layout, node)[i] = code
    for i in range(node.n_moves):
        if layout.has.bounds:
            highs_of(layout, node)[i] = 1.0
        if layout.has.values:
            values_of(layout, node)[i] = UNKNOWN
        if layout.has.proofs:
            proofs_of(layout, node, 0)[i] = proofs_of(layout, node, 1)[i] = 1.0
    if layout.has.prior:
        fill_priors(layout, quiet, node, state)
        return not quiet.breach
    return True


cdef inline void fill_priors(const layout_t* layout, quiet_t* quiet, node_t* node, const void* state) noexcept nogil:
    """Let each move begin with visits of the result that an evaluation expects of it."""
    cdef double* priors = priors_of(layout, node)
    cdef int i
    expect(quiet, state, moves_of(layout, node), node.n_moves, priors)
    for i in range(node.n_moves):
        visits_of(layout, node)[i] = layout.has.prior
        wins_of(node)[i] = layout.has.prior * priors[i]
        if layout.has.values:
            values_of(layout, node)[i] = seen_by(turn_of(node), priors[i])
