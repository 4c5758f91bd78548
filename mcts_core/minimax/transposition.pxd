"""The memory of a transposition table: buckets of a few entries each, found by a hash.

Each search decides what an entry holds, which entries a bucket keeps and how the table grows: see
`othello_table.pxd`, `endgame_table.pxd` and `proof_table.pxd`. The memory comes in zeroed pages, so an empty
entry is all zeros, and pages without entries take no memory.
"""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.aligned_memory cimport free_pages, take_pages

cdef struct buckets_t:
    void* entries                       # NULL: not open
    uint64_t n_buckets                  # a power of two
    int64_t bucket_size                 # bytes


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


cdef inline uint64_t bucket_of_board(const buckets_t* table, uint64_t own, uint64_t enemy) noexcept nogil:
    """Return the number of the bucket of a position given as two bitboards."""
    cdef uint64_t mixed = (own * <uint64_t> 0x9E3779B97F4A7C15) ^ ((enemy ^ own >> 29) * <uint64_t> 0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ mixed >> 32) * <uint64_t> 0x9E3779B97F4A7C15
    return mixed >> 32 & table.n_buckets - 1
