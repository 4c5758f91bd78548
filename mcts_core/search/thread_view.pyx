"""Publishing entries and settling copies. The map is thread_view.pxd."""
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from mcts_core.base.aligned_memory cimport free_lines, take_lines, whole_lines
from mcts_core.base.atomics cimport store_pointer, try_lock, unlock
from mcts_core.search.amaf cimport count_log, make_block, make_own_counters, take_log
from mcts_core.search.amaf_block cimport block_copy, block_merge
from mcts_core.search.bounds cimport agree_on_bounds
from mcts_core.search.node cimport (
    AMAF_OF_CODES, AMAF_OF_MOVES, COPY, OWN, SHARED, block_of, block_t, lacks_block, layout_t, lock, log_t, room_for,
    priors_of, proofs_of, room_of, sums_of, values_of, visits_of, wins_of
)
from mcts_core.search.table cimport (
    body_size, table_add, table_clear, table_close, table_entry, table_find, table_forget_chunks, table_open, table_put,
    table_remove, table_reserve, table_room, table_take, table_takes
)


cdef view_t* view_open(table_t* shared, cursor_t* arena) except NULL:
    cdef view_t* view = <view_t*> take_lines(whole_lines(sizeof(view_t)))
    if view == NULL:
        raise MemoryError("no memory for a search thread")
    memset(view, 0, sizeof(view_t))
    view.shared, view.arena = shared, arena
    try:
        table_open(&view.table, shared.layout, view_limit(shared))
    except MemoryError:
        free_lines(view)
        raise
    return view


cdef void view_pace(view_t* view, int64_t playouts) noexcept nogil:
    """Set how often to publish and settle after this many playouts."""
    cdef bint early = playouts < EARLY
    view.busy = BUSY if early else LATE_BUSY
    view.part = PART if early else LATE_PART
    view.longest = LONGEST if early else LATE_LONGEST
    if view.shared.layout.amaf == AMAF_OF_CODES:
        view.longest = LONGEST_IN_BLOCKS


cdef int64_t view_limit(const table_t* shared) noexcept nogil:
    """Return the bytes that a view may take. It gives its copies up long before."""
    return max(shared.limit, <int64_t> 2 * MOST_BYTES)


cdef void view_close(view_t* view) noexcept nogil:
    if view != NULL:
        table_close(&view.table)
        free_lines(view)


# In a walk

cdef node_t* adopt(view_t* view, uint64_t key) noexcept nogil:
    """Make a copy of a position's entry in the shared table; NULL if there is no entry, or no memory."""
    cdef node_t* entry = table_find(view.shared, key)
    cdef node_t* copied = NULL
    if entry != NULL and table_takes(&view.table):
        lock(entry)
        copied = new_copy(view, entry)
        unlock(&entry.lock)
        if copied != NULL:
            put(view, copied)
    return copied


cdef void add_own(view_t* view, node_t* node) noexcept nogil:
    """Add a new entry of this thread. The caller has checked that there is a slot."""
    node.kind, node.due = OWN, view.busy
    view.own += 1
    put(view, node)


cdef inline void put(view_t* view, node_t* node) noexcept nogil:
    table_put(&view.table, node)
    view.table.n_nodes += 1


cdef void share_bounds(view_t* view, node_t* copied) noexcept nogil:
    """Exchange a copy's bounds with its entry at once, without waiting for `settle`."""
    cdef node_t* entry = (<copy_t*> copied).entry
    lock(entry)
    if entry.body != NULL:
        agree_on_bounds(&view.shared.layout, copied, entry)
    unlock(&entry.lock)


# Between flights

cdef bint synchronise(view_t* view, node_t* root, int64_t more) noexcept nogil:
    """Publish and settle what is due, and make slots for `more` entries. Returns False without memory for the root."""
    cdef int i, n_due = view.n_due
    view.n_due = 0
    for i in range(n_due):
        if view.due[i].kind == COPY:
            settle(view, <copy_t*> view.due[i], False)
        else:
            publish(view, view.due[i])
    if view.table.used > MOST_BYTES:
        give_up_copies(view)
    if table_room(&view.table) < more:
        table_reserve(&view.table, more, max(more, view.table.n_nodes))
    if view.root == NULL or view.root.key != root.key:
        take_root(view, root.key)
    return view.root != NULL


