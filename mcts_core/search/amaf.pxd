"""What one entry knows of AMAF: counters of its moves (RAVE), a block of all codes (GRAVE), or a log.

RAVE has counters for the moves of entries with a body, GRAVE a block of all codes for those that may
serve as a reference, made when t passes ref: a block takes kilobytes, and few entries get one. Until
then an entry keeps a log of its playouts.
"""
from libc.stdint cimport uint32_t, uint64_t

from mcts_core.base.bits cimport first_bit
from mcts_core.search.amaf_simd cimport hits_add, hits_load, hits_t
from mcts_core.search.table cimport (
    amaf_visits_of, amaf_wins_of, code_words, codes_of, cursor_t, layout_t, log_bits, log_t, node_t, room_of,
    table_t, turn_of
)


cdef inline double seen_by(int turn, double result) noexcept nogil:
    """A first player's result as the mover sees it: the one place where results turn round."""
    return 1.0 - result if turn else result


cdef inline void add_amaf_moves(const table_t* table, node_t* node, log_t* log) noexcept nogil:
    """RAVE: a logged playout, to the entry's own moves."""
    cdef const layout_t* layout = &table.layout
    cdef hits_t hits
    hits_load(&hits, log_bits(log), code_words(table.n_codes))
    hits_add(&hits, codes_of(layout, node), amaf_visits_of(layout, node), amaf_wins_of(node), room_of(node),
             seen_by(turn_of(node), log.result))


cdef inline void add_to_block(const table_t* table, double* block, const uint64_t* bits, double result) noexcept nogil:
    """GRAVE: all codes."""
    cdef uint32_t* n = <uint32_t*> (block + table.n_codes)
    cdef uint64_t rest
    cdef int word, code
    for word in range(code_words(table.n_codes)):
        rest = bits[word]
        while rest:
            code = 64 * word + first_bit(rest)
            rest &= rest - 1
            n[code] += 1
            block[code] += result


cdef void write_log(table_t* table, cursor_t* cursor, node_t* node, const uint64_t* seen, double result) noexcept nogil
cdef log_t* take_log(node_t* node) noexcept nogil
cdef log_t* give_back(cursor_t* cursor, log_t* entry) noexcept nogil
cdef void make_block(table_t* table, cursor_t* cursor, node_t* node) noexcept nogil
cdef void count_log(table_t* table, cursor_t* cursor, log_t* log, node_t* node) noexcept nogil
