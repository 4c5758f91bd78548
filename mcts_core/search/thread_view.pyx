"""Publishing and settling what threads have counted for themselves. What a fringe is stands in fringe.pxd."""
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from mcts_core.search.amaf cimport count_log, make_block, take_log
from mcts_core.base.atomics cimport store_pointer, try_lock, unlock
from mcts_core.search.bounds cimport agree_on_bounds
from mcts_core.base.aligned_memory cimport in_lines, lines_give_back, lines_take
from mcts_core.search.table cimport (
    COPY, OWN, SHARED, block_of, block_size, block_visits, body_size, counters_size, cursor_t, has_blocks, lacks_block,
    layout_t, lock, log_t, node_t, room_of, table_add, table_clear, table_close, table_entry, table_find,
    table_forget_chunks, table_open, table_put, table_remove, table_reserve, table_room, table_t, table_take,
    table_takes, visits_of, wins_of
)


cdef fringe_t* fringe_open(table_t* shared, cursor_t* arena, uint32_t ref) except NULL:
    cdef fringe_t* fringe = <fringe_t*> lines_take(in_lines(sizeof(fringe_t)))
    if fringe == NULL:
        raise MemoryError("no memory for a search thread")
    memset(fringe, 0, sizeof(fringe_t))
    fringe.shared, fringe.arena, fringe.ref = shared, arena, ref
    try:
        table_open(&fringe.table, shared.layout, shared.n_codes, fringe_limit(shared))
    except MemoryError:
        lines_give_back(fringe)
        raise
    return fringe


cdef void fringe_pace(fringe_t* fringe, int64_t playouts) noexcept nogil:
    """How often to publish and settle, after so many playouts."""
    cdef bint early = playouts < EARLY
    fringe.busy = BUSY if early else LATE_BUSY
    fringe.part = PART if early else LATE_PART
    fringe.longest = LONGEST if early else LATE_LONGEST
    if has_blocks(&fringe.shared.layout):
        fringe.longest = LONGEST_IN_BLOCKS


cdef int64_t fringe_limit(const table_t* shared) noexcept nogil:
    """Bytes that a fringe may take; it settles long before."""
    return max(shared.limit, <int64_t> 2 * MOST_BYTES)


cdef void fringe_close(fringe_t* fringe) noexcept nogil:
    if fringe != NULL:
        table_close(&fringe.table)
        lines_give_back(fringe)


# In a walk

cdef node_t* take_over(fringe_t* fringe, uint64_t key) noexcept nogil:
    """A copy of the shared table's entry of a position; NULL if there is none, or no memory."""
    cdef node_t* entry = table_find(fringe.shared, key)
    cdef node_t* own = NULL
    if entry != NULL and table_takes(&fringe.table):
        lock(entry)
        own = new_copy(fringe, entry)
        unlock(&entry.lock)
        if own != NULL:
            put(fringe, own)
    return own


cdef void add_own(fringe_t* fringe, node_t* node) noexcept nogil:
    """Add a fresh entry of this thread's, for which there is a slot."""
    node.kind, node.due = OWN, fringe.busy
    fringe.own += 1
    put(fringe, node)


cdef inline void put(fringe_t* fringe, node_t* node) noexcept nogil:
    table_put(&fringe.table, node)
    fringe.table.n_nodes += 1


cdef void share_bounds(fringe_t* fringe, node_t* own) noexcept nogil:
    """Bounds are not counted, but written to the shared entry at once."""
    cdef node_t* entry = (<copy_t*> own).entry
    lock(entry)
    if entry.body != NULL:
        agree_on_bounds(&fringe.shared.layout, own, entry)
    unlock(&entry.lock)


# Between flights

cdef bint tend(fringe_t* fringe, node_t* root, int64_t more) noexcept nogil:
    """Publish and settle what is due, and see that there are slots for some more entries; false: no root."""
    cdef int i, n_due = fringe.n_due
    fringe.n_due = 0
    for i in range(n_due):
        if fringe.due[i].kind == COPY:
            settle(fringe, <copy_t*> fringe.due[i], False)
        else:
            publish(fringe, fringe.due[i])
    if fringe.table.used > MOST_BYTES:
        give_up_copies(fringe)
    if table_room(&fringe.table) < more:
        table_reserve(&fringe.table, more, max(more, fringe.table.n_nodes))
    if fringe.root == NULL or fringe.root.key != root.key:
        take_root(fringe, root.key)
    return fringe.root != NULL


cdef void take_root(fringe_t* fringe, uint64_t key) noexcept nogil:
    """A copy of the root, as it is now: it has just got what only a root needs."""
    cdef node_t* own = table_find(&fringe.table, key)
    if own != NULL and not settle(fringe, <copy_t*> own, True):
        own = NULL
    fringe.root = own if own != NULL else take_over(fringe, key)


