"""Settling a thread's copies of busy entries with the entries. What they are for is in views.pxd."""
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memcpy, memset

from mcts_core.atomics cimport add_double, fetch_add32, load32, load_double, load_pointer, unlock
from mcts_core.lines cimport in_lines, lines_give_back, lines_take, lines_want
from mcts_core.table cimport (
    block_size, block_visits, body_size, has_blocks, lock, node_t, room_of, table_t, visits_of, wins_of
)


cdef enum:
    NEVER = -2                          # a walk that is not this one, nor the one before


cdef views_t* views_take(const table_t* table) noexcept nogil:
    """Free spots; NULL: no memory."""
    cdef views_t* views = <views_t*> lines_take(in_lines(sizeof(views_t)))
    if views != NULL:
        memset(views, 0, sizeof(views_t))
        views.longest = LONGEST_IN_BLOCKS if has_blocks(&table.layout) else LONGEST
    return views


cdef void views_give_back(views_t* views) noexcept nogil:
    cdef int i
    cdef view_t* view
    if views != NULL:
        for i in range(N_SPOTS):
            view = views.spots[i]
            if view != NULL:
                lines_give_back(view.own.body)
                lines_give_back(view.blocks)
                lines_give_back(view)
        lines_give_back(views)


cdef node_t* renew_view(views_t* views, view_t** spot, const table_t* table, node_t* entry,
                        int64_t walk) noexcept nogil:
    """Settle what is in this spot, and copy the entry into it, unless a busier one is there, or one
    that this walk or the one before has passed and will come back to with its result."""
    cdef view_t* view = spot[0]
    if view == NULL:
        view = <view_t*> lines_take(in_lines(sizeof(view_t)))
        if view == NULL:
            return entry
        memset(view, 0, sizeof(view_t))
        view.walk = NEVER
        spot[0] = view
    if view.entry != entry and walk - view.walk in (0, 1):
        return entry
    if view.entry != NULL:
        if view.entry != entry and view.own.t > load32(&entry.t):
            return entry
        settle(view, table)
    if not copy_entry(views, view, table, entry):
        return entry
    view.walk = walk
    return &view.own


cdef bint copy_entry(views_t* views, view_t* view, const table_t* table, node_t* entry) noexcept nogil:
    """Make this spot a copy of an entry; false if there is no memory for it."""
    cdef int64_t size = body_size(&table.layout, entry.n_moves)
    cdef uint32_t* visits
    cdef double* block = <double*> load_pointer(<void**> &entry.block)
    cdef int i
    view.entry = NULL
    if not make_room(views, view, size) or (block != NULL and not make_block_room(views, view, block_size(table))):
        return False
    view.entry = entry
    view.own.n_moves, view.own.side = entry.n_moves, entry.side
    view.own.low, view.own.high = load_double(&entry.low), load_double(&entry.high)
    view.own.t = view.agreed_t = load32(&entry.t)
    memcpy(view.own.body, entry.body, size)
    visits = visits_of(&table.layout, &view.own)
    for i in range(entry.n_moves):
        if visits[i] and i % views.threads != views.number:
            visits[i] += SEEM_LOST
    memcpy(view.agreed, view.own.body, size)
    view.own.block = NULL
    if block != NULL:
        view.own.block = view.blocks
        lock(entry)
        memcpy(view.own.block, block, block_size(table))
        unlock(&entry.lock)
        memcpy(view.agreed_block, view.own.block, block_size(table))
    view.due_in = max(min(views.longest, view.own.t // PART), view.own.t // SMALL_PART)
    return True


cdef bint make_room(views_t* views, view_t* view, int64_t size) noexcept nogil:
    """For a body of so many bytes, twice."""
    if view.room < size:
        lines_give_back(view.own.body)
        views.bytes -= 2 * view.room
        view.own.body, view.room = <double*> take(views, 2 * in_lines(size)), 0
        if view.own.body == NULL:
            return False
        view.room = in_lines(size)
        view.agreed = <double*> (<char*> view.own.body + view.room)
    return True


cdef bint make_block_room(views_t* views, view_t* view, int64_t size) noexcept nogil:
    """For a block, twice: all of a table have the same size."""
    if view.blocks == NULL:
        view.blocks = <double*> take(views, 2 * in_lines(size))
        if view.blocks == NULL:
            return False
        view.agreed_block = <double*> (<char*> view.blocks + in_lines(size))
    return True


cdef void* take(views_t* views, int64_t size) noexcept nogil:
    """So many bytes for a copy; NULL if there are none."""
    cdef void* taken = NULL
    if views.bytes + size <= MOST_BYTES:
        taken = lines_take(size)
    if taken != NULL:
        views.bytes += size
    return taken


cdef void settle(view_t* view, const table_t* table) noexcept nogil:
    """Add to the entry what was counted in its copy since they last agreed."""
    cdef node_t* entry = view.entry
    cdef node_t before
    cdef int i, room = room_of(entry)
    cdef const double* w = wins_of(&view.own)
    cdef const double* w_before
    cdef const uint32_t* n = visits_of(&table.layout, &view.own)
    cdef const uint32_t* n_before
    before.n_moves, before.body, before.block = entry.n_moves, view.agreed, view.agreed_block
    w_before, n_before = wins_of(&before), visits_of(&table.layout, &before)
    lines_want(entry, sizeof(node_t))
    lines_want(entry.body, body_size(&table.layout, entry.n_moves))
    if table.layout.codes:
        lock(entry)                             # under which AMAF is counted, by plain additions
        if table.layout.amaf:
            for i in range(room, 2 * room):     # it comes next in a body
                wins_of(entry)[i] += w[i] - w_before[i]
            for i in range(room, 2 * room):
                visits_of(&table.layout, entry)[i] += n[i] - n_before[i]
        if view.own.block != NULL:
            settle_block(&view.own, &before, table, entry)
        unlock(&entry.lock)
    for i in range(entry.n_moves):
        if n[i] != n_before[i]:
            fetch_add32(&visits_of(&table.layout, entry)[i], n[i] - n_before[i])
        if w[i] != w_before[i]:
            add_double(&wins_of(entry)[i], w[i] - w_before[i])
    fetch_add32(&entry.t, view.own.t - view.agreed_t)


cdef void settle_block(node_t* own, node_t* before, const table_t* table, node_t* entry) noexcept nogil:
    cdef int i
    for i in range(table.n_codes):
        entry.block[i] += own.block[i] - before.block[i]
    for i in range(table.n_codes):
        block_visits(table, entry)[i] += block_visits(table, own)[i] - block_visits(table, before)[i]


cdef void settle_all(views_t* views, const table_t* table) noexcept nogil:
    """Settle all copies and give them up: what was counted is in the table."""
    cdef int i
    cdef view_t* view
    for i in range(N_SPOTS):
        view = views.spots[i]
        if view != NULL and view.entry != NULL:
            settle(view, table)
            view.entry = NULL
