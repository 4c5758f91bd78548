"""A thread's own copies of the entries that it is in most of the time.

Threads that share a tree change the counters of the root, and of the best lines below it, in every
simulation, and each change takes the cache line away from the other threads: two of them were
slower than one (0.8 of its speed). So a thread counts in a copy of such an entry, without atomic
operations, and settles with the entry now and then: it adds what it has counted and takes over what
the others have. Only statistics are counted so. Bounds are written to the entry at once, and to the
copy too.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from mcts_core.atomics cimport load32
from mcts_core.table cimport layout_t, node_t

cdef enum:
    VIEW_BITS = 10
    N_VIEWS = 1 << VIEW_BITS            # an entry has one place to be copied to; the busier one gets it
    BUSY = 32                           # visits after which an entry may have copies
    LONGEST = 64                        # most visits between two settlements; never more than
    PART = 4                            # one in so many of those the entry has had

cdef struct view_t:
    node_t* entry                       # NULL: free
    node_t own                          # the copy, with a body of its own
    double* agreed                      # the entry's statistics when last settled
    uint32_t agreed_t
    uint32_t left                       # visits until it is settled again
    int64_t walk                        # the thread's last one that passed here
    int64_t room                        # bytes of the body and of `agreed`, each


cdef inline node_t* view_of(view_t* views, const layout_t* layout, node_t* entry, int64_t walk) noexcept nogil:
    """Where to count an entry's visit in this walk: in a copy of it, or in the entry itself."""
    cdef view_t* view
    if load32(&entry.t) < BUSY:
        return entry
    view = &views[(<uint64_t> entry >> 6) * <uint64_t> 0x9E3779B97F4A7C15 >> (64 - VIEW_BITS)]
    if view.entry == entry and view.left:
        view.left -= 1
        view.walk = walk
        return &view.own
    return renew_view(view, layout, entry, walk)


cdef view_t* views_take() noexcept nogil
cdef void views_give_back(view_t* views) noexcept nogil
cdef node_t* renew_view(view_t* view, const layout_t* layout, node_t* entry, int64_t walk) noexcept nogil
cdef void settle_all(view_t* views, const layout_t* layout) noexcept nogil
