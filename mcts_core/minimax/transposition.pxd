"""The memory of a transposition table: buckets of a few entries each, found by a hash.

Each search decides what an entry holds, which entries a bucket keeps and when the table grows: see
`alphabeta_table.pxd`, `othello_table.pxd`, `endgame_table.pxd` and `proof_table.pxd`. The memory comes in zeroed
pages, so an empty entry is all zeros, and pages without entries take no memory.
"""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.aligned_memory cimport free_pages, take_pages
from mcts_core.base.engine cimport is_called, stop_t

cdef enum:
    MOVED_AT_ONCE = 1 << 12             # buckets of a growing table that move between two looks at `stop`; under 1 ms

cdef struct buckets_t:
    void* entries                       # NULL: not open
    uint64_t n_buckets                  # a power of two
    int64_t bucket_size                 # bytes

# Stores the entries of a bucket of another table.
ctypedef void (*keep_bucket_t)(buckets_t* table, const void* bucket) noexcept nogil


cdef inline uint64_t buckets_within(int64_t memory, int64_t bucket_size) noexcept nogil:
    """Return the largest power of two of buckets that fit into this many bytes, at least 1."""
    cdef uint64_t n_buckets = 1
    while <int64_t> n_buckets <= memory // bucket_size // 2:
        n_buckets *= 2
    return n_buckets


cdef inline int64_t buckets_bytes(const buckets_t* table) noexcept nogil:
    return <int64_t> table.n_buckets * table.bucket_size


cdef inline bint open_buckets(buckets_t* table, uint64_t n_buckets, int64_t bucket_size) noexcept nogil:
    """Open an empty table. Returns False if there is no memory."""
    table.n_buckets, table.bucket_size = n_buckets, bucket_size
    table.entries = take_pages(buckets_bytes(table))
    return table.entries != NULL


cdef inline void close_buckets(buckets_t* table) noexcept nogil:
    """Free the memory, if the table is open."""
    if table.entries != NULL:
        free_pages(table.entries, buckets_bytes(table))
    table.entries = NULL


cdef inline bint grow_buckets(buckets_t* table, uint64_t n_buckets, keep_bucket_t keep_bucket,
                              const stop_t* stop) noexcept nogil:
    """Move all entries to more buckets. No other thread may use the table.

    Returns False, with the table as it was, if there is no memory or `stop` is called meanwhile.
    """
    cdef buckets_t larger
    cdef uint64_t i
    if not open_buckets(&larger, n_buckets, table.bucket_size):
        return False
    for i in range(table.n_buckets):
        if i % MOVED_AT_ONCE == 0 and is_called(stop):
            close_buckets(&larger)
            return False
        keep_bucket(&larger, <const char*> table.entries + i * table.bucket_size)
    close_buckets(table)
    table[0] = larger
    return True


cdef inline uint64_t bucket_of_board(const buckets_t* table, uint64_t own, uint64_t enemy) noexcept nogil:
    """Return the number of the bucket of a position given as two bitboards."""
    cdef uint64_t mixed = (own * <uint64_t> 0x9E3779B97F4A7C15) ^ ((enemy ^ own >> 29) * <uint64_t> 0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ mixed >> 32) * <uint64_t> 0x9E3779B97F4A7C15
    return mixed >> 32 & table.n_buckets - 1
