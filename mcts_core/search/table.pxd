"""The transposition table: entries found by key, made in an arena that is freed as a whole.

Pointers to the entries lie in one array of slots: a key's entry is in the slot that its hash points
at, or in the first free one after it. Entries are cache lines, so a pointer's lowest six bits are
free, and hold six more bits of the hash: seldom is an entry looked at that is not the one.

An entry is a header. When a walk chooses a move in it for the first time it gets a body: its
statistics as arrays over its legal moves, so that selection and the AMAF update are loops over
contiguous numbers. Most entries are leaves that no walk comes back to and never have one, which
saves memory and its time. Which arrays a body has depends on the search (`layout_t`). A header is one
cache line.

Entries and bodies never move while a search runs, an entry is complete before it gets a slot, and of
the table that threads share slots are filled once and never emptied (between batches they may be
exchanged for more): so finding and adding need no lock.

The limit counts what entries take and `SLOT_SHARE` for each; not how much of a chunk or of the slots
is still free, which depends on the clock: a search of one thread meets the limit at the same playout
every time. Slots are made ahead of need; they take a quarter of the limit at most.
"""
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from mcts_core.base.atomics cimport let_others, load_pointer, try_lock
from mcts_core.game cimport move_t

cdef struct log_t:                      # AMAF: one playout of an entry that has no counters yet
    log_t* next                         # the one before
    double result
    # behind it: the codes that occurred, as bits

cdef enum:
    TAG_BITS = 6
    TAG = (1 << TAG_BITS) - 1           # the bits of a slot that are not its entry's address
    SLOT_SHARE = 16                     # bytes: a slot, and a free one beside it
    WIDTH = 8                           # numbers in the widest vector
    LOOSE = 5                           # eighths of the slots that are to be filled,
    DENSE = 7                           # and can be, where there is no time for more of them

cdef enum:                              # of entries:
    SHARED                              # in the table of all threads, be it only one
    OWN                                 # one thread's (fringe.pxd)
    COPY                                # one thread's, of a shared one

cdef struct node_t:                     # an entry
    uint64_t key
    double* body                        # NULL: no move was chosen here yet
    double low                          # bounds on the true value, the first player's
    double high
    log_t* log                          # RAVE, GRAVE: playouts not yet in counters, the last one first
    void* extra                         # GRAVE: its block (`block_of`); RAVE: where `next` leads (`child_of`)
    uint32_t t                          # visits
    uint16_t n_moves                    # once there is a body
    uint8_t side                        # the mover in the lowest bit; above it the phase, where biases go by it
    uint8_t lock                        # of an entry that threads share
    uint32_t due                        # with threads: the visits at which the others hear of them (fringe.pxd)
    uint8_t kind                        # SHARED, or what it is to the thread that has it for itself
    uint16_t next                       # 1 + the move of the next visit, where that is chosen ahead; 0: not yet chosen

cdef struct layout_t:                   # which arrays the bodies of a table have
    bint amaf                           # RAVE: w~, n~ of the legal moves
    bint bounds                         # solver: low, high of the legal moves
    bint codes                          # RAVE, GRAVE: the moves' AMAF codes

cdef struct chunk_t:                    # a piece of the arena; its memory follows it
    chunk_t* next
    int64_t size                        # bytes, these included

cdef struct cursor_t:                   # where a thread takes the memory for its next entry
    char* free
    char* end
    bint is_zero                        # all bytes from free to end are 0: a fresh chunk, not a spare one
    int64_t allowance                   # bytes of the limit that are this thread's already
    log_t* logs                         # used up, to be used again

cdef struct table_t:
    layout_t layout
    int n_codes
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


cdef inline void lock(node_t* node) noexcept nogil:
    while not try_lock(&node.lock):
        let_others()

cdef inline int turn_of(const node_t* node) noexcept nogil:
    return node.side & 1

cdef inline int phase_of(const node_t* node) noexcept nogil:
    return node.side >> 1

# The arrays of a body have room for a multiple of WIDTH moves, so loops over all of it are whole vectors.
# What stands behind the last move means nothing.

cdef inline int room_of(const node_t* node) noexcept nogil:
    return (node.n_moves + WIDTH - 1) & -WIDTH

