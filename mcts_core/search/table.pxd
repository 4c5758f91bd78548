"""The transposition table: entries found by key, made in an arena that is freed as a whole.

Pointers to the entries lie in one array of slots: a key's entry is in the slot that its hash points
at, or in the first free one after it. Entries begin at cache lines, so the lowest six bits of a
pointer are free and hold six more bits of the hash: this tag filters out most mismatches.

What an entry holds is in node.pxd. Entries and bodies never move while a search runs. An entry is
complete before it gets a slot. In the table that threads share, a slot is filled once and never
emptied (between batches the slots may be exchanged for more). So finding and adding need no lock.

The limit counts what entries take and SLOT_SHARE for each. It does not count free room in chunks and
slots, which depends on the clock: a search of one thread meets the limit at the same playout every
time. Slots are made ahead of need; they take a quarter of the limit at most.
"""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.atomics cimport load_pointer
from mcts_core.search.node cimport BLOCK_FORMS, block_t, layout_t, log_t, node_t

cdef enum:
    TAG_BITS = 6
    TAG = (1 << TAG_BITS) - 1           # the bits of a slot that are not its entry's address
    SLOT_SHARE = 16                     # bytes of the limit for each entry's slot and a free one beside it
    LOOSE = 5                           # eighths of the slots that are filled normally,
    DENSE = 7                           # and at most, where there is no time to make more

cdef struct chunk_t:                    # a piece of the arena; its memory follows it
    chunk_t* next
    int64_t size                        # bytes, these included

cdef struct cursor_t:                   # where a thread takes the memory for its next entry
    char* free
    char* end
    bint is_zero                        # all bytes from free to end are 0: a fresh chunk, not a spare one
    int64_t allowance                   # bytes of the limit that are this thread's already
    log_t* logs                         # AMAF_OF_MOVES: used up, to be used again
    char* records                       # AMAF_OF_CODES: where the next record of a playout goes (playout_log.pxd)
    char* records_end
    (block_t*)[BLOCK_FORMS] blocks      # outgrown, to be used again: a list for each form

cdef struct table_t:
    layout_t layout
    void** slots                        # NULL: free; else an entry's address and its tag
    uint64_t n_slots                    # a power of two,
    int slot_bits                       # of these bits
    int64_t n_nodes                     # the threads' own counts are added after each batch
    int64_t limit                       # bytes that may be used
    double deadline                     # when the search wants to end
    double growing                      # seconds that making slots took last
    char[64] apart                      # what all threads write lies in cache lines of its own
    int64_t used                        # bytes, the threads' allowances included
    int64_t held                        # bytes of chunks and slots
    int64_t full                        # the limit was met
    chunk_t* chunks
    char[64] apart_too


cdef inline int64_t room_in(uint64_t n_slots, int eighths) noexcept nogil:
    """How many entries the slots hold if `eighths` of them are filled."""
    return n_slots // 8 * eighths


cdef inline int64_t table_room(const table_t* table) noexcept nogil:
    """How many more entries the slots hold at normal density. Negative if they are denser."""
    return room_in(table.n_slots, LOOSE) - table.n_nodes


cdef inline bint table_takes(const table_t* table) noexcept nogil:
    """Whether there is a slot for another entry, if need be at the highest density."""
    return room_in(table.n_slots, DENSE) > table.n_nodes


cdef inline uint64_t hash_of(uint64_t key) noexcept nogil:
    """Spread the key's bits, because the keys of a game may be weak in some."""
    return key * <uint64_t> 0x9E3779B97F4A7C15


cdef inline uint64_t first_slot(const table_t* table, uint64_t hash) noexcept nogil:
    return hash >> (64 - table.slot_bits)


cdef inline size_t tag_of(const table_t* table, uint64_t hash) noexcept nogil:
    """The bits of the hash below those that choose the slot."""
    return (hash >> (64 - TAG_BITS - table.slot_bits)) & TAG


cdef inline node_t* entry_in(size_t slot) noexcept nogil:
    return <node_t*> (slot & ~<size_t> TAG)


cdef inline node_t* table_find(table_t* table, uint64_t key) noexcept nogil:
    cdef uint64_t hash = hash_of(key)
    cdef uint64_t s = first_slot(table, hash)
    cdef size_t slot = <size_t> load_pointer(&table.slots[s])
    while slot:
        if (slot & TAG) == tag_of(table, hash) and entry_in(slot).key == key:
            return entry_in(slot)
        s = (s + 1) & (table.n_slots - 1)
        slot = <size_t> load_pointer(&table.slots[s])
    return NULL


cdef int table_open(table_t* table, layout_t layout, int64_t limit) except -1
cdef void table_close(table_t* table) noexcept nogil
cdef void table_reserve(table_t* table, int64_t least, int64_t more) noexcept nogil
cdef int64_t table_slots(const table_t* table) noexcept nogil
cdef node_t* table_entry(const table_t* table, uint64_t slot) noexcept nogil
cdef node_t* table_node(table_t* table, cursor_t* cursor) noexcept nogil
cdef node_t* table_add(table_t* table, node_t* node) noexcept nogil
cdef void table_put(table_t* table, node_t* node) noexcept nogil
cdef void table_remove(table_t* table, uint64_t key) noexcept nogil
cdef void table_clear(table_t* table) noexcept nogil
cdef void table_forget_chunks(table_t* table) noexcept nogil
cdef log_t* table_log(table_t* table, cursor_t* cursor) noexcept nogil
cdef void* table_take(table_t* table, cursor_t* cursor, int64_t size) noexcept nogil
cdef int64_t body_size(const layout_t* layout, int n_moves) noexcept nogil
