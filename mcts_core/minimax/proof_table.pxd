"""The transposition table of proof-number search: proof numbers of positions, by key. Threads share it without locks.

An entry is two words: what is known of a position, and the position's key xor a mix of that word. If two threads
write the same entry at once, the words do not fit together, and the entry is not found. The mix is there because the
key of a small board is a plain number: without it, the words of two writers could fit a neighbouring position.

    proof 24 | disproof 24 | work 15 | goal 1           bits of the first word, the highest first

In a full bucket the entry with the least work is replaced. The table reserves its memory at the start and grows
within it by one bucket at a time (linear hashing): no step takes long, and a small game touches few pages. Bucket i
of the first `n_first` is split when bucket n_first + i is added; when all are split, `n_first` doubles. One thread
calls `grow`. Others may miss an entry that moves meanwhile, or write to the old bucket, where it is not found again:
an entry can get lost, but none is found for a wrong position.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from mcts_core.base.aligned_memory cimport prefetch_line
from mcts_core.base.atomics cimport load, store
from mcts_core.base.bits cimport last_bit
from mcts_core.minimax.transposition cimport buckets_t, buckets_within, close_buckets, open_buckets
from mcts_core.search.table cimport hash_of

cdef enum:
    BUCKET = 4                          # entries
    FILL = 1                            # entries in a bucket on average before one is added; more: more are replaced
    FIRST_BUCKETS = 1 << 10             # of a new table

cdef struct entry_t:                    # 16 bytes, so that a bucket is one cache line
    int64_t data                        # 0: empty
    int64_t check                       # the key xor `mixed(data)`

cdef struct proof_t:                    # an entry, unpacked
    uint32_t proof
    uint32_t disproof
    uint32_t work                       # nodes spent below the position, as by `rounded`; at least 1

cdef enum:
    SETTLED = (1 << 24) - 1             # above every proof number that can still change

cdef struct proofs_t:
    buckets_t memory                    # room for the most buckets
    int64_t n_first                     # buckets when this round of splits began: a power of two
    int64_t n_buckets                   # in use
    int64_t n_entries                   # until all buckets are in use
    uint32_t goal                       # the present goal, 0 or 1: each goal has its own entries


cdef inline bint open_proofs(proofs_t* table, int64_t memory) noexcept nogil:
    """Open an empty table. Returns False if there is no memory."""
    cdef int64_t bucket_size = BUCKET * sizeof(entry_t)
    table.n_first = table.n_buckets = buckets_within(min(memory, FIRST_BUCKETS * bucket_size), bucket_size)
    return open_buckets(&table.memory, max(table.n_buckets, memory // bucket_size), bucket_size)


cdef inline void close_proofs(proofs_t* table) noexcept nogil:
    close_buckets(&table.memory)


cdef inline int64_t proofs_bytes(const proofs_t* table) noexcept nogil:
    """Return the bytes of the buckets in use."""
    return table.n_buckets * table.memory.bucket_size


cdef inline entry_t* bucket_of(proofs_t* table, uint64_t key) noexcept nogil:
    """Return the bucket of a key: by the hash modulo n_first, or modulo 2 * n_first if that bucket was split."""
    cdef uint64_t hash = hash_of(key), n_first = <uint64_t> load(&table.n_first), number
    hash ^= hash >> 32                          # the low bits of a product are weak
    number = hash & (2 * n_first - 1)
    if number >= <uint64_t> load(&table.n_buckets):
        number = hash & (n_first - 1)
    return <entry_t*> table.memory.entries + BUCKET * number


cdef inline uint32_t rounded(uint64_t work) noexcept nogil:
    """Return a number of nodes, at least 1 and below 2^41, in 15 bits: ten bits of it, and how often it is halved."""
    cdef int halved = max(0, last_bit(work) - 9)
    return halved << 10 | work >> halved


cdef inline uint64_t nodes_of(uint32_t work) noexcept nogil:
    """Return the number of nodes that `rounded` has turned into this."""
    return <uint64_t> (work & 1023) << (work >> 10)


cdef inline uint64_t mixed(uint64_t data) noexcept nogil:
    """Return a number in which all bits depend on the data, and which no other data has."""
    data *= <uint64_t> 0x9E3779B97F4A7C15
    return data ^ data >> 32


cdef inline uint64_t pack_entry(const proof_t* known, uint32_t goal) noexcept nogil:
    return <uint64_t> known.proof << 40 | <uint64_t> known.disproof << 16 | <uint64_t> known.work << 1 | goal


cdef inline uint32_t work_in(uint64_t data) noexcept nogil:
    return data >> 1 & 0x7FFF


cdef inline void unpack_entry(uint64_t data, proof_t* known) noexcept nogil:
    known.proof, known.disproof, known.work = data >> 40, data >> 16 & SETTLED, work_in(data)


cdef inline bint is_of(entry_t* entry, uint64_t data, uint64_t key, uint32_t goal) noexcept nogil:
    """Return whether an entry, whose first word was read, is a position's for a goal."""
    return data != 0 and (data & 1) == goal and (<uint64_t> load(&entry.check) ^ mixed(data)) == key


