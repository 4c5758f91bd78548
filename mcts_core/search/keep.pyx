"""Copying what can be reached from a new root by visited moves into a fresh table.

The path is kept on the heap, because a game may be long and a thread's stack small.
"""
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from mcts_core.base.atomics cimport load, store
from mcts_core.base.stack cimport stack_close, stack_open, stack_pop, stack_push, stack_t, stack_top
from mcts_core.game cimport any_state_t, code_words, copy_state, drop_state, game_t
from mcts_core.search.amaf cimport make_own_counters
from mcts_core.search.amaf_block cimport block_copy
from mcts_core.search.node cimport (
    AMAF_OF_CODES, block_t, codes_of, layout_t, log_bits, log_t, moves_of, node_t, turn_of, visits_of
)
from mcts_core.search.playout_log cimport copy_link, next_log, put_back, set_next_log
from mcts_core.search.table cimport (
    body_size, cursor_t, table_add, table_entry, table_find, table_log, table_node, table_reserve, table_take
)

cdef struct kept_t:                     # a position on the path, below which entries are being copied
    any_state_t state
    node_t* node                        # the copy of its entry
    int next                            # index of the move to follow next


cdef bint keep_below(table_t* old, search_t* search, worker_t* worker, const void* state, bint checks) noexcept nogil:
    """Copy the entry of a position, and those below it, into the table of `search`. Returns False without memory.

    With `checks`, entries whose moves are not those of their position are a breach, and copying ends.
    """
    cdef stack_t way
    cdef bint had_memory
    cdef any_state_t after
    stack_open(&way, sizeof(kept_t))
    copy_state(search.game, &after, state)
    had_memory = keep_entry(old, search, worker, &way, &after, checks)
    while way.depth and had_memory and not load(&search.breach):
        if next_kept(search, <kept_t*> stack_top(&way), &after):
            had_memory = keep_entry(old, search, worker, &way, &after, checks)
        else:
            drop_kept(search, &way)
    while way.depth:
        drop_kept(search, &way)
    stack_close(&way)
    return had_memory


cdef void drop_kept(search_t* search, stack_t* way) noexcept nogil:
    drop_state(search.game, &(<kept_t*> stack_top(way)).state)
    stack_pop(way)


cdef bint next_kept(search_t* search, kept_t* here, any_state_t* after) noexcept nogil:
    """Compute the position after the next visited move. Returns False if there is none left."""
    cdef const layout_t* layout = &search.table.layout
    cdef int i
    while here.next < here.node.n_moves:
        i = here.next
        here.next += 1
        if visits_of(layout, here.node)[i] > <uint32_t> layout.has.prior:
            copy_state(search.game, after, &here.state)
            search.game.play(search.game, after, moves_of(layout, here.node)[i])
            return True
    return False


cdef bint keep_entry(table_t* old, search_t* search, worker_t* worker, stack_t* way, any_state_t* state,
                     bint checks) noexcept nogil:
    """Copy the entry of a position, unless it is unknown or copied already, and add it to the path. Takes the state.

    Returns False if there is no memory for the path.
    """
    cdef node_t* node = copy_entry(old, search, worker, search.game.key(search.game, state))
    cdef kept_t* here
    if node != NULL and checks and not belongs(search, worker, node, state):
        store(&search.breach, 1)
        node = NULL
    if node == NULL or node.body == NULL:
        drop_state(search.game, state)
        return True
    here = <kept_t*> stack_push(way)
    if here == NULL:
        drop_state(search.game, state)
        return False
    here.state, here.node, here.next = state[0], node, 0
    return True


cdef bint belongs(const search_t* search, worker_t* worker, const node_t* node, const void* state) noexcept nogil:
    """Return whether an entry has the moves of a position, with their codes, and its side to move."""
    cdef const layout_t* layout = &search.table.layout
    cdef const game_t* game = search.game
    cdef int i
    if turn_of(node) != game.turn(game, state):
        return False
    if node.body == NULL:
        return True
    if game.moves(game, state, worker.moves) != node.n_moves:
        return False
    for i in range(node.n_moves):
        if moves_of(layout, node)[i] != worker.moves[i]:
            return False
        if layout.codes and codes_of(layout, node)[i] != game.code(game, state, worker.moves[i]):
            return False
    return True


cdef node_t* copy_entry(table_t* old, search_t* search, worker_t* worker, uint64_t key) noexcept nogil:
    """Copy an entry. Returns NULL if it is unknown, was copied before, or there is no memory."""
    cdef const layout_t* layout = &search.table.layout
    cdef node_t* known = table_find(old, key)
    cdef node_t* node
    if known == NULL or table_find(&search.table, key) != NULL:
        return NULL
    table_reserve(&search.table, 1, 1)
    node = table_node(&search.table, &worker.cursor)
    if node == NULL:
        return NULL
    node[0] = known[0]
    node.body, node.planned, node.has_block, node.amaf.log = NULL, 0, False, NULL
    if known.body != NULL:
        node.body = <double*> table_take(&search.table, &worker.cursor, body_size(layout, known.n_moves))
        if node.body == NULL:
            node.t = 0                          # no memory: the entry starts from zero
        else:
            memcpy(node.body, known.body, body_size(layout, known.n_moves))
    keep_amaf(search, worker, known, node)
    search.table.n_nodes += 1
    table_add(&search.table, node)
    return node


cdef void keep_amaf(search_t* search, worker_t* worker, node_t* known, node_t* node) noexcept nogil:
    """Copy the block or the log of an entry."""
    cdef block_t* block = NULL
    if not known.has_block:
        copy_log(search, worker, known.amaf.log, node)
    elif node.body != NULL and block_copy(&search.table, &worker.cursor, &block, known.amaf.block):
        node.amaf.block, node.has_block = block, True
        make_own_counters(&search.table, &worker.cursor, node)


cdef void copy_log(search_t* search, worker_t* worker, log_t* log, node_t* node) noexcept nogil:
    """Give an entry a copy of a log, as much of it as there is memory for."""
    cdef log_t* last = NULL
    cdef log_t* copied
    while log != NULL:
        if search.table.layout.amaf == AMAF_OF_CODES:
            copied = copy_link(&search.table, &worker.cursor, log)
        else:
            copied = copy_whole_log(&search.table, &worker.cursor, log)
        if copied == NULL:
            return
        if last == NULL:
            node.amaf.log = copied
        else:
            set_next_log(last, copied)
        last, log = copied, next_log(log)


cdef log_t* copy_whole_log(table_t* table, cursor_t* cursor, log_t* log) noexcept nogil:
    cdef log_t* copied = table_log(table, cursor)
    if copied != NULL:
        copied.result, copied.next = log.result, NULL
        memcpy(log_bits(copied), log_bits(log), code_words(table.layout.n_codes) * sizeof(uint64_t))
    return copied


cdef void put_back_logs(table_t* table) noexcept nogil:
    """Undo what copying has left in the logs of a table. The copies must still be there."""
    cdef uint64_t s
    cdef node_t* node
    cdef log_t* log
    if table.layout.amaf != AMAF_OF_CODES:
        return
    for s in range(table.n_slots):
        node = table_entry(table, s)
        log = node.amaf.log if node != NULL and not node.has_block else NULL
        while log != NULL:
            put_back(log)
            log = next_log(log)
