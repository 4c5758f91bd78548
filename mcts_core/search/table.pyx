"""The arena and the slots of the transposition table. The map is table.pxd."""
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from mcts_core.base.atomics cimport fetch_add, load, load_pointer, store, store_pointer, swap_pointer, try_lock, unlock
from mcts_core.base.clock cimport seconds_now
from mcts_core.base.engine cimport is_called
from mcts_core.game cimport code_words
from mcts_core.search.node cimport room_for
from mcts_core.base.aligned_memory cimport whole_lines, prefetch_line, free_pages, take_pages, touch_pages

cdef extern from *:
    """
    #if defined(__SANITIZE_ADDRESS__)
    #define TABLE_MOST_SPARE 0          // the sanitizer must see use after free
    #else
    #define TABLE_MOST_SPARE 4
    #endif
    """
    int MOST_SPARE "TABLE_MOST_SPARE"   # chunks of LAST_CHUNK bytes kept for later tables: 8 MB

cdef enum:
    FIRST_BITS = 10
    FIRST_SLOTS = 1 << FIRST_BITS       # slots of an empty table
    FIRST_CHUNK = 1 << 16               # bytes of a chunk while a table holds less than FEW_BYTES
    FEW_BYTES = 1 << 18
    LAST_CHUNK = 1 << 21                # bytes of later chunks: a huge page, cleared 10 times as fast as small pages
    ALLOWANCE = 1 << 12                 # bytes that a thread charges at a time; more: fewer atomic adds, more unused
    LOGS = 8                            # logs cut from one piece of the arena
    AT_ONCE = 1 << 13                   # slots that `make_slots` touches or empties between two looks at `stop`
    AHEAD = 32                          # slots by which `make_slots` prefetches entries, which halves its time


cdef int table_open(table_t* table, layout_t layout, int64_t limit) except -1:
    memset(table, 0, sizeof(table_t))
    table.layout = layout
    table.limit = limit
    table.deadline = INFINITY
    table.slots = <void**> take_pages(FIRST_SLOTS * sizeof(void*))
    if table.slots == NULL:
        raise MemoryError("no memory for a search table")
    table.n_slots, table.slot_bits = FIRST_SLOTS, FIRST_BITS
    table.used = table.held = FIRST_SLOTS * sizeof(void*)
    return 0


# The system clears the pages that it hands out, which takes time. So a few chunks of closed tables are kept
# for the next tables of the process.

cdef chunk_t* spare = NULL
cdef int n_spare = 0
cdef uint8_t spare_lock = 0


cdef chunk_t* take_spare() noexcept nogil:
    """Return a kept chunk of LAST_CHUNK bytes; NULL if there is none, or another thread is at the list."""
    global spare, n_spare
    cdef chunk_t* chunk = NULL
    if try_lock(&spare_lock):
        chunk = spare
        if chunk != NULL:
            spare = chunk.next
            n_spare -= 1
        unlock(&spare_lock)
    return chunk


cdef bint keep_spare(chunk_t* chunk) noexcept nogil:
    """Keep a chunk of LAST_CHUNK bytes. Returns False if there are enough, or another thread is at the list."""
    global spare, n_spare
    cdef bint kept = False
    if try_lock(&spare_lock):
        kept = n_spare < MOST_SPARE
        if kept:
            chunk.next = spare
            spare = chunk
            n_spare += 1
        unlock(&spare_lock)
    return kept


cdef void table_close(table_t* table) noexcept nogil:
    table_forget_chunks(table)
    if table.slots != NULL:
        free_pages(table.slots, table.n_slots * sizeof(void*))
    table.slots = NULL


cdef void table_forget_chunks(table_t* table) noexcept nogil:
    """Free the memory of everything but the slots."""
    cdef chunk_t* chunk = table.chunks
    cdef chunk_t* following
    while chunk != NULL:
        following = chunk.next
        table.held -= chunk.size
        if chunk.size != LAST_CHUNK or not keep_spare(chunk):
            free_pages(chunk, chunk.size)
        chunk = following
    table.chunks, table.used = NULL, 0