cdef inline bint find(proofs_t* table, uint64_t key, proof_t* known) noexcept nogil:
    """Return whether there is an entry of a position for the present goal, and what it says."""
    cdef entry_t* bucket = bucket_of(table, key)
    cdef uint64_t data
    cdef int i
    for i in range(BUCKET):
        data = <uint64_t> load(&bucket[i].data)
        if is_of(&bucket[i], data, key, table.goal):
            unpack_entry(data, known)
            return True
    return False


cdef inline void prefetch(proofs_t* table, uint64_t key) noexcept nogil:
    """Load the bucket of a key, so that `find` does not wait for it later."""
    prefetch_line(bucket_of(table, key))


cdef inline bint keep(proofs_t* table, uint64_t key, uint32_t proof, uint32_t disproof, uint64_t work) noexcept nogil:
    """Store the numbers of a position after `work` more nodes. Returns whether this takes an empty entry.

    What another thread has settled meanwhile stays.
    """
    cdef entry_t* bucket = bucket_of(table, key)
    cdef entry_t* chosen = bucket
    cdef uint64_t data, replaced = 0
    cdef proof_t known
    cdef uint32_t least = 0xFFFFFFFF
    cdef int i
    for i in range(BUCKET):
        data = <uint64_t> load(&bucket[i].data)
        if is_of(&bucket[i], data, key, table.goal):
            unpack_entry(data, &known)
            if proof and disproof and not (known.proof and known.disproof):
                return False
            chosen, replaced, work = &bucket[i], data, work + nodes_of(known.work)
            break
        if work_in(data) < least:
            chosen, replaced, least = &bucket[i], data, work_in(data)
    known.proof, known.disproof, known.work = proof, disproof, rounded(work)
    write(chosen, key, pack_entry(&known, table.goal))
    return replaced == 0


cdef inline void write(entry_t* entry, uint64_t key, uint64_t data) noexcept nogil:
    store(&entry.data, <int64_t> data)
    store(&entry.check, <int64_t> (key ^ mixed(data)))


cdef inline void grow(proofs_t* table, int64_t n_new) noexcept nogil:
    """Add buckets for this many more entries."""
    cdef int64_t most = <int64_t> table.memory.n_buckets
    table.n_entries += n_new
    while table.n_entries > table.n_buckets * FILL and table.n_buckets < most:
        add_bucket(table)


cdef inline void add_bucket(proofs_t* table) noexcept nogil:
    """Split the next bucket: entries that hash to the new one move there."""
    cdef entry_t* bucket = <entry_t*> table.memory.entries + BUCKET * (table.n_buckets - table.n_first)
    cdef entry_t* added = <entry_t*> table.memory.entries + BUCKET * table.n_buckets
    cdef uint64_t data, key
    cdef int i
    store(&table.n_buckets, table.n_buckets + 1)
    for i in range(BUCKET):
        data = <uint64_t> load(&bucket[i].data)
        key = <uint64_t> load(&bucket[i].check) ^ mixed(data)
        if data != 0 and bucket_of(table, key) == added:
            write(&added[i], key, data)
            store(&bucket[i].data, 0)
    if table.n_buckets == 2 * table.n_first:
        store(&table.n_first, table.n_buckets)