cdef void take_root(view_t* view, uint64_t key) noexcept nogil:
    """Take a copy of the root as it is now, with the body and block that it got when it became the root."""
    cdef node_t* copied = table_find(&view.table, key)
    if copied != NULL and not settle(view, <copy_t*> copied, True):
        copied = NULL
    view.root = copied if copied != NULL else adopt(view, key)


cdef inline uint32_t visits_between(const view_t* view, uint32_t t) noexcept nogil:
    """Return how many more visits an entry with t visits gets before it is published or settled."""
    return max(min(view.longest, t // view.part), t // SMALL_PART) if t >= view.busy else view.busy - t


cdef void publish(view_t* view, node_t* node) noexcept nogil:
    """Put an own entry into the shared table, or add it to the one there, and put a copy in its place in the view."""
    cdef uint64_t key = node.key
    cdef node_t* entry
    cdef node_t* copied
    if view.published >= view.may_publish:
        node.due = node.t + view.busy           # slots are made between batches
        return
    entry = hand_over(view, node)
    copied = new_copy(view, entry)
    unlock(&entry.lock)
    table_remove(&view.table, key)
    if copied != NULL:                          # else there is no memory: it is adopted when it is next visited
        put(view, copied)


cdef node_t* hand_over(view_t* view, node_t* node) noexcept nogil:
    """Put an own entry into the shared table, or add it to the one there. Returns that one, locked."""
    cdef node_t* entry
    node.kind, node.planned = SHARED, 0         # the plan may lead to an entry of this view
    entry = table_add(view.shared, node)
    lock(entry)
    view.own -= 1
    if entry == node:
        view.published += 1
    else:
        add_up(view, node, NULL, entry)
    return entry


cdef bint settle(view_t* view, copy_t* copy, bint wait) noexcept nogil:
    """Settle a copy with its entry. Returns False if the copy is not up to date, or was given up.

    Without `wait`, a copy whose entry is locked by another thread is settled at its next visit.
    """
    cdef node_t* entry = copy.entry
    cdef bint had_memory
    if wait:
        lock(entry)
    elif not try_lock(&entry.lock):
        copy.node.due = copy.node.t + 1
        return False
    add_up(view, &copy.node, &copy.settled, entry)
    had_memory = copy_over(view, copy, entry)
    unlock(&entry.lock)
    if not had_memory:
        give_up(view, copy)
    return had_memory


cdef void give_up(view_t* view, copy_t* copy) noexcept nogil:
    """Remove a settled copy from the view. The next walk that meets its entry may make a new one."""
    table_remove(&view.table, copy.node.key)
    copy.node.kind = SHARED                     # so that no walk follows a plan that leads to it
    if view.root == &copy.node:
        view.root = NULL


cdef node_t* new_copy(view_t* view, node_t* entry) noexcept nogil:
    """Make a copy of an entry, which is locked; NULL if there is no memory."""
    cdef copy_t* copy = <copy_t*> table_take(&view.table, &view.cursor, sizeof(copy_t))
    if copy == NULL:
        return NULL
    copy.node.kind, copy.entry = COPY, entry
    copy.node.key, copy.node.side = entry.key, entry.side
    return &copy.node if copy_over(view, copy, entry) else NULL


cdef bint copy_over(view_t* view, copy_t* copy, node_t* entry) noexcept nogil:
    """Make a copy equal to its entry, which is locked. Returns False if there is no memory."""
    cdef const layout_t* layout = &view.shared.layout
    cdef node_t* node = &copy.node
    if entry.body != NULL and not copy_body(view, copy, entry):
        return False
    if entry.body == NULL and layout.amaf == AMAF_OF_MOVES:
        node.amaf.log, entry.amaf.log = entry.amaf.log, NULL    # so `give_body` of this thread counts it
    if entry.has_block and not copy_block(view, copy, entry):
        return False
    node.low, node.high = entry.low, entry.high
    node.planned = 0
    node.t = copy.settled.t = entry.t
    node.due = node.t + visits_between(view, node.t)
    return True


cdef bint copy_body(view_t* view, copy_t* copy, node_t* entry) noexcept nogil:
    """Copy the columns, with virtual losses at the moves that are left to other threads."""
    cdef const layout_t* layout = &view.shared.layout
    cdef node_t* node = &copy.node
    cdef uint32_t* visits
    cdef int i
    if node.n_moves != entry.n_moves:           # the game broke its contract
        node.body = copy.settled.body = NULL
    if node.body == NULL:
        node.body = <double*> table_take(&view.table, &view.cursor, body_size(layout, entry.n_moves))
    if copy.settled.body == NULL:
        copy.settled.body = <double*> table_take(&view.table, &view.cursor, counters_size(layout, entry.n_moves))
    if node.body == NULL or copy.settled.body == NULL:
        return False
    node.n_moves = copy.settled.n_moves = entry.n_moves
    memcpy(node.body, entry.body, body_size(layout, entry.n_moves))
    visits = visits_of(layout, node)
    for i in range(entry.n_moves):
        if visits[i] > <uint32_t> layout.has.prior and i % view.threads != view.number:
            visits[i] += SEEM_LOST
    memcpy(copy.settled.body, node.body, counters_size(layout, entry.n_moves))
    return True


cdef inline int64_t counters_size(const layout_t* layout, int n_moves) noexcept nogil:
    """Return the bytes of the columns that change, which come before the moves."""
    return <int64_t> layout.moves_at * room_for(n_moves)


cdef bint copy_block(view_t* view, copy_t* copy, node_t* entry) noexcept nogil:
    """Copy the block, and fill the own counters of the copy."""
    if not (has_copied_block(view, &copy.node, entry) and has_copied_block(view, &copy.settled, entry)):
        return False
    make_own_counters(&view.table, &view.cursor, &copy.node)
    return True


cdef bint has_copied_block(view_t* view, node_t* node, const node_t* entry) noexcept nogil:
    """Copy the block of an entry. Returns False if there is no memory."""
    cdef block_t* block = block_of(node)
    block_copy(&view.table, &view.cursor, &block, entry.amaf.block)
    node.amaf.block, node.has_block = block, block != NULL
    return node.has_block


cdef void add_up(view_t* view, node_t* counted, node_t* settled, node_t* entry) noexcept nogil:
    """Add to an entry, which is locked, what was counted since `settled` (NULL: since the beginning).

    If the entry has no body or block, it takes over that of `counted`.
    """
    cdef table_t* table = view.shared
    cdef const layout_t* layout = &table.layout
    cdef node_t* before
    cdef log_t* log
    entry.t += counted.t - (settled.t if settled != NULL else 0)
    entry.planned = 0
    if counted.body != NULL and entry.body == NULL:
        log = take_log(entry)
        entry.n_moves, entry.low, entry.high = counted.n_moves, counted.low, counted.high
        store_pointer(<void**> &entry.body, counted.body)       # others test it for NULL without the lock
        counted.body = NULL
        count_log(table, view.arena, log, entry)
    elif counted.body != NULL and counted.n_moves == entry.n_moves:     # else the game broke its contract
        before = settled if settled != NULL and settled.body != NULL else NULL
        take_newer(layout, counted, before, entry)
        add_columns(layout, counted, before, entry)
        if layout.has.bounds:
            agree_on_bounds(layout, counted, entry)
    if counted.has_block and not entry.has_block:
        log = take_log(entry)
        entry.amaf.block, entry.has_block = counted.amaf.block, True
        counted.amaf.block, counted.has_block = NULL, False
        count_log(table, view.arena, log, entry)
    elif counted.has_block:
        block_merge(table, view.arena, &entry.amaf.block, counted.amaf.block,
                    block_of(settled) if settled != NULL else NULL)
    count_log(table, view.arena, take_log(counted), entry)
    if lacks_block(layout, entry) and entry.t > layout.ref:
        make_block(table, view.arena, entry)
    elif entry.has_block:
        make_own_counters(table, view.arena, entry)


cdef void add_columns(const layout_t* layout, node_t* counted, node_t* settled, node_t* entry) noexcept nogil:
    """Add the columns of sums and counts. Each kind is one contiguous block of memory."""
    cdef int i, n_counts = layout.n_counts * room_of(entry), n_sums = layout.n_sums * room_of(entry)
    cdef uint32_t* counts = visits_of(layout, entry)
    cdef double* sums = sums_of(entry, 0)
    if settled == NULL:
        for i in range(n_counts):
            counts[i] += visits_of(layout, counted)[i]
        for i in range(n_sums):
            sums[i] += sums_of(counted, 0)[i]
        if layout.has.prior:
            take_back_priors(layout, entry)
    else:
        for i in range(n_counts):
            counts[i] += visits_of(layout, counted)[i] - visits_of(layout, settled)[i]
        for i in range(n_sums):
            sums[i] += sums_of(counted, 0)[i] - sums_of(settled, 0)[i]


cdef void take_back_priors(const layout_t* layout, node_t* entry) noexcept nogil:
    """Take the visits that moves begin with back once, because two entries were added up, and each had them."""
    cdef int i
    for i in range(entry.n_moves):
        visits_of(layout, entry)[i] -= layout.has.prior
        wins_of(entry)[i] -= layout.has.prior * priors_of(layout, entry)[i]


cdef void take_newer(const layout_t* layout, const node_t* counted, const node_t* settled,
                     node_t* entry) noexcept nogil:
    """Take the values and proof numbers of moves visited since `settled` (NULL: since the beginning)."""
    cdef int i, player
    cdef uint32_t before
    for i in range(entry.n_moves if layout.has.values or layout.has.proofs else 0):
        before = visits_of(layout, settled)[i] if settled != NULL else layout.has.prior
        if visits_of(layout, counted)[i] == before:
            continue
        if layout.has.values:
            values_of(layout, entry)[i] = values_of(layout, counted)[i]
        for player in range(2 if layout.has.proofs else 0):
            proofs_of(layout, entry, player)[i] = proofs_of(layout, counted, player)[i]


cdef void give_up_copies(view_t* view) noexcept nogil:
    """Settle all copies and free their memory."""
    cdef uint64_t s = 0
    cdef copy_t* copy
    cdef node_t* node
    while s < view.table.n_slots:
        node = table_entry(&view.table, s)
        if node == NULL or node.kind != COPY:
            if node != NULL:
                node.planned = 0                # the plan may lead to a copy
            s += 1
            continue
        copy = <copy_t*> node
        lock(copy.entry)
        add_up(view, node, &copy.settled, copy.entry)
        unlock(&copy.entry.lock)
        give_up(view, copy)                     # another entry may move into the slot: look at it again
    table_forget_chunks(&view.table)
    memset(&view.cursor, 0, sizeof(cursor_t))


# Between batches, when no thread runs

cdef void gather(view_t* view, uint64_t key) noexcept nogil:
    """Move what this thread has counted of a position into the shared table. The caller has made room."""
    cdef node_t* node = table_find(&view.table, key)
    cdef node_t* entry
    if node != NULL and node.kind == COPY:
        entry = (<copy_t*> node).entry
        if settle(view, <copy_t*> node, True) and entry.body == NULL:
            count_log(view.shared, view.arena, take_log(node), entry)
    elif node != NULL:
        table_remove(&view.table, key)
        unlock(&hand_over(view, node).lock)


cdef void gather_all(view_t* view) noexcept nogil:
    """Move all that this thread has counted into the shared table, and empty the view. The caller has made room."""
    cdef uint64_t s
    cdef node_t* node
    give_up_copies(view)
    for s in range(view.table.n_slots):
        node = table_entry(&view.table, s)
        if node != NULL:
            unlock(&hand_over(view, node).lock)
    table_clear(&view.table)
