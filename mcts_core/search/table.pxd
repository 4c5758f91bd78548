"""The transposition table: entries found by key, made in an arena that is freed as a whole.

Pointers to the entries lie in one array of slots: a key's entry is in the slot that its hash points
at, or in the first free one after it. Entries begin at cache lines, so the lowest six bits of a
pointer are free and hold six more bits of the hash: this tag filters out most mismatches.

node.pxd describes an entry. Entries and bodies never move. An entry is complete before it gets a
slot. In the table that threads share, a slot is filled once and never emptied; only between batches
may more slots be made. So finding and adding need no lock.

The limit counts the bytes of entries and SLOT_SHARE for each, besides the first slots. It does not
count free room in chunks and slots, which depends on the clock: so a search with one thread meets
the limit at the same playout every time. Slots are made ahead of need, and take at most a quarter of
the limit more.
"""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.atomics cimport load_pointer
from mcts_core.base.engine cimport stop_t
from mcts_core.search.node cimport BLOCK_FORMS, block_t, layout_t, log_t, node_t

cdef enum:
    TAG_BITS = 6
    TAG = (1 << TAG_BITS) - 1           # the bits of a slot that are not its entry's address
    SLOT_SHARE = 16                     # bytes that an entry's slot counts against the limit: its own and a free one
    LOOSE = 5                           # eighths of the slots filled before more are made; higher: slower to find keys
    DENSE = 7                           # eighths filled at most, if the deadline leaves no time to make more

cdef struct chunk_t:                    # a piece of the arena; its memory follows it
    chunk_t* next
    int64_t size                        # bytes, these included

cdef struct cursor_t:                   # where a thread takes the memory for its next entry
    char* free
    char* end
    bint is_zero                        # all bytes from free to end are 0: the chunk is new, not a spare one
    int64_t allowance                   # bytes charged to `used` that this thread has not taken yet
    log_t* logs                         # free list of logs (AMAF_OF_MOVES)
    char* records                       # AMAF_OF_CODES: where the next record of a playout goes (playout_log.pxd)
    char* records_end
    (block_t*)[BLOCK_FORMS] blocks      # free lists of outgrown blocks, one for each form

cdef struct table_t:
    layout_t layout
    void** slots                        # each an entry's address and its tag; NULL: free
    uint64_t n_slots                    # a power of two
    int slot_bits                       # log2 of n_slots
    int64_t n_nodes                     # entries; threads' new ones are added after each batch
    int64_t limit                       # bytes that `used` may reach
    double deadline                     # when the run has to end, by `seconds_now`
    stop_t stop                         # whether it is to stop before
    double growing                      # seconds that `make_slots` took last time
    char[64] apart                      # padding: all threads write the fields below
    int64_t used                        # bytes counted against the limit, unused allowances included
    int64_t held                        # bytes taken from the system, for chunks and slots
    int64_t full                        # 1: the limit was met, or the system had no memory
    chunk_t* chunks
    char[64] apart_too


cdef inline int64_t room_in(uint64_t n_slots, int eighths) noexcept nogil:
    """Return how many entries n slots hold if `eighths` of them are filled."""
    return n_slots // 8 * eighths


cdef inline int64_t table_room(const table_t* table) noexcept nogil:
    """Return how many more entries the slots hold at normal density; negative if they are denser."""
    return room_in(table.n_slots, LOOSE) - table.n_nodes


cdef inline bint table_takes(const table_t* table) noexcept nogil:
    """Return whether there is a slot for another entry, at the highest density."""
    return room_in(table.n_slots, DENSE) > table.n_nodes


cdef inline uint64_t hash_of(uint64_t key) noexcept nogil:
    """Spread a key over all bits of a hash, because some bits of a game's keys may vary little."""
    return key * <uint64_t> 0x9E3779B97F4A7C15


cdef inline uint64_t first_slot(const table_t* table, uint64_t hash) noexcept nogil:
    return hash >> (64 - table.slot_bits)


cdef inline size_t tag_of(const table_t* table, uint64_t hash) noexcept nogil:
    """Return the bits of the hash below those that choose the slot."""
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
