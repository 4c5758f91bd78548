"""The transposition table of the endgame solver: bounds on exact scores. Threads share it, without locks.

An entry holds the whole position, so positions are never confused. Its three words are written one by one, and the
position is stored xor a mix of what is known of it: if two threads write one entry at once, the words do not fit
together, and the entry is not found.

A bucket has two entries. A new position takes the first, and the position there moves to the second; but a position
with more empty squares keeps the first, and the new one takes the second.

    certainty 8 | empty squares 8 | best move's square 8 | high 8 | low 8      bits of `known`, the highest first
"""
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t

from mcts_core.base.aligned_memory cimport prefetch_line
from mcts_core.base.atomics cimport load, store
from mcts_core.minimax.transposition cimport bucket_of_board, buckets_t

cdef enum:
    NO_SQUARE = 255                     # no best move is known
    WORST = -127                        # below every score
    BUCKET = 2                          # entries
    CERTAIN = 2                         # certainty of exact searches; that of selective passes is lower

cdef struct entry_t:
    int64_t own                         # xor `mixed(known)`
    int64_t enemy                       # the same; own and enemy 0: empty
    int64_t known

cdef struct bounds_t:                   # what is known of a position
    int low                             # bounds on the score
    int high
    int square                          # of the best move
    int empties                         # empty squares
    int certainty                       # of the bounds


cdef inline uint64_t mixed(uint64_t known) noexcept nogil:
    return known * <uint64_t> 0x9E3779B97F4A7C15


cdef inline uint64_t packed(const bounds_t* bounds) noexcept nogil:
    return (<uint64_t> bounds.certainty << 32 | <uint64_t> bounds.empties << 24 | <uint64_t> bounds.square << 16
            | <uint64_t> (bounds.high & 0xFF) << 8 | <uint64_t> (bounds.low & 0xFF))


cdef inline void unpack(bounds_t* bounds, uint64_t known) noexcept nogil:
    bounds.low, bounds.high = <int8_t> known, <int8_t> (known >> 8)
    bounds.square, bounds.empties = <uint8_t> (known >> 16), <uint8_t> (known >> 24)
    bounds.certainty = <int> (known >> 32)


cdef inline entry_t* first_entry(const buckets_t* table, uint64_t own, uint64_t enemy) noexcept nogil:
    """Return the bucket of a position."""
    return <entry_t*> table.entries + BUCKET * bucket_of_board(table, own, enemy)


cdef inline void prefetch_bucket(const buckets_t* table, uint64_t own, uint64_t enemy) noexcept nogil:
    prefetch_line(first_entry(table, own, enemy))


cdef inline bint holds(entry_t* entry, uint64_t own, uint64_t enemy, bounds_t* found) noexcept nogil:
    """Return whether this is the entry of a position, and what it says."""
    cdef uint64_t known = <uint64_t> load(&entry.known)
    if (<uint64_t> load(&entry.own) ^ mixed(known)) != own or (<uint64_t> load(&entry.enemy) ^ mixed(known)) != enemy:
        return False
    unpack(found, known)
    return True


cdef inline bint find(const buckets_t* table, uint64_t own, uint64_t enemy, bounds_t* found) noexcept nogil:
    """Return whether there is an entry of a position, and what it says."""
    cdef entry_t* entry = first_entry(table, own, enemy)
    return holds(entry, own, enemy, found) or holds(entry + 1, own, enemy, found)


cdef inline void copy_entry(entry_t* to, entry_t* entry) noexcept nogil:
    store(&to.own, load(&entry.own))
    store(&to.enemy, load(&entry.enemy))
    store(&to.known, load(&entry.known))


cdef inline entry_t* entry_for(const buckets_t* table, uint64_t own, uint64_t enemy, int n_empty,
                               bounds_t* known) noexcept nogil:
    """Return the entry that a position has or gets, and what is known of it."""
    cdef entry_t* entry = first_entry(table, own, enemy)
    if holds(entry, own, enemy, known):
        return entry
    unpack(known, <uint64_t> load(&entry.known))
    if known.empties > n_empty or holds(entry + 1, own, enemy, known):
        entry += 1
    else:
        copy_entry(entry + 1, entry)
    if not holds(entry, own, enemy, known):
        known.low, known.high, known.square = WORST, -WORST, NO_SQUARE
        known.empties, known.certainty = n_empty, 0
    return entry


cdef inline void write_entry(entry_t* entry, uint64_t own, uint64_t enemy, const bounds_t* bounds) noexcept nogil:
    cdef uint64_t known = packed(bounds)
    store(&entry.own, <int64_t> (own ^ mixed(known)))
    store(&entry.enemy, <int64_t> (enemy ^ mixed(known)))
    store(&entry.known, <int64_t> known)


cdef inline void keep(const buckets_t* table, uint64_t own, uint64_t enemy, int n_empty, int alpha, int beta,
                      int score, int square, int certainty) noexcept nogil:
    """Store the score of a search between alpha and beta, as bounds of the position.

    Bounds of less certainty are forgotten.
    """
    cdef bounds_t known
    cdef entry_t* entry = entry_for(table, own, enemy, n_empty, &known)
    if known.certainty > certainty:
        return
    if known.certainty < certainty:
        known.low, known.high, known.certainty = WORST, -WORST, certainty
    if score > alpha:
        known.low, known.square = score, square
    if score < beta:
        known.high = score
    if known.square == NO_SQUARE:
        known.square = square
    write_entry(entry, own, enemy, &known)


cdef inline void keep_bucket(buckets_t* table, const void* bucket) noexcept nogil:
    """Store the entries of a bucket of another table."""
    cdef const entry_t* entry
    cdef bounds_t known, fresh
    cdef uint64_t own, enemy
    cdef int i
    for i in range(BUCKET):
        entry = <const entry_t*> bucket + i
        own, enemy = <uint64_t> entry.own ^ mixed(entry.known), <uint64_t> entry.enemy ^ mixed(entry.known)
        if own | enemy:
            unpack(&known, entry.known)
            write_entry(entry_for(table, own, enemy, known.empties, &fresh), own, enemy, &known)
