"""AMAF statistics of entries: columns of their moves, blocks of all codes, and logs until there are counters.

AMAF_OF_MOVES: an entry with a body counts the playouts in which each of its moves occurred.
AMAF_OF_CODES: an entry with more than `ref` visits has a block with counters of all codes of the game.
A block takes kilobytes, and few entries get one. Entries below read it. The entry itself reads its own
counters, those of its own moves side by side: they are counted, read and planned from as with AMAF_OF_MOVES.

Until an entry has counters, it keeps a log of its playouts:

    log  ── body made (of moves), or t > ref (of codes) ──>  counters

AMAF_OF_MOVES logs a playout in each entry, AMAF_OF_CODES once for several entries (playout_log.pxd).
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from mcts_core.base.aligned_memory cimport prefetch_line
from mcts_core.game cimport code_words
from mcts_core.rule cimport rule_t
from mcts_core.search.amaf_block cimport block_add
from mcts_core.search.amaf_simd cimport (
    amaf_simd_add, amaf_simd_load, amaf_simd_mark, amaf_simd_plan, amaf_simd_t
)
from mcts_core.search.node cimport (
    BLOCK_EXACT, COPY, amaf_visits_of, amaf_wins_of, codes_of, layout_t, log_bits, log_t, node_t, phase_of,
    room_of, turn_of, visits_of, wins_of
)
from mcts_core.search.playout_log cimport log_writer_t, note_code, open_record, set_next_log, take_link
from mcts_core.search.table cimport cursor_t, table_t
from mcts_core.search.walk cimport walk_t, worker_t

cdef enum:
    MOST_WORDS = 1 << 10                # of a set of codes: AMAF takes games of up to 2^16 codes


cdef inline double seen_by(int turn, double result) noexcept nogil:
    """Return the first player's result as the mover sees it."""
    return 1.0 - result if turn else result


# AMAF_OF_MOVES

cdef inline void add_to_moves(const layout_t* layout, node_t* node, log_t* log) noexcept nogil:
    """Count a logged playout in the columns of an entry."""
    cdef amaf_simd_t played
    amaf_simd_load(&played, log_bits(log), code_words(layout.n_codes))
    amaf_simd_add(&played, codes_of(layout, node), amaf_visits_of(layout, node), amaf_wins_of(node), room_of(node),
                  seen_by(turn_of(node), log.result))


cdef inline void count_leaf(table_t* table, cursor_t* cursor, const walk_t* walk,
                            const amaf_simd_t* played) noexcept nogil:
    """Count a walk in the entry that its playout started from."""
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


# AMAF_OF_CODES

cdef inline double* own_wins_of(const node_t* node) noexcept nogil:
    """Return the wins in the own counters of an entry with a block, as the mover sees them.

    NULL: they must be read in the block.
    Only sums of halves are the same whichever player they are summed for. BLOCK_EXACT has other results.
    """
    return node.amaf.block.own if node.amaf.block.form != BLOCK_EXACT else NULL

cdef inline uint32_t* own_visits_of(const node_t* node) noexcept nogil:
    """Return the visits in the own counters, which lie behind the wins."""
    return <uint32_t*> (node.amaf.block.own + room_of(node))


cdef inline int64_t own_size(const node_t* node) noexcept nogil:
    """Return the bytes of the own counters."""
    return room_of(node) * <int64_t> (sizeof(double) + sizeof(uint32_t))


cdef inline void prefetch_own_counters(const node_t* node) noexcept nogil:
    """Prefetch them in an entry with a block, because they lie apart from its body."""
    cdef const char* own = <const char*> node.amaf.block.own
    cdef int64_t i
    for i in range(0, own_size(node), 64):
        prefetch_line(own + i)


cdef inline void mark_code(amaf_simd_t* played, uint64_t* seen, int code) noexcept nogil:
    """Add the code of a move on the path, for blocks and for own counters."""
    seen[code >> 6] |= <uint64_t> 1 << (code & 63)
    amaf_simd_mark(played, code)


cdef inline int entries_to_log(const walk_t* walk, int depth) noexcept nogil:
    """Return the number of entries without a block, in a row on the path: the one at this depth and those above it."""
    cdef int n = 1
    while depth and not walk.path[depth - 1].has_block:
        depth -= 1
        n += 1
    return n


