"""A thread's own copies of the entries that it is in most of the time.

Threads that share a tree change the counters of the root, and of the best lines below it, in every
simulation, and each change takes the cache line away from the other threads: two of them were
slower than one (0.8 of its speed). So a thread counts in a copy of such an entry, without atomic
operations, and settles with the entry now and then: it adds what it has counted and takes over what
the others have. Only statistics are counted so. Bounds are written to the entry at once, and to the
copy too.

Between two settlements the threads do not see each other's visits, and would all go the same ways.
So each leaves some moves to each other thread: in a copy these seem to have been lost a few times
more (virtual loss), which matters where there are few visits, near the ends of the tree. In UCT half
as many walks then meet entries that another thread has just left, and two threads play as well as
one with as many playouts: at 1000, in 600 games, 48.8 % (+-4) of Breakthrough, 51.2 % of Othello.
With PART = 2 it was 43 % and 45 % without such losses; with one and PART = 4, 44.8 % and 49.2 %.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from mcts_core.atomics cimport load32
from mcts_core.table cimport node_t, table_t

cdef enum:
    SPOT_BITS = 12
    N_SPOTS = 1 << SPOT_BITS
    MOST_BYTES = 1 << 25                # for a thread's copies
    BUSY = 16                           # visits after which an entry may have copies
    LONGEST = 64                        # most visits between two settlements,
    LONGEST_IN_BLOCKS = 32              # where entries have blocks,
    PART = 4                            # and never more than one in so many of those the entry has had;
    SMALL_PART = 256                    # but one in so many is always allowed
    SEEM_LOST = 2                       # times that a move left to others seems to have been lost more

cdef struct view_t:
    node_t own                          # the copy, with a body and a block of its own
    node_t* entry                       # NULL: free
    double* agreed                      # what the copy had when last settled
    double* blocks                      # memory for own.block, and for
    double* agreed_block
    int64_t room                        # bytes of the body and of `agreed`, each
    int64_t walk                        # the thread's last one that passed here
    uint32_t agreed_t
    uint32_t due_in                     # visits until it is settled again

cdef struct views_t:
    int number                          # of the thread
    int threads
    uint32_t longest
    int64_t bytes                       # of copies
    view_t* spots[N_SPOTS]              # an entry has one spot to be copied to; the busier one gets it


cdef inline node_t* view_of(views_t* views, const table_t* table, node_t* entry, int64_t walk) noexcept nogil:
    """Where to count an entry's visit in this walk: in a copy of it, or in the entry itself."""
    cdef uint64_t spot
    cdef view_t* view
    if load32(&entry.t) < BUSY:
        return entry
    spot = (<uint64_t> entry >> 6) * <uint64_t> 0x9E3779B97F4A7C15 >> (64 - SPOT_BITS)
    view = views.spots[spot]
    if view != NULL and view.entry == entry and view.due_in:
        view.due_in -= 1
        view.walk = walk
        return &view.own
    return renew_view(views, &views.spots[spot], table, entry, walk)


cdef views_t* views_take(const table_t* table) noexcept nogil
cdef void views_give_back(views_t* views) noexcept nogil
cdef node_t* renew_view(views_t* views, view_t** spot, const table_t* table, node_t* entry,
                        int64_t walk) noexcept nogil
cdef void settle_all(views_t* views, const table_t* table) noexcept nogil
