"""The log of AMAF_OF_CODES: playouts of entries that have no block yet.

Entries in a row on a path that have no block share one record of a playout, and each has a link to it. The
record holds the codes of the deepest entry as a set, without empty bytes. An entry above has the codes of the
one below it and the code of the move that leads there. On Breakthrough 8x8 more than half the bytes of a set are
empty, and four entries share a record.

A record lies in the arena of a table and is never freed on its own. From lower to higher addresses:

    link n-1 ... link 1, link 0     of the highest ... the deepest entry
    a byte for each word            which of its bytes are not 0
    these bytes
    a double                        the result, if it is not 0, 1/2 or 1
    n - 1 codes                     of the moves from entry 1 to entry 0, from 2 to 1 ...

A link is a log_t that consists of `next` only. The three lowest bits of this address are free. They are 0 except
in link 0, where they are the mark of the record, which says what result it has.

When a table is copied (keep.pyx), a record is copied for the first of its entries that is copied, with the links
from there down. The old record gets the mark MOVED and, in place of its first masks, the address of the highest
link of the new one. `put_back` undoes that.
"""
from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memcpy

from mcts_core.base.atomics cimport store_pointer
from mcts_core.search.node cimport log_t
from mcts_core.search.table cimport cursor_t, table_t

cdef enum:
    MARKS = 7                           # the bits of a mark. Marks are
    LOSS = 1                            # of the first player; 2 is half a win, 3 a win
    ANY_RESULT = 4                      # the result is in the record
    MOVED = 5                           # the record was copied

cdef struct log_writer_t:               # a record that is being written
    log_t** link                        # where the next link is
    char* code                          # where the next code goes; it need not be aligned
    int left                            # entries that have no link yet; 0: there is no record


cdef inline log_t* next_log(const log_t* log) noexcept nogil:
    return <log_t*> (<size_t> log.next & ~<size_t> MARKS)


cdef inline void set_next_log(log_t* log, const log_t* following) noexcept nogil:
    """Keep the mark of a link 0, because threads that read the entries above look for it meanwhile."""
    store_pointer(<void**> &log.next, <void*> (<size_t> following | (<size_t> log.next & MARKS)))


cdef inline log_t* take_link(log_writer_t* writer) noexcept nogil:
    """Return the link of the deepest entry that has none yet."""
    cdef log_t* log = <log_t*> writer.link
    writer.link -= 1
    writer.left -= 1
    return log


cdef inline void note_code(log_writer_t* writer, int code) noexcept nogil:
    """Write the code of the move from the entry that is linked next to the one that was linked last."""
    cdef uint16_t short_code = code
    memcpy(writer.code, &short_code, sizeof(uint16_t))
    writer.code += sizeof(uint16_t)


cdef void open_record(log_writer_t* writer, table_t* table, cursor_t* cursor, const uint64_t* seen, double result,
                      int n) noexcept nogil
cdef int links_below(const log_t* log) noexcept nogil
cdef const void* codes_above(const log_t* deepest, int n_words) noexcept nogil
cdef double read_record(const log_t* log, int n_words, uint64_t* seen) noexcept nogil
cdef log_t* copy_link(table_t* table, cursor_t* cursor, log_t* log) noexcept nogil
cdef void put_back(log_t* log) noexcept nogil
