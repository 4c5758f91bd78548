"""The transposition table of the alpha-beta search.

An entry holds the whole position, so no two positions are taken for one another. A bucket has two entries: the
first keeps the deeper search, the second always takes what is new. A bound answers only a search of exactly its
own depth; the best move helps to order the moves at any depth.
"""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.minimax.transposition cimport bucket_of_board, buckets_t

cdef enum:
    AT_LEAST = 1                        # the bits of `bound`
    AT_MOST = 2
    EXACT = 3
    NO_SQUARE = 255                     # as best move: none is known
    BUCKET = 2                          # entries

cdef struct entry_t:
    uint64_t own                        # both 0: empty
    uint64_t enemy
    double value
    uint8_t depth
    uint8_t turn                        # part of the position: a Python evaluation may depend on it
    uint8_t bound
    uint8_t square                      # of the best move
    uint8_t iteration                   # that wrote the entry

cdef struct transpositions_t:
    buckets_t buckets
    uint8_t iteration                   # under way


cdef inline entry_t* first_entry(const transpositions_t* table, uint64_t own, uint64_t enemy) noexcept nogil:
    """The bucket of a position."""
    return <entry_t*> table.buckets.entries + BUCKET * bucket_of_board(&table.buckets, own, enemy)


cdef inline bint holds(const entry_t* entry, uint64_t own, uint64_t enemy, int turn) noexcept nogil:
    return entry.own == own and entry.enemy == enemy and entry.turn == turn


cdef inline entry_t* find(const transpositions_t* table, uint64_t own, uint64_t enemy, int turn) noexcept nogil:
    """The entry of the position, or NULL."""
    cdef entry_t* entry = first_entry(table, own, enemy)
    if holds(entry, own, enemy, turn):
        return entry
    entry += 1
    if holds(entry, own, enemy, turn):
        return entry
    return NULL


cdef inline void keep(transpositions_t* table, uint64_t own, uint64_t enemy, int turn, int depth,
                      int bound, double value, int square) noexcept nogil:
    """Store what a search found; see the top of this file for the entry that gives way."""
    cdef entry_t* entry = first_entry(table, own, enemy)
    if not holds(entry, own, enemy, turn):
        if holds(&entry[1], own, enemy, turn):
            entry += 1
        elif entry.iteration == table.iteration and entry.depth > depth:
            entry += 1
        else:
            entry[1] = entry[0]
    entry.own, entry.enemy, entry.turn = own, enemy, turn
    entry.depth, entry.bound, entry.value = depth, bound, value
    entry.square, entry.iteration = square, table.iteration


cdef inline void keep_all(transpositions_t* table, const transpositions_t* old) noexcept nogil:
    """Store what another table holds, as entries of an earlier iteration."""
    cdef const entry_t* entry
    cdef uint64_t i
    table.iteration = 0
    for i in range(BUCKET * old.buckets.n_buckets):
        entry = <const entry_t*> old.buckets.entries + i
        if entry.own | entry.enemy:
            keep(table, entry.own, entry.enemy, entry.turn, entry.depth, entry.bound, entry.value, entry.square)
