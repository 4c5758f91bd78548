"""What each of several threads has to itself of the tree that they search together.

Threads that change the same counters take the cache lines from each other, and each time cost as
much as half a simulation or more; two of them were slower than one (0.8 of its speed). So a thread
finds and makes entries in a table of its own, its fringe, and changes nothing else in a simulation,
but for bounds that the solver has proven and the log of an entry that it copies:

- An entry that this thread alone has been to stays its own until it has been visited BUSY times;
  then it is published: put into the table that all share. Most entries are never visited that often.
- Of an entry in the shared table a thread has a copy to count in. Now and then, the more seldom the
  more visits the entry has, it settles: it adds to the entry what it has counted since, and takes
  over what the others have.

If two threads have each made the same entry, their counts become one when the second publishes it.
After a run copies and own entries stay where they are, for the run that may follow. Whoever looks
into the table gathers what the fringes know of a position first, so nothing is ever lost; whoever
looks while threads are at work sees what was published and settled up to then.

Between two settlements the threads do not see each other's visits, and would all go the same ways.
So each leaves some moves to each other thread: in a copy these seem to have been lost a few times
more (virtual loss), and untried moves are tried from another one on in each thread.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from mcts_core.search.table cimport cursor_t, node_t, table_t

cdef enum:
    EARLY = 1 << 14                     # simulations; until then, while each teaches much,
    BUSY = 32                           # visits of one thread after which its entry is published,
    LONGEST = 256                       # most visits between two settlements,
    PART = 2                            # and never more than one in so many of those the entry has had;
    LATE_BUSY = 64                      # from then on; from the first on it gave RAVE 5 % in 200,000
    LATE_LONGEST = 1024
    LATE_PART = 1
    LONGEST_IN_BLOCKS = 128             # where entries have blocks, early and late
    SMALL_PART = 256                    # but one in so many is always allowed
    SEEM_LOST = 2                       # times that a move left to others seems to have been lost more
    MOST_BYTES = 1 << 26                # for a thread's copies
    MOST_DUE = 64                       # entries that are published or settled after one flight
    NEVER = 0xFFFFFFFF

cdef struct copy_t:
    node_t own                          # the copy, with a body and a block of its own
    node_t agreed                       # how it was when last settled; in its body there are no moves
    node_t* entry                       # in the shared table

cdef struct fringe_t:
    table_t table                       # finds own entries and copies, and has the memory of the copies
    cursor_t cursor                     # into it
    table_t* shared
    cursor_t* arena                     # where the thread takes the memory of own entries: in the shared table's
    node_t* root
    int64_t own                         # entries that are nobody else's
    int64_t published                   # entries put into the shared table, not yet counted there,
    int64_t may_publish                 # of so many that there are slots for
    int64_t expected                    # more entries, in what is left of the run
    int number                          # of the thread
    int threads
    uint32_t busy                       # BUSY, LONGEST and PART of the present batch
    uint32_t longest
    uint32_t part
    uint32_t ref                        # GRAVE's
    int n_due
    node_t* due[MOST_DUE]


cdef inline void note_due(fringe_t* fringe, node_t* node) noexcept nogil:
    """Publish or settle this one after the flight: until then walks hold on to it."""
    if fringe.n_due < MOST_DUE:
        fringe.due[fringe.n_due] = node
        fringe.n_due += 1
        node.due = NEVER


cdef fringe_t* fringe_open(table_t* shared, cursor_t* arena, uint32_t ref) except NULL
cdef void fringe_pace(fringe_t* fringe, int64_t playouts) noexcept nogil
cdef int64_t fringe_limit(const table_t* shared) noexcept nogil
cdef void fringe_close(fringe_t* fringe) noexcept nogil
cdef node_t* take_over(fringe_t* fringe, uint64_t key) noexcept nogil
cdef void add_own(fringe_t* fringe, node_t* node) noexcept nogil
cdef bint tend(fringe_t* fringe, node_t* root, int64_t more) noexcept nogil
cdef void share_bounds(fringe_t* fringe, node_t* own) noexcept nogil
cdef void give_up_copies(fringe_t* fringe) noexcept nogil
cdef void gather(fringe_t* fringe, uint64_t key) noexcept nogil
cdef void gather_all(fringe_t* fringe) noexcept nogil
