"""Counting a walk in the AMAF statistics of its path. The map is amaf.pxd."""
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from mcts_core.search.node cimport AMAF_OF_MOVES, COPY, block_of, block_size
from mcts_core.search.table cimport table_log, table_take


# Every entry of the path counts the codes that were played from it to the end of the game, each once.
# The set of codes grows from the end of the path upwards.

cdef void count_moves(const rule_t* rule, table_t* table, cursor_t* cursor, walk_t* walk) noexcept nogil:
    """AMAF_OF_MOVES: count a walk in the columns of each entry of its path."""
    count_path(table, cursor, walk, NULL)


cdef void count_codes(const rule_t* rule, table_t* table, cursor_t* cursor, walk_t* walk) noexcept nogil:
    """AMAF_OF_CODES: count a walk in the block of each entry of its path, or in its log."""
    cdef int code, depth = walk.depth
    if walk.leaf != NULL and not walk.is_known:
        count_in_block(table, cursor, walk.leaf, walk.seen, walk.result)
    while depth:
        depth -= 1
        code = codes_of(&table.layout, walk.path[depth])[walk.chosen[depth]]
        walk.seen[code >> 6] |= <uint64_t> 1 << (code & 63)
        count_in_block(table, cursor, walk.path[depth], walk.seen, walk.result)


cdef void count_in_block(table_t* table, cursor_t* cursor, node_t* node, const uint64_t* seen,
                         double result) noexcept nogil:
    if node.has_block:
        add_to_block(&table.layout, block_of(node), seen, result)
        return
    write_log(table, cursor, node, seen, result)
    if node.t > table.layout.ref and node.kind != COPY:     # a COPY has part of the log only
        make_block(table, cursor, node)


cdef void write_log(table_t* table, cursor_t* cursor, node_t* node, const uint64_t* seen, double result) noexcept nogil:
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
        node.amaf.log = log.next
        log.next = oldest
        oldest = log
    return oldest


cdef log_t* recycle(cursor_t* cursor, log_t* log) noexcept nogil:
    """Keep the memory of a playout that is counted for the next log. Returns the playout after it."""
    cdef log_t* following = log.next
    log.next = cursor.logs
    cursor.logs = log
    return following


cdef void make_block(table_t* table, cursor_t* cursor, node_t* node) noexcept nogil:
    """Turn the log of an entry into a block. In a full table the log stays, and an entry above goes on serving."""
    cdef double* block = <double*> table_take(table, cursor, block_size(&table.layout))
    cdef log_t* log
    if block != NULL:
        log = take_log(node)
        node.amaf.block, node.has_block = block, True
        count_log(table, cursor, log, node)


cdef void count_log(table_t* table, cursor_t* cursor, log_t* log, node_t* node) noexcept nogil:
    """Give playouts to an entry: to its counters if it has some, else to its log."""
    cdef log_t* following
    while log != NULL:
        if node.has_block:
            add_to_block(&table.layout, block_of(node), log_bits(log), log.result)
            log = recycle(cursor, log)
        elif table.layout.amaf == AMAF_OF_MOVES and node.body != NULL:
            add_to_moves(&table.layout, node, log)
            log = recycle(cursor, log)
        else:
            following = log.next
            log.next = node.amaf.log
            node.amaf.log = log
            log = following