cdef inline void log_codes(table_t* table, cursor_t* cursor, node_t* node, const walk_t* walk, int depth,
                           log_writer_t* writer) noexcept nogil:
    """Log a walk in the entry at this depth, in the record that the entry below has, or in a new one."""
    cdef log_t* log
    if writer.left:
        note_code(writer, codes_of(&table.layout, node)[walk.chosen[depth]])
    else:
        open_record(writer, table, cursor, walk.seen, walk.result, entries_to_log(walk, depth))
    if writer.left:
        log = take_link(writer)
        set_next_log(log, node.amaf.log)
        node.amaf.log = log


cdef inline bint count_in_block(table_t* table, worker_t* worker, node_t* node, const walk_t* walk, int depth,
                                log_writer_t* writer) noexcept nogil:
    """Count a walk in the block of the entry at this depth, or log it. Returns whether its own counters must follow."""
    if not node.has_block:
        log_codes(table, &worker.cursor, node, walk, depth, writer)
        if node.t > table.layout.ref and node.kind != COPY:     # a COPY has part of the log only
            make_block(table, &worker.cursor, node)
        return False
    if node.kind == COPY:
        return (block_add(&worker.view.table, &worker.view.cursor, &node.amaf.block, walk.seen, walk.result)
                and own_wins_of(node) != NULL)
    return (block_add(table, &worker.cursor, &node.amaf.block, walk.seen, walk.result)
            and own_wins_of(node) != NULL)


cdef inline void count_in_own(const layout_t* layout, const amaf_simd_t* played, node_t* node,
                              const walk_t* walk) noexcept nogil:
    """Count a walk in the own counters of an entry."""
    amaf_simd_add(played, codes_of(layout, node), own_visits_of(node), own_wins_of(node), room_of(node),
                  seen_by(turn_of(node), walk.result))


cdef inline void count_leaf_in_block(table_t* table, worker_t* worker, const walk_t* walk, const amaf_simd_t* played,
                                     log_writer_t* writer) noexcept nogil:
    """Count a walk in the entry that its playout started from. Without a block there, the record begins here."""
    cdef node_t* leaf = walk.leaf
    writer.left = 0
    if leaf != NULL and not walk.is_known and count_in_block(table, worker, leaf, walk, walk.depth, writer):
        count_in_own(&table.layout, played, leaf, walk)


cdef inline void count_path_in_blocks(table_t* table, worker_t* worker, walk_t* walk,
                                      const double* bias) noexcept nogil:
    """AMAF_OF_CODES: count a walk in the block of each entry of its path, or in its log.

    With `bias`, also plan the next move of each entry that is its own reference, as `count_path` does.
    """
    cdef const layout_t* layout = &table.layout
    cdef node_t* node
    cdef node_t* below = walk.leaf
    cdef amaf_simd_t played
    cdef log_writer_t writer
    cdef int depth = walk.depth
    amaf_simd_load(&played, walk.seen, code_words(layout.n_codes))
    count_leaf_in_block(table, worker, walk, &played, &writer)
    while depth:
        depth -= 1
        node = walk.path[depth]
        mark_code(&played, walk.seen, codes_of(layout, node)[walk.chosen[depth]])
        if count_in_block(table, worker, node, walk, depth, &writer):
            if bias == NULL or node.t <= layout.ref:    # a root that was just planted: the entry above may serve it
                count_in_own(layout, &played, node, walk)
            else:
                node.planned = 1 + amaf_simd_plan(
                    &played, codes_of(layout, node), own_visits_of(node), own_wins_of(node), visits_of(layout, node),
                    wins_of(node), node.n_moves, seen_by(turn_of(node), walk.result), bias[0])
                node.planned_node = below if node.planned == 1 + walk.chosen[depth] else NULL
        below = node


cdef void count_moves(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil
cdef void count_codes(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil
cdef void write_log(table_t* table, cursor_t* cursor, node_t* node, const uint64_t* seen, double result) noexcept nogil
cdef log_t* take_log(node_t* node) noexcept nogil
cdef void make_block(table_t* table, cursor_t* cursor, node_t* node) noexcept nogil
cdef double amaf_results(const layout_t* layout, const node_t* node, int i, double* visits) noexcept nogil
cdef void make_own_counters(table_t* table, cursor_t* cursor, node_t* node) noexcept nogil
cdef void count_log(table_t* table, cursor_t* cursor, log_t* log, node_t* node) noexcept nogil
