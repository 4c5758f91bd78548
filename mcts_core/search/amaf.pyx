"""Counting a walk in the AMAF statistics of its path. The map is amaf.pxd."""
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from mcts_core.game cimport MOVES_ROOM
from mcts_core.search.amaf_block cimport block_new, block_read, read_one_by_one
from mcts_core.search.node cimport AMAF_OF_MOVES, BLOCK_8, block_t
from mcts_core.search.playout_log cimport next_log, read_record
from mcts_core.search.table cimport table_log, table_take


# Every entry of the path counts the codes that were played from it to the end of the game, each once.
# The set of codes grows from the end of the path upwards.

cdef void count_moves(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil:
    """AMAF_OF_MOVES: count a walk in the columns of each entry of its path."""
    count_path(table, &worker.cursor, walk, NULL)


cdef void count_codes(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil:
    """AMAF_OF_CODES: count a walk in the block of each entry of its path, or in its log."""
    count_path_in_blocks(table, worker, walk, NULL)


cdef void write_log(table_t* table, cursor_t* cursor, node_t* node, const uint64_t* seen, double result) noexcept nogil:
    """AMAF_OF_MOVES: log a playout."""
    cdef log_t* log = table_log(table, cursor)
    if log != NULL:
        log.result, log.next = result, node.amaf.log
        memcpy(log_bits(log), seen, code_words(table.layout.n_codes) * sizeof(uint64_t))
        node.amaf.log = log


cdef log_t* take_log(node_t* node) noexcept nogil:
    """Empty the log of an entry. Returns it in the order in which it was written; NULL if there is none."""
    cdef log_t* oldest = NULL
    cdef log_t* log
    while not node.has_block and node.amaf.log != NULL:
        log = node.amaf.log
        node.amaf.log = next_log(log)
        set_next_log(log, oldest)
        oldest = log
    return oldest


cdef void recycle(cursor_t* cursor, log_t* log) noexcept nogil:
    """AMAF_OF_MOVES: keep the memory of a playout that is counted for the next log."""
    log.next = cursor.logs
    cursor.logs = log


cdef void make_block(table_t* table, cursor_t* cursor, node_t* node) noexcept nogil:
    """Turn the log of an entry into a block. In a full table the log stays, and an entry above goes on serving."""
    cdef block_t* block = block_new(table, cursor, BLOCK_8)
    cdef log_t* log
    if block != NULL:
        log = take_log(node)
        node.amaf.block, node.has_block = block, True
        count_log(table, cursor, log, node)
        make_own_counters(table, cursor, node)


cdef double amaf_results(const layout_t* layout, const node_t* node, int i, double* visits) noexcept nogil:
    """Return the sum of a move's AMAF results as the mover sees them, and their number in `visits`."""
    cdef double wins = 0.0
    visits[0] = 0.0
    if layout.amaf == AMAF_OF_MOVES:
        visits[0] = amaf_visits_of(layout, node)[i]
        return amaf_wins_of(node)[i]
    if node.has_block:
        read_one_by_one(node.amaf.block, layout.n_codes, codes_of(layout, node) + i, 1, turn_of(node), visits, &wins)
    return wins


cdef void make_own_counters(table_t* table, cursor_t* cursor, node_t* node) noexcept nogil:
    """Fill the own counters of an entry from its block. Without memory for them the block is read."""
    cdef const layout_t* layout = &table.layout
    cdef block_t* block = node.amaf.block
    cdef double[MOVES_ROOM] visits
    cdef int i
    if block.n_own != node.n_moves:
        block.own = <double*> table_take(table, cursor, own_size(node))
        block.n_own = node.n_moves if block.own != NULL else 0
    if own_wins_of(node) != NULL:
        block_read(block, layout.n_codes, codes_of(layout, node), room_of(node), turn_of(node), visits, block.own)
        for i in range(node.n_moves):
            own_visits_of(node)[i] = <uint32_t> visits[i]


cdef void count_log(table_t* table, cursor_t* cursor, log_t* log, node_t* node) noexcept nogil:
    """Give playouts to an entry: to its counters if it has some, else to its log."""
    cdef uint64_t[MOST_WORDS] seen
    cdef double result
    cdef log_t* following
    while log != NULL:
        following = next_log(log)
        if node.has_block:
            result = read_record(log, code_words(table.layout.n_codes), seen)
            block_add(table, cursor, &node.amaf.block, seen, result)
        elif table.layout.amaf == AMAF_OF_MOVES and node.body != NULL:
            add_to_moves(&table.layout, node, log)
            recycle(cursor, log)
        else:
            set_next_log(log, node.amaf.log)
            node.amaf.log = log
        log = following