cdef inline uint32_t visits_between(const fringe_t* fringe, uint32_t t) noexcept nogil:
    """So many until an entry is settled again."""
    return max(min(fringe.longest, t // fringe.part), t // SMALL_PART) if t >= fringe.busy else fringe.busy - t


cdef void publish(fringe_t* fringe, node_t* node) noexcept nogil:
    """Put an own entry into the shared table, or add it to the one that is there, and have a copy from now on."""
    cdef uint64_t key = node.key
    cdef node_t* entry
    cdef node_t* own
    if fringe.published >= fringe.may_publish:
        node.due = node.t + fringe.busy                # there are slots again in the next batch
        return
    entry = hand_over(fringe, node)
    own = new_copy(fringe, entry)
    unlock(&entry.lock)
    table_remove(&fringe.table, key)
    if own != NULL:                             # else there is no memory: found again when next needed
        put(fringe, own)


cdef node_t* hand_over(fringe_t* fringe, node_t* node) noexcept nogil:
    """Put an own entry into the shared table, or add it to the one that is there; that one, locked."""
    cdef node_t* entry
    node.kind, node.next = SHARED, 0            # where it leads to is no place for other threads
    entry = table_add(fringe.shared, node)
    lock(entry)
    fringe.own -= 1
    if entry == node:
        fringe.published += 1
    else:
        add_up(fringe, node, NULL, entry)
    return entry


cdef bint settle(fringe_t* fringe, copy_t* copy, bint wait) noexcept nogil:
    """Settle a copy with its entry. Unless it must, it does not wait for a thread that is at the entry."""
    cdef node_t* entry = copy.entry
    cdef bint had_memory
    if wait:
        lock(entry)
    elif not try_lock(&entry.lock):
        copy.own.due = copy.own.t + 1
        return False
    add_up(fringe, &copy.own, &copy.agreed, entry)
    had_memory = copy_over(fringe, copy, entry)
    unlock(&entry.lock)
    if not had_memory:
        forget(fringe, copy)
    return had_memory


cdef void forget(fringe_t* fringe, copy_t* copy) noexcept nogil:
    """Give up a copy that is settled."""
    table_remove(&fringe.table, copy.own.key)
    copy.own.kind = SHARED                      # no walk shall follow a pointer to it
    if fringe.root == &copy.own:
        fringe.root = NULL


cdef node_t* new_copy(fringe_t* fringe, node_t* entry) noexcept nogil:
    """A copy of an entry that is locked; NULL if there is no memory for it."""
    cdef copy_t* copy = <copy_t*> table_take(&fringe.table, &fringe.cursor, sizeof(copy_t))
    if copy == NULL:
        return NULL
    copy.own.kind, copy.entry = COPY, entry
    copy.own.key, copy.own.side = entry.key, entry.side
    return &copy.own if copy_over(fringe, copy, entry) else NULL


cdef bint copy_over(fringe_t* fringe, copy_t* copy, node_t* entry) noexcept nogil:
    """Make a copy what its entry, which is locked, is; false if there is no memory for that."""
    cdef const layout_t* layout = &fringe.shared.layout
    cdef node_t* own = &copy.own
    cdef uint32_t* visits
    cdef int i
    if entry.body != NULL:
        if own.n_moves != entry.n_moves:        # the game broke its contract
            own.body = copy.agreed.body = NULL
        if not (has_memory(fringe, <void**> &own.body, body_size(layout, entry.n_moves))
                and has_memory(fringe, <void**> &copy.agreed.body, counters_size(layout, entry.n_moves))):
            return False
        own.n_moves = copy.agreed.n_moves = entry.n_moves
        memcpy(own.body, entry.body, body_size(layout, entry.n_moves))
        visits = visits_of(layout, own)
        for i in range(entry.n_moves):
            if visits[i] and i % fringe.threads != fringe.number:
                visits[i] += SEEM_LOST
        memcpy(copy.agreed.body, own.body, counters_size(layout, entry.n_moves))
    elif layout.amaf:
        own.log, entry.log = entry.log, NULL    # to be counted in the body that this thread may give it
    if block_of(layout, entry) != NULL:
        if not (has_memory(fringe, &own.extra, block_size(fringe.shared))
                and has_memory(fringe, &copy.agreed.extra, block_size(fringe.shared))):
            return False
        memcpy(own.extra, entry.extra, block_size(fringe.shared))
        memcpy(copy.agreed.extra, entry.extra, block_size(fringe.shared))
    own.low, own.high = entry.low, entry.high
    own.next = 0
    own.t = copy.agreed.t = entry.t
    own.due = own.t + visits_between(fringe, own.t)
    return True


cdef bint has_memory(fringe_t* fringe, void** piece, int64_t size) noexcept nogil:
    if piece[0] == NULL:
        piece[0] = table_take(&fringe.table, &fringe.cursor, size)
    return piece[0] != NULL


cdef void add_up(fringe_t* fringe, node_t* own, node_t* agreed, node_t* entry) noexcept nogil:
    """Add to an entry, which is locked, what was counted in `own` since they agreed (NULL: they never did).

    What the entry does not have yet it gets: the body and the block of `own` become its.
    """
    cdef table_t* table = fringe.shared
    cdef const layout_t* layout = &table.layout
    cdef log_t* log
    entry.t += own.t - (agreed.t if agreed != NULL else 0)
    entry.next = 0
    if own.body != NULL and entry.body == NULL:
        log = take_log(entry)
        entry.n_moves, entry.low, entry.high = own.n_moves, own.low, own.high
        store_pointer(<void**> &entry.body, own.body)   # others may look
        own.body = NULL
        count_log(table, fringe.arena, log, entry)
    elif own.body != NULL and own.n_moves == entry.n_moves:     # else the game broke its contract
        add_counters(table, own, agreed if agreed != NULL and agreed.body != NULL else NULL, entry)
        if layout.bounds:
            agree_on_bounds(layout, own, entry)
    if block_of(layout, own) != NULL and block_of(layout, entry) == NULL:
        log = take_log(entry)
        store_pointer(&entry.extra, own.extra)
        own.extra = NULL
        count_log(table, fringe.arena, log, entry)
    elif block_of(layout, own) != NULL:
        add_block(table, own, agreed if agreed != NULL and block_of(layout, agreed) != NULL else NULL, entry)
    count_log(table, fringe.arena, take_log(own), entry)
    if lacks_block(layout, entry) and entry.t > fringe.ref:
        make_block(table, fringe.arena, entry)


cdef void add_counters(const table_t* table, node_t* own, node_t* agreed, node_t* entry) noexcept nogil:
    """Wins and visits, and of RAVE also those of AMAF, which stand behind them.

    Visits first, for whoever looks now: no move shall have more wins than visits.
    """
    cdef const layout_t* layout = &table.layout
    cdef int i, n = (1 + layout.amaf) * room_of(entry)
    cdef double* w = wins_of(entry)
    cdef uint32_t* visits = visits_of(layout, entry)
    if agreed == NULL:
        for i in range(n):
            visits[i] += visits_of(layout, own)[i]
        for i in range(n):
            w[i] += wins_of(own)[i]
    else:
        for i in range(n):
            visits[i] += visits_of(layout, own)[i] - visits_of(layout, agreed)[i]
        for i in range(n):
            w[i] += wins_of(own)[i] - wins_of(agreed)[i]


cdef void add_block(const table_t* table, node_t* own, node_t* agreed, node_t* entry) noexcept nogil:
    cdef const layout_t* layout = &table.layout
    cdef double* w = block_of(layout, entry)
    cdef int i
    for i in range(table.n_codes):
        w[i] += block_of(layout, own)[i] - (0.0 if agreed == NULL else block_of(layout, agreed)[i])
    for i in range(table.n_codes):
        block_visits(table, entry)[i] += block_visits(table, own)[i] - (
            0 if agreed == NULL else block_visits(table, agreed)[i])


cdef void give_up_copies(fringe_t* fringe) noexcept nogil:
    """Settle all copies for good, and give their memory up."""
    cdef uint64_t s = 0
    cdef copy_t* copy
    cdef node_t* own
    while s < fringe.table.n_slots:
        own = table_entry(&fringe.table, s)
        if own == NULL or own.kind != COPY:
            if own != NULL:
                own.next = 0                    # it may lead to a copy
            s += 1
            continue
        copy = <copy_t*> own
        lock(copy.entry)
        add_up(fringe, own, &copy.agreed, copy.entry)
        unlock(&copy.entry.lock)
        forget(fringe, copy)                    # now another one may be in the slot
    table_forget_chunks(&fringe.table)
    memset(&fringe.cursor, 0, sizeof(cursor_t))


# With all threads at rest

cdef void gather(fringe_t* fringe, uint64_t key) noexcept nogil:
    """What this thread has counted at a position goes into the shared table, which has room for it."""
    cdef node_t* own = table_find(&fringe.table, key)
    cdef node_t* entry
    if own != NULL and own.kind == COPY:
        entry = (<copy_t*> own).entry
        if settle(fringe, <copy_t*> own, True) and entry.body == NULL:
            count_log(fringe.shared, fringe.arena, take_log(own), entry)
    elif own != NULL:
        table_remove(&fringe.table, key)
        unlock(&hand_over(fringe, own).lock)


cdef void gather_all(fringe_t* fringe) noexcept nogil:
    """All that it has counted, and the fringe is empty. The shared table has room for it."""
    cdef uint64_t s
    cdef node_t* own
    give_up_copies(fringe)
    for s in range(fringe.table.n_slots):
        own = table_entry(&fringe.table, s)
        if own != NULL:
            unlock(&hand_over(fringe, own).lock)
    table_clear(&fringe.table)
