"""The transposition table of the alpha-beta search.

An entry holds the whole position, so positions are never confused. A bucket has two entries. A new position takes
the first, and the position there moves to the second; but a deeper search of the same iteration keeps the first, and
the new position takes the second. A bound is used only at exactly its depth, the best move at any depth.
"""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.minimax.transposition cimport bucket_of_board, buckets_t

cdef enum:
    AT_LEAST = 1                        # the bits of `bound`
    AT_MOST = 2
    EXACT = 3
    NO_SQUARE = 255                     # no best move is known
    BUCKET = 2                          # entries

cdef struct entry_t:
    uint64_t own                        # own and enemy 0: empty
    uint64_t enemy
    double value
    uint8_t depth
    uint8_t turn                        # part of the position: a Python evaluation may depend on it
    uint8_t bound
    uint8_t square                      # of the best move
    uint8_t iteration                   # the one that wrote the entry

cdef struct transpositions_t:
    buckets_t buckets
    uint8_t iteration                   # the one under way


cdef inline entry_t* first_entry(const transpositions_t* table, uint64_t own, uint64_t enemy) noexcept nogil:
    """Return the bucket of a position."""
    return <entry_t*> table.buckets.entries + BUCKET * bucket_of_board(&table.buckets, own, enemy)


cdef inline bint holds(const entry_t* entry, uint64_t own, uint64_t enemy, int turn) noexcept nogil:
    return entry.own == own and entry.enemy == enemy and entry.turn == turn


cdef inline entry_t* find(const transpositions_t* table, uint64_t own, uint64_t enemy, int turn) noexcept nogil:
    """Return the entry of a position, or NULL."""
    cdef entry_t* entry = first_entry(table, own, enemy)
    if holds(entry, own, enemy, turn):
        return entry
    entry += 1
    if holds(entry, own, enemy, turn):
        return entry
    return NULL


cdef inline void keep(const transpositions_t* table, uint64_t own, uint64_t enemy, int turn, int depth,
                      int bound, double value, int square) noexcept nogil:
    """Store what a search found. The head of this file says which entry it replaces."""
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


cdef inline void keep_bucket(buckets_t* table, const void* bucket) noexcept nogil:
    """Store the entries of a bucket of another table, as entries of an earlier iteration."""
    cdef transpositions_t to = transpositions_t(table[0], 0)
    cdef const entry_t* entry
    cdef int i
    for i in range(BUCKET):
        entry = <const entry_t*> bucket + i
        if entry.own | entry.enemy:
            keep(&to, entry.own, entry.enemy, entry.turn, entry.depth, entry.bound, entry.value, entry.square)
