"""AMAF statistics of entries: columns of their moves, blocks of all codes, and logs until there are counters.

AMAF_OF_MOVES: an entry with a body counts the playouts in which each of its moves occurred.
AMAF_OF_CODES: an entry with more than `ref` visits has a block with counters of all codes of the game.
A block takes kilobytes, and few entries get one.

Until an entry has counters, it keeps a log of its playouts:

    log  ── body made (of moves), or t > ref (of codes) ──>  counters
"""
from libc.stdint cimport uint32_t, uint64_t

from mcts_core.base.bits cimport first_bit
from mcts_core.game cimport code_words
from mcts_core.rule cimport rule_t
from mcts_core.search.amaf_simd cimport (
    amaf_simd_add, amaf_simd_load, amaf_simd_mark, amaf_simd_plan, amaf_simd_t
)
from mcts_core.search.node cimport (
    amaf_visits_of, amaf_wins_of, codes_of, layout_t, log_bits, log_t, node_t, phase_of,
    room_of, turn_of, visits_of, wins_of
)
from mcts_core.search.table cimport cursor_t, table_t
from mcts_core.search.walk cimport walk_t


cdef inline double seen_by(int turn, double result) noexcept nogil:
    """Return the first player's result as the mover sees it."""
    return 1.0 - result if turn else result


cdef inline void add_to_moves(const layout_t* layout, node_t* node, log_t* log) noexcept nogil:
    """Count a logged playout in the columns of an entry."""
    cdef amaf_simd_t played
    amaf_simd_load(&played, log_bits(log), code_words(layout.n_codes))
    amaf_simd_add(&played, codes_of(layout, node), amaf_visits_of(layout, node), amaf_wins_of(node), room_of(node),
                  seen_by(turn_of(node), log.result))


cdef inline void add_to_block(const layout_t* layout, double* block, const uint64_t* bits,
                              double result) noexcept nogil:
    """Count a playout in a block."""
    cdef uint32_t* n = <uint32_t*> (block + layout.n_codes)
    cdef uint64_t rest
    cdef int word, code
    for word in range(code_words(layout.n_codes)):
        rest = bits[word]
        while rest:
            code = 64 * word + first_bit(rest)
            rest &= rest - 1
            n[code] += 1
            block[code] += result


cdef inline void count_leaf(table_t* table, cursor_t* cursor, const walk_t* walk,
                            const amaf_simd_t* played) noexcept nogil:
    """AMAF_OF_MOVES: count a walk in the entry that its playout started from."""
    cdef node_t* leaf = walk.leaf
    if leaf == NULL or walk.is_known:
        return
    if leaf.body == NULL:
        write_log(table, cursor, leaf, walk.seen, walk.result)
    else:                                       # a later walk of the same flight made the body
        amaf_simd_add(played, codes_of(&table.layout, leaf), amaf_visits_of(&table.layout, leaf), amaf_wins_of(leaf),
                      room_of(leaf), seen_by(turn_of(leaf), walk.result))


cdef inline void count_path(table_t* table, cursor_t* cursor, walk_t* walk, const double* bias) noexcept nogil:
    """AMAF_OF_MOVES: count a walk in the columns of each entry of its path.

    With `bias`, one for each phase, also plan each entry's next move by RAVE's value while its counters are in
    registers. If that is the move just made, it leads to the entry just left: the next walk need not look for it.
    `bias` is a constant at each call.
    """
    cdef const layout_t* layout = &table.layout
    cdef node_t* node
    cdef node_t* below = walk.leaf
    cdef amaf_simd_t played
    cdef double result
    cdef int depth = walk.depth
    amaf_simd_load(&played, walk.seen, code_words(layout.n_codes))
    count_leaf(table, cursor, walk, &played)
    while depth:
        depth -= 1
        node, result = walk.path[depth], seen_by(turn_of(walk.path[depth]), walk.result)
        amaf_simd_mark(&played, codes_of(layout, node)[walk.chosen[depth]])
        if bias == NULL:
            amaf_simd_add(&played, codes_of(layout, node), amaf_visits_of(layout, node), amaf_wins_of(node),
                          room_of(node), result)
            continue
        node.planned = 1 + amaf_simd_plan(
            &played, codes_of(layout, node), amaf_visits_of(layout, node), amaf_wins_of(node), visits_of(layout, node),
            wins_of(node), node.n_moves, result, bias[phase_of(node)])
        node.planned_node = below if node.planned == 1 + walk.chosen[depth] else NULL
        below = node


cdef void count_moves(const rule_t* rule, table_t* table, cursor_t* cursor, walk_t* walk) noexcept nogil
cdef void count_codes(const rule_t* rule, table_t* table, cursor_t* cursor, walk_t* walk) noexcept nogil
cdef void write_log(table_t* table, cursor_t* cursor, node_t* node, const uint64_t* seen, double result) noexcept nogil
cdef log_t* take_log(node_t* node) noexcept nogil
cdef void make_block(table_t* table, cursor_t* cursor, node_t* node) noexcept nogil
cdef void count_log(table_t* table, cursor_t* cursor, log_t* log, node_t* node) noexcept nogil
