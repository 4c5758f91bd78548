"""Settling a thread's copies of busy entries with the entries. What they are for is in views.pxd."""
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memcpy, memset

from mcts_core.atomics cimport add_double, fetch_add32, load32, load_double, unlock
from mcts_core.lines cimport in_lines, lines_give_back, lines_take
from mcts_core.table cimport body_size, layout_t, lock, node_t, room_of, visits_of, wins_of


cdef view_t* views_take() noexcept nogil:
    """Free views; NULL: no memory."""
    cdef view_t* views = <view_t*> lines_take(in_lines(N_VIEWS * sizeof(view_t)))
    if views != NULL:
        memset(views, 0, N_VIEWS * sizeof(view_t))
    return views


cdef void views_give_back(view_t* views) noexcept nogil:
    cdef int i
    if views != NULL:
        for i in range(N_VIEWS):
            lines_give_back(views[i].own.body)
        lines_give_back(views)


cdef node_t* renew_view(view_t* view, const layout_t* layout, node_t* entry, int64_t walk) noexcept nogil:
    """Settle what is in this place, and copy the entry into it, unless a busier one is there, or one
    that this walk has passed and will come back to with its result."""
    if view.entry != NULL:
        if view.entry != entry and (view.walk == walk or view.own.t > load32(&entry.t)):
            return entry
        settle(view, layout)
    if not copy_entry(view, layout, entry):
        return entry
    view.walk = walk
    return &view.own


cdef bint copy_entry(view_t* view, const layout_t* layout, node_t* entry) noexcept nogil:
    """Make this place a copy of an entry; false if there is no memory for it."""
    cdef int64_t size = body_size(layout, entry.n_moves)
    cdef double* body = view.own.body
    if view.room < size:
        lines_give_back(body)
        view.entry, view.room, view.own.body = NULL, 0, NULL
        body = <double*> lines_take(2 * in_lines(size))
        if body == NULL:
            return False
        view.room = in_lines(size)
        view.agreed = <double*> (<char*> body + view.room)
    view.entry = entry
    view.own.body, view.own.n_moves, view.own.side = body, entry.n_moves, entry.side
    view.own.low, view.own.high = load_double(&entry.low), load_double(&entry.high)
    view.own.t = load32(&entry.t)
    memcpy(body, entry.body, size)
    memcpy(view.agreed, body, size)
    view.agreed_t = view.own.t
    view.left = min(<uint32_t> LONGEST, view.own.t // PART)
    return True


cdef void settle(view_t* view, const layout_t* layout) noexcept nogil:
    """Add to the entry what was counted in its copy since they last agreed."""
    cdef node_t* entry = view.entry
    cdef node_t before
    cdef int i, n = (1 + layout.amaf) * room_of(entry)      # wins come first in a body, those of AMAF next
    cdef const double* w = wins_of(&view.own)
    cdef const uint32_t* visits = visits_of(layout, &view.own)
    before.body, before.n_moves = view.agreed, entry.n_moves
    if layout.amaf:
        lock(entry)                             # another thread may be adding, and not atomically
    for i in range(n):
        if w[i] != wins_of(&before)[i]:
            add_double(&wins_of(entry)[i], w[i] - wins_of(&before)[i])
    for i in range(n):
        if visits[i] != visits_of(layout, &before)[i]:
            fetch_add32(&visits_of(layout, entry)[i], visits[i] - visits_of(layout, &before)[i])
    if layout.amaf:
        unlock(&entry.lock)
    fetch_add32(&entry.t, view.own.t - view.agreed_t)


cdef void settle_all(view_t* views, const layout_t* layout) noexcept nogil:
    """Settle all copies and give them up: what was counted is in the table."""
    cdef int i
    for i in range(N_VIEWS):
        if views[i].entry != NULL:
            settle(&views[i], layout)
            views[i].entry = NULL