cdef void table_reserve(table_t* table, int64_t least, int64_t more) noexcept nogil:
    """Make slots for `more` entries unless there are enough for `least`. Not while other threads use the table.

    All entries move to other slots, which takes 10 to 100 ms for a million. If the deadline is nearer than three
    times what this took last, or `stop` has been called, the present slots are filled more densely instead, as
    long as they suffice.
    """
    cdef bint suffice
    cdef double began
    if table_room(table) >= least:
        return
    began, suffice = seconds_now(), room_in(table.n_slots, DENSE) >= table.n_nodes + least
    if suffice and (is_called(&table.stop) or began + 3.0 * table.growing > table.deadline):
        return
    if make_slots(table, least, max(least, more), suffice):
        table.growing = seconds_now() - began


cdef bint make_slots(table_t* table, int64_t least, int64_t more, bint may_stop) noexcept nogil:
    """Double the slots until `more` entries fit. Returns False if they stay as they are.

    That is if `may_stop` and `stop` is called meanwhile, or if there is no memory. Without memory even for `least` the
    table is full. An entry takes at least 80 bytes of the limit, so one slot for every 64 bytes of the limit is enough.
    """
    cdef uint64_t n_slots = table.n_slots, n_before = table.n_slots, s
    cdef void** before = table.slots
    cdef void** slots = NULL
    cdef int bits_before = table.slot_bits
    while room_in(n_slots, LOOSE) < table.n_nodes + more and <int64_t> n_slots < table.limit // 64:
        n_slots *= 2
    while n_slots > n_before:
        slots = <void**> take_pages(n_slots * sizeof(void*))
        if slots != NULL:
            break
        n_slots //= 2
    if room_in(n_slots, LOOSE) < table.n_nodes + least and <int64_t> n_slots < table.limit // 64:
        table.limit, table.full = 0, 1
    if n_slots == n_before:
        return False
    s = 0
    while s < n_slots:
        if may_stop and is_called(&table.stop):
            free_pages(slots, n_slots * sizeof(void*))
            return False
        touch_pages(&slots[s], min(<uint64_t> AT_ONCE, n_slots - s) * sizeof(void*))
        s += AT_ONCE
    table.slots, table.n_slots = slots, n_slots
    while <uint64_t> 1 << table.slot_bits < n_slots:
        table.slot_bits += 1
    for s in range(n_before):
        if s % AT_ONCE == 0 and may_stop and is_called(&table.stop):
            free_pages(slots, n_slots * sizeof(void*))
            table.slots, table.n_slots, table.slot_bits = before, n_before, bits_before
            return False
        prefetch_line(entry_in(<size_t> before[(s + AHEAD) & (n_before - 1)]))
        if before[s]:
            table_put(table, entry_in(<size_t> before[s]))
    table.held += (n_slots - n_before) * sizeof(void*)
    free_pages(before, n_before * sizeof(void*))
    return True


cdef int64_t table_slots(const table_t* table) noexcept nogil:
    """Return how many slots are free, at any density."""
    return table.n_slots - table.n_nodes


cdef int64_t body_size(const layout_t* layout, int n_moves) noexcept nogil:
    """Return the bytes of the body of an entry with n moves."""
    return <int64_t> layout.size * room_for(n_moves)


cdef bint charge(table_t* table, cursor_t* cursor, int64_t size) noexcept nogil:
    """Count `size` bytes against the limit. Returns False if it is met."""
    cdef int64_t more
    if cursor.allowance < size:
        more = max(<int64_t> ALLOWANCE, size)
        if fetch_add(&table.used, more) + more > table.limit:
            fetch_add(&table.used, -more)
            more = size - cursor.allowance      # near the limit, charge no more than is needed
            if fetch_add(&table.used, more) + more > table.limit:
                fetch_add(&table.used, -more)
                if not load(&table.full):
                    store(&table.full, 1)
                return False
        cursor.allowance += more
    cursor.allowance -= size
    return True


cdef bint new_chunk(table_t* table, cursor_t* cursor, int64_t size) noexcept nogil:
    """Get a chunk with room for `size` bytes for a thread. Returns False if the system has no memory."""
    cdef int64_t room = FIRST_CHUNK if load(&table.held) < FEW_BYTES else LAST_CHUNK
    cdef chunk_t* chunk = NULL
    room = max(min(room, table.limit - load(&table.used) + ALLOWANCE), whole_lines(sizeof(chunk_t)) + size)
    if room <= LAST_CHUNK:
        chunk = take_spare()
        if chunk != NULL:
            room = LAST_CHUNK
    cursor.is_zero = chunk == NULL
    if chunk == NULL:
        chunk = <chunk_t*> take_pages(room)
    if chunk == NULL:
        store(&table.full, 1)
        return False
    chunk.size = room
    fetch_add(&table.held, room)
    while True:
        chunk.next = <chunk_t*> load_pointer(<void**> &table.chunks)
        if swap_pointer(<void**> &table.chunks, chunk.next, chunk):
            break
    cursor.free = <char*> chunk + whole_lines(sizeof(chunk_t))
    cursor.end = <char*> chunk + room
    return True


