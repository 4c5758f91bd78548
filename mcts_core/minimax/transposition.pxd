"""The transposition table of the alpha-beta search.

An entry holds the whole position, so no two positions are ever taken for one another. Two entries
share a bucket: the first keeps the deeper search, the second always takes what is new. A bound
answers only a search of exactly its own depth; the best move serves at any depth.
"""
from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    AT_LEAST = 1                        # the bits of `bound`
    AT_MOST = 2
    EXACT = 3
    NO_SQUARE = 255                     # as best move

cdef struct entry_t:
    uint64_t own                        # both 0: empty
    uint64_t enemy
    double value
    uint8_t depth
    uint8_t turn                        # a Python function may judge it by this
    uint8_t bound
    uint8_t square                      # of the best move
    uint8_t iteration                   # that wrote it

cdef struct transpositions_t:
    entry_t* entries
    uint64_t n_buckets                  # a power of two
    uint8_t iteration


cdef inline entry_t* bucket_of(const transpositions_t* table, uint64_t own, uint64_t enemy) noexcept nogil:
    cdef uint64_t mixed = (own * <uint64_t> 0x9E3779B97F4A7C15) ^ ((enemy ^ own >> 29) * <uint64_t> 0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ mixed >> 32) * <uint64_t> 0x9E3779B97F4A7C15
    return &table.entries[2 * (mixed >> 32 & table.n_buckets - 1)]


cdef inline entry_t* find(const transpositions_t* table, uint64_t own, uint64_t enemy, int turn) noexcept nogil:
    """The entry of the position, or NULL."""
    cdef entry_t* entry = bucket_of(table, own, enemy)
    if entry.own == own and entry.enemy == enemy and entry.turn == turn:
        return entry
    entry += 1
    if entry.own == own and entry.enemy == enemy and entry.turn == turn:
        return entry
    return NULL


cdef inline void keep(transpositions_t* table, uint64_t own, uint64_t enemy, int turn, int depth,
                      int bound, double value, int square) noexcept nogil:
    cdef entry_t* entry = bucket_of(table, own, enemy)
    if not (entry.own == own and entry.enemy == enemy and entry.turn == turn):
        if entry[1].own == own and entry[1].enemy == enemy and entry[1].turn == turn:
            entry += 1
        elif entry.iteration == table.iteration and entry.depth > depth:
            entry += 1
        else:
            entry[1] = entry[0]
    entry.own, entry.enemy, entry.turn = own, enemy, turn
    entry.depth, entry.bound, entry.value = depth, bound, value
    entry.square, entry.iteration = square, table.iteration
