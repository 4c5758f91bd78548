"""The transposition table of alpha-beta: shared by threads, without locks.

An entry is two words: what is known of a position, and the position's key xor that word. If two threads write the
same entry at once, the words do not fit together, and the entry is not found. A bucket of four entries fills a
cache line. A new position replaces the entry of the lowest rank: depth, and 8 less for each search that has begun
since it was written.

    move 32 | score 16 | depth 8 | bound 2 | age 6      bits of the first word, the highest first

Scores of proven results are stored as seen from the entry's position, not from the root.
"""
from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t

from mcts_core.base.aligned_memory cimport prefetch_line
from mcts_core.base.atomics cimport load, store
from mcts_core.game cimport move_t
from mcts_core.minimax.transposition cimport buckets_t

cdef enum:
    AT_LEAST = 1                        # bounds
    AT_MOST = 2
    EXACT = 3
    BUCKET = 4                          # entries
    AGES = 64

cdef extern from *:
    """
    #define ALPHABETA_NO_MOVE 0xFFFFFFFFu
    """
    const move_t NO_MOVE "ALPHABETA_NO_MOVE"

cdef struct entry_t:
    int64_t data                        # 0: empty
    int64_t check                       # the key xor data

cdef struct found_t:                    # an entry, unpacked
    move_t move                         # the best one known; NO_MOVE: none
    int score
    int depth
    int bound


cdef inline entry_t* bucket_of(const buckets_t* table, uint64_t key) noexcept nogil:
    cdef uint64_t hash = key * <uint64_t> 0x9E3779B97F4A7C15
    return <entry_t*> table.entries + BUCKET * (hash >> 32 & table.n_buckets - 1)


cdef inline void prefetch_bucket(const buckets_t* table, uint64_t key) noexcept nogil:
    prefetch_line(bucket_of(table, key))


cdef inline uint64_t pack_entry(move_t move, int score, int depth, int bound, int age) noexcept nogil:
    return (<uint64_t> move << 32 | <uint64_t> (score & 0xFFFF) << 16 | <uint64_t> depth << 8
            | <uint64_t> bound << 6 | <uint64_t> age)


cdef inline int depth_in(uint64_t data) noexcept nogil:
    return data >> 8 & 0xFF


cdef inline bint find(const buckets_t* table, uint64_t key, found_t* found) noexcept nogil:
    """Return whether there is an entry of a position, and what it says."""
    cdef entry_t* entry = bucket_of(table, key)
    cdef uint64_t data
    cdef int i
    for i in range(BUCKET):
        data = <uint64_t> load(&entry[i].data)
        if data != 0 and (<uint64_t> load(&entry[i].check) ^ data) == key:
            found.move = <move_t> (data >> 32)
            found.score = <int16_t> (data >> 16 & 0xFFFF)
            found.depth, found.bound = depth_in(data), data >> 6 & 3
            return True
    return False


cdef inline void keep(const buckets_t* table, uint64_t key, move_t move, int score, int depth, int bound,
                      int age) noexcept nogil:
    """Store what a search found. A bound that is 4 plies shallower does not replace an entry of the same search."""
    cdef entry_t* entry = bucket_of(table, key)
    cdef entry_t* chosen = entry
    cdef uint64_t data
    cdef int i, rank, lowest = 1 << 30
    for i in range(BUCKET):
        data = <uint64_t> load(&entry[i].data)
        if data != 0 and (<uint64_t> load(&entry[i].check) ^ data) == key:
            if bound != EXACT and depth + 3 < depth_in(data) and <int> (data & AGES - 1) == age:
                return
            if move == NO_MOVE:
                move = <move_t> (data >> 32)
            chosen = &entry[i]
            break
        rank = -1 if data == 0 else depth_in(data) + 8 * AGES - 8 * (<int> (age - <int> (data & AGES - 1)) & AGES - 1)
        if rank < lowest:
            lowest, chosen = rank, &entry[i]
    data = pack_entry(move, score, depth, bound, age)
    store(&chosen.data, <int64_t> data)
    store(&chosen.check, <int64_t> (key ^ data))


cdef inline void keep_bucket(buckets_t* table, const void* bucket) noexcept nogil:
    """Store the entries of a bucket of another table."""
    cdef const entry_t* entry
    cdef uint64_t data
    cdef int i
    for i in range(BUCKET):
        entry = <const entry_t*> bucket + i
        data = <uint64_t> entry.data
        if data != 0:
            keep(table, <uint64_t> entry.check ^ data, <move_t> (data >> 32), <int16_t> (data >> 16 & 0xFFFF),
                 depth_in(data), data >> 6 & 3, data & AGES - 1)