cdef void* table_take(table_t* table, cursor_t* cursor, int64_t size) noexcept nogil:
    """Return n zeroed bytes of the arena, in cache lines of their own; NULL if the table is full."""
    cdef void* taken
    size = whole_lines(size)
    if not charge(table, cursor, size):
        return NULL
    if cursor.end - cursor.free < size and not new_chunk(table, cursor, size):
        return NULL
    taken = cursor.free
    cursor.free += size
    if not cursor.is_zero:
        memset(taken, 0, size)
    return taken


cdef node_t* table_node(table_t* table, cursor_t* cursor) noexcept nogil:
    """Return an empty entry; NULL if the table is full."""
    if not charge(table, cursor, SLOT_SHARE):
        return NULL
    return <node_t*> table_take(table, cursor, sizeof(node_t))


cdef log_t* table_log(table_t* table, cursor_t* cursor) noexcept nogil:
    """Return memory for one log; NULL if the table is full. LOGS share a piece, because one fills no whole lines."""
    cdef int64_t size = sizeof(log_t) + code_words(table.layout.n_codes) * sizeof(uint64_t)
    cdef log_t* log
    cdef char* piece
    cdef int i
    if cursor.logs == NULL:
        piece = <char*> table_take(table, cursor, LOGS * size)
        if piece == NULL:
            return NULL
        for i in range(LOGS):
            log = <log_t*> (piece + (LOGS - 1 - i) * size)
            log.next = cursor.logs
            cursor.logs = log
    log = cursor.logs
    cursor.logs = log.next
    return log


cdef node_t* table_add(table_t* table, node_t* node) noexcept nogil:
    """Give a complete entry a slot. Returns the entry that has the slot: another thread's if that was first."""
    cdef uint64_t hash = hash_of(node.key)
    cdef uint64_t s = first_slot(table, hash)
    cdef size_t slot
    while True:
        if load_pointer(&table.slots[s]) == NULL and swap_pointer(
                &table.slots[s], NULL, <void*> (<size_t> node | tag_of(table, hash))):
            return node
        slot = <size_t> load_pointer(&table.slots[s])
        if (slot & TAG) == tag_of(table, hash) and entry_in(slot).key == node.key:
            return entry_in(slot)
        s = (s + 1) & (table.n_slots - 1)


cdef node_t* table_entry(const table_t* table, uint64_t slot) noexcept nogil:
    """Return the entry in a slot, or NULL."""
    return entry_in(<size_t> table.slots[slot])


# In tables that only one thread changes

cdef void table_put(table_t* table, node_t* node) noexcept nogil:
    """Give a slot to an entry whose key is new. A compare-and-swap would wait until the entry's stores are done."""
    cdef uint64_t hash = hash_of(node.key)
    cdef uint64_t s = first_slot(table, hash)
    while table.slots[s] != NULL:
        s = (s + 1) & (table.n_slots - 1)
    store_pointer(&table.slots[s], <void*> (<size_t> node | tag_of(table, hash)))   # others may look


cdef void table_remove(table_t* table, uint64_t key) noexcept nogil:
    """Remove an entry. Entries behind it that hashed to a slot at or before the gap move up."""
    cdef uint64_t mask = table.n_slots - 1, gap = first_slot(table, hash_of(key)), s, home
    while entry_in(<size_t> table.slots[gap]).key != key:
        gap = (gap + 1) & mask
    s = (gap + 1) & mask
    while table.slots[s] != NULL:
        home = first_slot(table, hash_of(entry_in(<size_t> table.slots[s]).key))
        if ((s - home) & mask) >= ((s - gap) & mask):
            table.slots[gap] = table.slots[s]
            gap = s
        s = (s + 1) & mask
    table.slots[gap] = NULL
    table.n_nodes -= 1


cdef void table_clear(table_t* table) noexcept nogil:
    """Remove all entries."""
    memset(table.slots, 0, table.n_slots * sizeof(void*))
    table.n_nodes = 0