cdef inline double* wins_of(node_t* node) noexcept nogil:
    return node.body

cdef inline double* amaf_wins_of(node_t* node) noexcept nogil:
    return wins_of(node) + room_of(node)

cdef inline double* lows_of(const layout_t* layout, node_t* node) noexcept nogil:
    return wins_of(node) + (1 + layout.amaf) * room_of(node)

cdef inline double* highs_of(const layout_t* layout, node_t* node) noexcept nogil:
    return lows_of(layout, node) + room_of(node)

cdef inline uint32_t* visits_of(const layout_t* layout, node_t* node) noexcept nogil:
    return <uint32_t*> (wins_of(node) + (1 + layout.amaf + 2 * layout.bounds) * room_of(node))

cdef inline uint32_t* amaf_visits_of(const layout_t* layout, node_t* node) noexcept nogil:
    return visits_of(layout, node) + room_of(node)

cdef inline move_t* moves_of(const layout_t* layout, node_t* node) noexcept nogil:
    return <move_t*> (visits_of(layout, node) + (1 + layout.amaf) * room_of(node))

cdef inline uint16_t* codes_of(const layout_t* layout, node_t* node) noexcept nogil:
    return <uint16_t*> (moves_of(layout, node) + room_of(node))

cdef inline int64_t counters_size(const layout_t* layout, int n_moves) noexcept nogil:
    """The bytes of a body up to its moves: what changes."""
    return (n_moves + WIDTH - 1) // WIDTH * WIDTH * (8 * (1 + layout.amaf + 2 * layout.bounds) + 4 * (1 + layout.amaf))

cdef inline bint has_blocks(const layout_t* layout) noexcept nogil:
    return layout.codes and not layout.amaf

cdef inline double* block_of(const layout_t* layout, const node_t* node) noexcept nogil:
    """GRAVE: w~ of all codes, n~ behind; NULL: there is only a log yet."""
    return <double*> node.extra if has_blocks(layout) else NULL

cdef inline bint lacks_block(const layout_t* layout, const node_t* node) noexcept nogil:
    return has_blocks(layout) and node.extra == NULL

cdef inline node_t* child_of(const layout_t* layout, const node_t* node) noexcept nogil:
    """RAVE: the entry that `next`, if there is one, leads to; NULL: look for it."""
    return <node_t*> node.extra if layout.amaf else NULL

cdef inline int64_t block_size(const table_t* table) noexcept nogil:
    return table.n_codes * (sizeof(double) + sizeof(uint32_t))

cdef inline uint32_t* block_visits(const table_t* table, node_t* node) noexcept nogil:
    return <uint32_t*> (block_of(&table.layout, node) + table.n_codes)

cdef inline uint64_t* log_bits(log_t* log) noexcept nogil:
    return <uint64_t*> (log + 1)

cdef inline int code_words(int n_codes) noexcept nogil:
    return (n_codes + 63) // 64


cdef inline int64_t room_in(uint64_t n_slots, int eighths) noexcept nogil:
    """How many entries so many slots hold, filled to so many eighths."""
    return n_slots // 8 * eighths


cdef inline int64_t table_room(const table_t* table) noexcept nogil:
    """How many more entries the slots are meant for."""
    return room_in(table.n_slots, LOOSE) - table.n_nodes


cdef inline bint table_takes(const table_t* table) noexcept nogil:
    """Whether there is a slot for another entry, though it be the last before the table has to grow."""
    return room_in(table.n_slots, DENSE) > table.n_nodes


cdef inline uint64_t hash_of(uint64_t key) noexcept nogil:
    """Multiplied, so that a game whose keys are weak in some bits does no harm."""
    return key * <uint64_t> 0x9E3779B97F4A7C15


cdef inline uint64_t first_slot(const table_t* table, uint64_t hash) noexcept nogil:
    return hash >> (64 - table.slot_bits)


cdef inline size_t tag_of(const table_t* table, uint64_t hash) noexcept nogil:
    """The bits below."""
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


cdef int table_open(table_t* table, layout_t layout, int n_codes, int64_t limit) except -1
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
