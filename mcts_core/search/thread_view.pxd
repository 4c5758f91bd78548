"""The part of the tree that one of several threads works on.

Threads that change the same counters take the cache lines from each other, and each time costs as
much as half a simulation: two threads were slower than one (0.8 of its speed). So a thread finds and
makes entries in a table of its own, its view. A simulation changes nothing that other threads read,
except for bounds that the solver has just proven.

- An entry that only this thread has visited stays in its view until it has had `busy` visits. Then
  the thread publishes it: puts it into the table that all share. Most entries never get so far.
- Of an entry in the shared table the thread has a copy to count in. After `longest` visits or fewer
  it settles: it adds to the entry what it has counted since, and takes over what the others have.

node.pxd draws the states of an entry. If two threads have made the same entry, their counts become
one when the second publishes it. Views keep copies and own entries after a run, for the next one. To
read an entry, first `gather` what the views know of it: so nothing is lost.

Between two settlements threads do not see each other's visits, and would all go the same ways. So a
thread leaves some moves to each other thread: in its copies these seem to have been lost SEEM_LOST
times more (virtual loss), and each thread begins with another one of the untried moves.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from mcts_core.search.node cimport node_t
from mcts_core.search.table cimport cursor_t, table_t

cdef enum:
    # How often threads publish and settle: often in the first EARLY simulations, where each teaches
    # much, and seldom later, when it costs more than it gives. From the first on, the later values
    # gave RAVE 5 % more simulations in 200,000.
    EARLY = 1 << 14                     # simulations
    BUSY = 32                           # visits after which an entry is published
    LATE_BUSY = 64
    LONGEST = 256                       # most visits between two settlements
    LATE_LONGEST = 1024
    LONGEST_IN_BLOCKS = 128             # where entries have blocks, early and late
    PART = 2                            # at most one part in PART of an entry's visits comes between two settlements,
    LATE_PART = 1
    SMALL_PART = 256                    # and at least one part in SMALL_PART
    SEEM_LOST = 2                       # visits without a win that a move left to another thread seems to have had
    MOST_BYTES = 1 << 26                # of copies; above, the view gives them all up
    MOST_DUE = 64                       # entries that are published or settled after one flight
    NEVER = 0xFFFFFFFF

cdef struct copy_t:
    node_t node                         # the copy, with a body and a block of its own
    node_t settled                      # its counters when it was last settled; its body has no moves
    node_t* entry                       # in the shared table

cdef struct view_t:
    table_t table                       # finds own entries and copies, and has the memory of the copies
    cursor_t cursor                     # into that memory
    table_t* shared
    cursor_t* arena                     # where the thread takes the memory of own entries: in the shared table's
    node_t* root
    int64_t own                         # OWN entries
    int64_t published                   # entries that the shared table's count does not include yet
    int64_t may_publish                 # as many as it has slots for
    int64_t expected                    # entries to come in what is left of the run
    int number                          # of the thread
    int threads
    uint32_t busy                       # BUSY, LONGEST and PART of the present batch
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
