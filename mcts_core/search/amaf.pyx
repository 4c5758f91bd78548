"""Logs of playouts, and what becomes of them. The map is amaf.pxd."""
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from mcts_core.search.table cimport (
    block_of, block_size, code_words, cursor_t, log_bits, log_t, node_t, table_log, table_t, table_take
)


cdef void write_log(table_t* table, cursor_t* cursor, node_t* node, const uint64_t* seen, double result) noexcept nogil:
    cdef log_t* entry = table_log(table, cursor)
    if entry != NULL:
        entry.result, entry.next = result, node.log
        memcpy(log_bits(entry), seen, code_words(table.n_codes) * sizeof(uint64_t))
        node.log = entry


cdef log_t* take_log(node_t* node) noexcept nogil:
    """Empty an entry's log; returned in the order in which it was written."""
    cdef log_t* oldest = NULL
    cdef log_t* entry
    while node.log != NULL:
        entry = node.log
        node.log = entry.next
        entry.next = oldest
        oldest = entry
    return oldest


cdef log_t* give_back(cursor_t* cursor, log_t* entry) noexcept nogil:
    """Keep the room of a playout that is counted for the next one; returns the one after it."""
    cdef log_t* following = entry.next
    entry.next = cursor.logs
    cursor.logs = entry
    return following


cdef void make_block(table_t* table, cursor_t* cursor, node_t* node) noexcept nogil:
    """GRAVE: turn an entry's log into its block."""
    node.extra = table_take(table, cursor, block_size(table))
    if node.extra != NULL:                      # else a full table: the entry above goes on serving
        count_log(table, cursor, take_log(node), node)


cdef void count_log(table_t* table, cursor_t* cursor, log_t* log, node_t* node) noexcept nogil:
    """Give these playouts to an entry: to its counters if there are any, else to its log."""
    cdef double* block = block_of(&table.layout, node)
    cdef log_t* following
    while log != NULL:
        if block != NULL:
            add_to_block(table, block, log_bits(log), log.result)
            log = give_back(cursor, log)
        elif table.layout.amaf and node.body != NULL:
            add_amaf_moves(table, node, log)
            log = give_back(cursor, log)
        else:
            following = log.next
            log.next = node.log
            node.log = log
            log = following
