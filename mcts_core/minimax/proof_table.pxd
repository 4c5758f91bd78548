"""The transposition table of proof-number search: proof numbers of positions, by key.

In a full bucket the entry with the least work is replaced. The table reserves its memory at the start and grows
within it by one bucket at a time (linear hashing): no step takes long, and a small game touches few pages. Bucket i
of the first `n_first` is split when bucket n_first + i is added; when all are split, `n_first` doubles.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from mcts_core.minimax.transposition cimport buckets_t, buckets_within, close_buckets, open_buckets
from mcts_core.search.table cimport hash_of

cdef enum:
    BUCKET = 4                          # entries
    FILL = 1                            # entries in a bucket on average before one is added; more: more are replaced
    FIRST_BUCKETS = 1 << 10             # of a new table

cdef extern from *:
    """
    #define PROOF_GOAL_BIT ((uint32_t)1 << 31)
    """
    const uint32_t GOAL_BIT "PROOF_GOAL_BIT"    # above every proof number

cdef struct proof_t:                    # an entry
    uint64_t key
    uint32_t proof                      # with GOAL_BIT if the goal is a draw
    uint32_t disproof
    uint64_t work                       # nodes spent below the position; 0: the entry is empty

cdef struct proofs_t:
    buckets_t memory                    # room for the most buckets
    uint64_t n_first                    # buckets when this round of splits began: a power of two
    uint64_t n_buckets                  # in use
    uint64_t n_entries
    uint32_t goal_bit                   # GOAL_BIT if the goal is a draw, else 0: each goal has its own entries


cdef inline bint open_proofs(proofs_t* table, int64_t memory) noexcept nogil:
    """Open an empty table. Returns False if there is no memory."""
    cdef int64_t bucket_size = BUCKET * sizeof(proof_t)
    if not open_buckets(&table.memory, buckets_within(memory, bucket_size), bucket_size):
        return False
    table.n_first = table.n_buckets = min(table.memory.n_buckets, <uint64_t> FIRST_BUCKETS)
    return True


cdef inline void close_proofs(proofs_t* table) noexcept nogil:
    close_buckets(&table.memory)


cdef inline int64_t proofs_bytes(const proofs_t* table) noexcept nogil:
    """Return the bytes of the buckets in use."""
    return <int64_t> table.n_buckets * table.memory.bucket_size


cdef inline proof_t* bucket_of(const proofs_t* table, uint64_t key) noexcept nogil:
    """Return the bucket of a key: by the hash modulo n_first, or modulo 2 * n_first if that bucket was split."""
    cdef uint64_t hash = hash_of(key), number
    hash ^= hash >> 32                          # the low bits of a product are weak
    number = hash & (2 * table.n_first - 1)
    if number >= table.n_buckets:
        number = hash & (table.n_first - 1)
    return <proof_t*> table.memory.entries + BUCKET * number


cdef inline proof_t* find(const proofs_t* table, uint64_t key) noexcept nogil:
    """Return the entry of a position for the present goal, or NULL."""
    cdef proof_t* bucket = bucket_of(table, key)
    cdef int i
    for i in range(BUCKET):
        if bucket[i].work and bucket[i].key == key and bucket[i].proof & GOAL_BIT == table.goal_bit:
            return &bucket[i]
    return NULL


cdef inline void keep(proofs_t* table, uint64_t key, uint32_t proof, uint32_t disproof, uint64_t work) noexcept nogil:
    """Store the numbers of a position after `work` more nodes."""
    cdef proof_t* bucket = bucket_of(table, key)
    cdef proof_t* entry = find(table, key)
    cdef int i
    if entry != NULL:
        work += entry.work
    else:
        entry = bucket
        for i in range(1, BUCKET):
            if bucket[i].work < entry.work:
                entry = &bucket[i]
    table.n_entries += entry.work == 0
    entry.key, entry.proof, entry.disproof, entry.work = key, proof | table.goal_bit, disproof, work
    while table.n_entries > table.n_buckets * FILL and table.n_buckets < table.memory.n_buckets:
        add_bucket(table)


cdef inline void add_bucket(proofs_t* table) noexcept nogil:
    """Split the next bucket: entries that hash to the new one move there."""
    cdef proof_t* bucket = <proof_t*> table.memory.entries + BUCKET * (table.n_buckets - table.n_first)
    cdef proof_t* added = <proof_t*> table.memory.entries + BUCKET * table.n_buckets
    cdef int i
    table.n_buckets += 1
    for i in range(BUCKET):
        if bucket[i].work and bucket_of(table, bucket[i].key) == added:
            added[i] = bucket[i]
            bucket[i].work = 0
    if table.n_buckets == 2 * table.n_first:
        table.n_first *= 2
