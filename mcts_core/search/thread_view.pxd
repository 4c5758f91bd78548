"""A view: the part of the tree that one of several threads works on.

Threads that write the same counters take the cache lines from each other. Each transfer costs as much
as half a simulation: two threads on one table had 0.8 of the speed of one. So each thread finds and
makes entries in a table of its own, its view. A simulation writes nothing that other threads read,
except for bounds that the solver has just proven.

- An entry that only this thread has visited stays in its view until it has `busy` visits. Then the
  thread publishes it: puts it into the table that all share. Most entries never get so far.
- Of an entry in the shared table the thread has a copy to count in. Now and then it settles the copy:
  adds to the entry what it has counted since, and copies the entry's counts, with those of the others.

node.pxd draws the states of an entry. If two threads have made the same entry, the second to publish
adds its counts to the first one's. Views keep their entries and copies after a run, for the next one.
Before an entry is read, `gather` moves what the views have counted of it into the shared table.

Between two settlements threads do not see each other's visits, and would all take the same path. So
each move of a copy is left to one thread: the other threads add SEEM_LOST visits without a win to it
(virtual loss), once it has a visit. Also, each thread begins with another one of the untried moves.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from mcts_core.search.node cimport node_t
from mcts_core.search.table cimport cursor_t, table_t

cdef enum:
    # Threads publish and settle often in the first EARLY simulations, when each result changes choices,
    # and less often later, because it costs time. With the later values from the start, RAVE made 5 % more
    # simulations in a search of 200,000.
    EARLY = 1 << 14                     # simulations
    BUSY = 32                           # visits after which an entry is published
    LATE_BUSY = 64
    # A copy with t visits is settled after t // PART more of them, at most LONGEST, but at least t // SMALL_PART
    LONGEST = 256
    LATE_LONGEST = 1024
    LONGEST_IN_BLOCKS = 128             # LONGEST with AMAF_OF_CODES, early and late
    PART = 2
    LATE_PART = 1
    SMALL_PART = 256
    SEEM_LOST = 2                       # visits of virtual loss; more: threads overlap less, but play best moves less
    MOST_BYTES = 1 << 26                # bytes of copies; above, the view gives all of them up
    MOST_DUE = 64                       # entries published or settled after one flight; others wait for another visit
    NEVER = 0xFFFFFFFF                  # `due` of an entry that is noted already

cdef struct copy_t:
    node_t node                         # the copy, with a body and a block of its own
    node_t settled                      # its counters when it was last settled; its body has no moves
    node_t* entry                       # the SHARED entry

cdef struct view_t:
    table_t table                       # slots of own entries and copies; its arena holds the copies
    cursor_t cursor                     # into that arena
    table_t* shared
    cursor_t* arena                     # into the shared table's arena, which holds own entries
    node_t* root                        # the copy of the root
    int64_t own                         # OWN entries
    int64_t published                   # entries published, not yet in the shared table's count
    int64_t may_publish                 # the most of them, given by free slots
    int64_t expected                    # new entries in the rest of the run
    int number                          # the thread's, from 0
    int threads
    uint32_t busy                       # BUSY, LONGEST and PART of this batch
    uint32_t longest
    uint32_t part
    int n_due
    node_t* due[MOST_DUE]


cdef inline void note_due(view_t* view, node_t* node) noexcept nogil:
    """Publish or settle this entry after the flight under way, whose walks point to it."""
    if view.n_due < MOST_DUE:
        view.due[view.n_due] = node
        view.n_due += 1
        node.due = NEVER


cdef view_t* view_open(table_t* shared, cursor_t* arena) except NULL
cdef void view_pace(view_t* view, int64_t playouts) noexcept nogil
cdef int64_t view_limit(const table_t* shared) noexcept nogil
cdef void view_close(view_t* view) noexcept nogil
cdef node_t* adopt(view_t* view, uint64_t key) noexcept nogil
cdef void add_own(view_t* view, node_t* node) noexcept nogil
cdef bint synchronise(view_t* view, node_t* root, int64_t more) noexcept nogil
cdef void share_bounds(view_t* view, node_t* copied) noexcept nogil
cdef void give_up_copies(view_t* view) noexcept nogil
cdef void gather(view_t* view, uint64_t key) noexcept nogil
cdef void gather_all(view_t* view) noexcept nogil
