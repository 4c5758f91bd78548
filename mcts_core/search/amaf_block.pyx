"""Making, widening, copying and merging blocks. The map is amaf_block.pxd."""
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from mcts_core.base.bits cimport first_bit
from mcts_core.search.table cimport table_take


cdef int64_t block_size(int form, int n_codes) noexcept nogil:
    """Bytes of a block of this form."""
    cdef int64_t bytes_a_code = 2
    if form == BLOCK_16:
        bytes_a_code = sizeof(uint32_t)
    elif form == BLOCK_32:
        bytes_a_code = sizeof(uint16_t) + sizeof(uint64_t)
    elif form == BLOCK_EXACT:
        bytes_a_code = sizeof(uint32_t) + sizeof(double)
    return sizeof(block_t) + block_room(n_codes) * bytes_a_code


cdef block_t* block_new(table_t* table, cursor_t* cursor, int form) noexcept nogil:
    """An empty block; NULL if there is no memory."""
    cdef int64_t size = block_size(form, table.layout.n_codes)
    cdef block_t* block = cursor.blocks[form]
    if block != NULL:
        cursor.blocks[form] = block.next
        memset(block, 0, size)
    else:
        block = <block_t*> table_take(table, cursor, size)
    if block != NULL:
        block.form = form
    return block


cdef void recycle(cursor_t* cursor, block_t* block) noexcept nogil:
    """Keep an outgrown block for the next one of its form."""
    block.next = cursor.blocks[block.form]
    cursor.blocks[block.form] = block


# Counting

cdef void add_exactly(block_t* block, int n_codes, const uint64_t* seen, double result) noexcept nogil:
    """BLOCK_EXACT: count a playout code by code."""
    cdef int word, code
    cdef uint64_t rest
    for word in range(code_words(n_codes)):
        rest = seen[word]
        while rest:
            code = 64 * word + first_bit(rest)
            rest &= rest - 1
            exact_wins(block)[code] += result
            exact_visits(block, block_room(n_codes))[code] += 1


cdef void add_pending(block_t* block, int n_codes) noexcept nogil:
    """BLOCK_32: add the pairs of 8 bits to those of 32."""
    cdef int room = block_room(n_codes), code
    cdef uint16_t* narrow = pairs_8(block)
    cdef uint64_t* wide = pairs_32(block, room)
    for code in range(room):
        wide[code] += (narrow[code] & <uint64_t> 0xFF) | <uint64_t> (narrow[code] >> 8) << 32
        narrow[code] = 0
    block.pending = 0


cdef bint block_widen(table_t* table, cursor_t* cursor, block_t** block, uint32_t more, double result) noexcept nogil:
    """Give a block a form that holds n more playouts with such a result. Returns False if there is no memory."""
    cdef block_t* before = block[0]
    cdef block_t* after
    cdef int form = before.form if is_in_halves(result) else BLOCK_EXACT
    while form_limit(form) - before.count < more and form != BLOCK_EXACT:
        form += 1
    if form == before.form:
        return form_limit(form) - before.count >= more
    after = block_new(table, cursor, form)
    if after == NULL:
        return False
    add_difference(after, before, NULL, table.layout.n_codes)
    after.own, after.n_own = before.own, before.n_own
    block[0] = after
    recycle(cursor, before)
    return True


cdef void block_fill(block_t* block, int n_codes, const uint32_t* visits, const double* wins) noexcept nogil:
    """Give the counters of all codes to an empty block whose form holds them."""
    cdef double[64] its_wins
    cdef uint32_t[64] its_visits
    cdef int word, n
    for word in range(code_words(n_codes)):
        n = min(64, n_codes - 64 * word)
        memset(its_wins, 0, sizeof(its_wins))
        memset(its_visits, 0, sizeof(its_visits))
        memcpy(its_wins, wins + 64 * word, n * sizeof(double))
        memcpy(its_visits, visits + 64 * word, n * sizeof(uint32_t))
        add_word(block, block_room(n_codes), word, its_wins, its_visits)


# Copies and merges

cdef bint block_copy(table_t* table, cursor_t* cursor, block_t** into, const block_t* block) noexcept nogil:
    """Give `into`, NULL or a block, the counters of a block. Returns False, and `into` is NULL, without memory."""
    cdef double* own = into[0].own if into[0] != NULL else NULL
    cdef int n_own = into[0].n_own if into[0] != NULL else 0
    if into[0] != NULL and into[0].form != block.form:
        recycle(cursor, into[0])
        into[0] = NULL
    if into[0] == NULL:
        into[0] = block_new(table, cursor, block.form)
    if into[0] == NULL:
        return False
    memcpy(into[0], block, block_size(block.form, table.layout.n_codes))
    into[0].own, into[0].n_own = own, n_own
    return True


cdef void block_merge(table_t* table, cursor_t* cursor, block_t** into, const block_t* counted,
                      const block_t* settled) noexcept nogil:
    """Add what was counted since `settled` (NULL: since the beginning). Without memory to hold it, add nothing."""
    cdef uint32_t more = counted.count - (settled.count if settled != NULL else 0)
    cdef double any_result = 0.25, half = 0.5           # what `counted` may have counted
    if block_widen(table, cursor, into, more, any_result if counted.form == BLOCK_EXACT else half):
        add_difference(into[0], counted, settled, table.layout.n_codes)


cdef void add_difference(block_t* into, const block_t* counted, const block_t* settled, int n_codes) noexcept nogil:
    """Add what `counted` has more than `settled` (NULL: nothing) to a block whose form holds it."""
    cdef double[64] wins, settled_wins
    cdef uint32_t[64] visits, settled_visits
    cdef int room = block_room(n_codes), word, i
    into.count += counted.count - (settled.count if settled != NULL else 0)
    for word in range(room // 64):
        read_word(counted, room, word, wins, visits)
        if settled != NULL:
            read_word(settled, room, word, settled_wins, settled_visits)
            for i in range(64):
                wins[i] -= settled_wins[i]
                visits[i] -= settled_visits[i]
        add_word(into, room, word, wins, visits)


cdef void read_word(const block_t* block, int room, int word, double* wins, uint32_t* visits) noexcept nogil:
    """The counters of 64 codes."""
    cdef int i
    for i in range(64):
        wins[i] = block_wins(block, room, 64 * word + i, &visits[i])


cdef void add_word(block_t* block, int room, int word, const double* wins, const uint32_t* visits) noexcept nogil:
    """Add to the counters of 64 codes."""
    cdef int code = 64 * word, i
    if block.form == BLOCK_8:
        for i in range(64):
            pairs_8(block)[code + i] += <uint32_t> (2.0 * wins[i]) << 8 | visits[i]
    elif block.form == BLOCK_16:
        for i in range(64):
            pairs_16(block)[code + i] += <uint32_t> (2.0 * wins[i]) << 16 | visits[i]
    elif block.form == BLOCK_32:
        for i in range(64):
            pairs_32(block, room)[code + i] += <uint64_t> (2.0 * wins[i]) << 32 | visits[i]
    else:
        for i in range(64):
            exact_wins(block)[code + i] += wins[i]
            exact_visits(block, room)[code + i] += visits[i]
