"""Writing and reading records of playouts. The map is playout_log.pxd."""
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from mcts_core.base.atomics cimport load_pointer
from mcts_core.base.bits cimport count_bits
from mcts_core.game cimport code_words
from mcts_core.search.table cimport table_take

cdef extern from "mcts_core/search/playout_log.h":
    int log_pack(uint64_t word, uint8_t* mask, uint8_t* bytes) noexcept nogil
    int log_unpack(uint64_t* word, uint8_t mask, const uint8_t* bytes) noexcept nogil

cdef enum:
    PIECE = 1 << 14                     # bytes of the arena taken at a time for records; half a percent is lost
    SLACK = 8                           # bytes after the last one that packing may write to
    MARGIN = 8                          # least bytes of masks: unpacking may read that far back, but never the links


cdef inline int masks_room(int n_words) noexcept nogil:
    return max(n_words, <int> MARGIN)


cdef void open_record(log_writer_t* writer, table_t* table, cursor_t* cursor, const uint64_t* seen, double result,
                      int n) noexcept nogil:
    """Begin a record of a playout for n entries. Without memory there is none."""
    cdef int n_words = code_words(table.layout.n_codes), halves = <int> (2.0 * result), word, i
    cdef int64_t most = (n * (sizeof(log_t*) + sizeof(uint16_t)) + masks_room(n_words) + 8 * n_words + SLACK
                         + sizeof(double))
    cdef uint8_t* masks
    cdef uint8_t* free
    writer.left = 0
    if cursor.records_end - cursor.records < most and not take_piece(table, cursor, most):
        return
    writer.link, writer.left = <log_t**> cursor.records + n - 1, n
    writer.link[0] = <log_t*> <size_t> (LOSS + halves if 0.5 * halves == result else ANY_RESULT)
    for i in range(1, n):
        writer.link[-i] = NULL
    masks = <uint8_t*> (writer.link + 1)
    free = masks + masks_room(n_words)
    for word in range(n_words):
        free += log_pack(seen[word], masks + word, free)
    if <size_t> writer.link[0] == ANY_RESULT:
        memcpy(free, &result, sizeof(double))
        free += sizeof(double)
    writer.code = <char*> free
    free += (n - 1) * sizeof(uint16_t)
    cursor.records += (<char*> free - cursor.records + 7) & -8


cdef bint take_piece(table_t* table, cursor_t* cursor, int64_t least) noexcept nogil:
    cdef int64_t size = max(<int64_t> PIECE, least)
    cdef char* piece = <char*> table_take(table, cursor, size)
    if piece == NULL:
        return False
    cursor.records, cursor.records_end = piece, piece + size
    return True


cdef int links_below(const log_t* log) noexcept nogil:
    """Return the number of links that the record has below this one. Other threads may change the links meanwhile."""
    cdef int n = 0
    while not <size_t> load_pointer(&(<void**> log)[n]) & MARKS:
        n += 1
    return n


cdef double read_record(const log_t* log, int n_words, uint64_t* seen) noexcept nogil:
    """Return the result of a playout, and write to `seen` the codes that count for the entry of this link."""
    cdef int n = links_below(log), word, i
    cdef void** first = <void**> log + n
    cdef int mark = <size_t> load_pointer(first) & MARKS
    cdef const uint8_t* masks = <const uint8_t*> (first + 1)
    cdef const uint8_t* rest = masks + masks_room(n_words)      # what is still to be read
    cdef double result = 0.5 * (mark - LOSS)
    cdef uint16_t code
    for word in range(n_words):
        rest += log_unpack(&seen[word], masks[word], rest)
    if mark == ANY_RESULT:
        memcpy(&result, rest, sizeof(double))
        rest += sizeof(double)
    for i in range(n):
        memcpy(&code, rest + i * sizeof(uint16_t), sizeof(uint16_t))
        seen[code >> 6] |= <uint64_t> 1 << (code & 63)
    return result


cdef const void* codes_above(const log_t* deepest, int n_words) noexcept nogil:
    """Return where the codes of the moves above link 0 of a record begin. They need not be aligned."""
    cdef const uint8_t* masks = <const uint8_t*> (<void**> deepest + 1)
    cdef const uint8_t* rest = masks + masks_room(n_words)
    cdef int word
    for word in range(n_words):
        rest += count_bits(masks[word])
    return rest + (sizeof(double) if <size_t> deepest.next & MARKS == ANY_RESULT else 0)


# Copying, by one thread while all others rest

cdef inline bint is_moved(const size_t* first) noexcept nogil:
    return first[0] & MARKS == MOVED


cdef inline size_t* new_links(const size_t* first) noexcept nogil:
    """The highest link of the copy of a record."""
    return (<size_t**> (first + 1))[0]


cdef void set_mark(size_t* first, size_t mark) noexcept nogil:
    first[0] = (first[0] & ~<size_t> MARKS) | mark


cdef log_t* copy_link(table_t* table, cursor_t* cursor, log_t* log) noexcept nogil:
    """The link of the same entry in a copy of its record, which is made here if there is none; NULL: no memory."""
    cdef int n = links_below(log), n_new
    cdef size_t* first = <size_t*> log + n
    cdef size_t* links
    if is_moved(first):
        n_new = links_below(<log_t*> new_links(first))
        if n <= n_new:
            return <log_t*> (new_links(first) + n_new - n)
        put_back(<log_t*> first)
    links = copy_record(table, cursor, first, n)
    if links == NULL:
        return NULL
    set_mark(first, MOVED)
    (<size_t**> (first + 1))[0] = links
    return <log_t*> links


cdef size_t* copy_record(table_t* table, cursor_t* cursor, const size_t* first, int n) noexcept nogil:
    """A copy of a record, with n links above link 0. Returns the highest."""
    cdef const uint8_t* masks = <const uint8_t*> (first + 1)
    cdef int n_words = code_words(table.layout.n_codes), word
    cdef int64_t size = masks_room(n_words) + n * sizeof(uint16_t)
    cdef size_t* links
    for word in range(n_words):
        size += count_bits(masks[word])
    if first[0] & MARKS == ANY_RESULT:
        size += sizeof(double)
    if (cursor.records_end - cursor.records < <int64_t> ((n + 1) * sizeof(size_t)) + size + SLACK
            and not take_piece(table, cursor, (n + 1) * sizeof(size_t) + size + SLACK)):
        return NULL
    links = <size_t*> cursor.records
    memset(links, 0, n * sizeof(size_t))
    links[n] = first[0] & MARKS
    memcpy(links + n + 1, masks, size)
    cursor.records += ((n + 1) * <int64_t> sizeof(size_t) + size + 7) & -8
    return links


cdef void put_back(log_t* log) noexcept nogil:
    """Restore the record of a link if it was copied. The copy must still be there."""
    cdef size_t* first = <size_t*> log + links_below(log)
    cdef size_t* copied
    if is_moved(first):
        copied = new_links(first)
        copied += links_below(<log_t*> copied)
        first[1] = copied[1]
        set_mark(first, copied[0] & MARKS)
