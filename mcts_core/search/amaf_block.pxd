"""A block: AMAF counters of all codes of a game, in the narrowest form that holds them.

A block begins in BLOCK_8. It moves to a wider form, in another piece of memory, when its form cannot hold one
more playout, or when a result is not 0, 1/2 or 1:

    form           counters of each code                     playouts        bytes a code
    BLOCK_8        visits and halves of  8 bits                   127         2
    BLOCK_16       visits and halves of 16 bits           BLOCK_16_MOST       4
    BLOCK_32       visits and halves of 32 bits, and of 8    2^31 - 1        10
    BLOCK_EXACT    a uint32 and a double                     2^32 - 1        12, any result

Wins are counted in halves. The two counters of a code are one integer, its pair: visits in the lower half of the
bits, wins in the upper. So one addition counts a playout at a code, and one load reads both counters. Sums of
halves are exact in doubles, so all forms give the same numbers.

BLOCK_32 counts in pairs of 8 bits first, and adds these to the pairs of 32 bits when they are full. A simulation
then writes to a fifth of the block only.

A block that cannot move, because memory is full, counts no more and keeps what it has.

Nothing here knows entries or searches. Memory comes from a table's arena; outgrown blocks are used again.
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from mcts_core.base.bits cimport first_bit
from mcts_core.game cimport code_words
from mcts_core.search.node cimport BLOCK_8, BLOCK_16, BLOCK_32, BLOCK_EXACT, block_t
from mcts_core.search.table cimport cursor_t, table_t

cdef extern from "mcts_core/search/amaf_block.h":
    bint AMAF_BLOCK_VECTORS             # whether the functions below are there: with AVX-512
    # Adds a pair, of 16 or (`is_wide`) 32 bits, to the pairs of the codes in a set.
    void amaf_block_add(char* pairs, const uint64_t* seen, int n_words, bint is_wide, uint32_t pair) noexcept nogil
    # `block_read` for a multiple of 8 codes. Pointers to pairs that the block does not have are NULL.
    void amaf_block_read(const uint16_t* pairs_8, const uint32_t* pairs_16, const uint64_t* pairs_32,
                         const uint16_t* codes, int n, int turn, double* visits, double* wins) noexcept nogil

cdef enum:
    BLOCK_8_MOST = 0x7F                 # playouts: there are up to twice as many halves
    BLOCK_16_MOST = 0xFFF               # its counters hold 0x7FFF, but BLOCK_32 writes to less memory


# Where the counters of a form lie. `room` is the number of codes, rounded up to whole words of 64.

cdef inline int block_room(int n_codes) noexcept nogil:
    return 64 * code_words(n_codes)

cdef inline uint16_t* pairs_8(const block_t* block) noexcept nogil:
    return <uint16_t*> (block + 1)

cdef inline uint32_t* pairs_16(const block_t* block) noexcept nogil:
    return <uint32_t*> (block + 1)

cdef inline uint64_t* pairs_32(const block_t* block, int room) noexcept nogil:
    return <uint64_t*> (pairs_8(block) + room)

cdef inline double* exact_wins(const block_t* block) noexcept nogil:
    return <double*> (block + 1)

cdef inline uint32_t* exact_visits(const block_t* block, int room) noexcept nogil:
    return <uint32_t*> (exact_wins(block) + room)


# Counting

cdef inline bint is_in_halves(double result) noexcept nogil:
    return result == 0.0 or result == 0.5 or result == 1.0


cdef inline uint32_t form_limit(int form) noexcept nogil:
    """The most playouts that a form can hold."""
    if form == BLOCK_8:
        return BLOCK_8_MOST
    if form == BLOCK_16:
        return BLOCK_16_MOST
    return 0x7FFFFFFF if form == BLOCK_32 else <uint32_t> -1


cdef inline bint block_holds(const block_t* block, double result) noexcept nogil:
    """Whether the form of a block can hold one more playout with this result."""
    return block.count < form_limit(block.form) and (block.form == BLOCK_EXACT or is_in_halves(result))


cdef inline bint block_add(table_t* table, cursor_t* cursor, block_t** block, const uint64_t* seen,
                           double result) noexcept nogil:
    """Count a playout. Returns False if there is no memory for the form that it needs."""
    if not block_holds(block[0], result) and not block_widen(table, cursor, block, 1, result):
        return False
    count_in_form(block[0], table.layout.n_codes, seen, result)
    return True


cdef inline void count_in_form(block_t* block, int n_codes, const uint64_t* seen, double result) noexcept nogil:
    """Count a playout in a block whose form can hold it."""
    cdef uint32_t halves = <uint32_t> (2.0 * result)
    block.count += 1
    if block.form == BLOCK_EXACT:
        add_exactly(block, n_codes, seen, result)
        return
    if block.form == BLOCK_32:
        if block.pending == BLOCK_8_MOST:
            add_pending(block, n_codes)
        block.pending += 1
    if AMAF_BLOCK_VECTORS:
        amaf_block_add(<char*> (block + 1), seen, code_words(n_codes), block.form == BLOCK_16,
                       1 | halves << (16 if block.form == BLOCK_16 else 8))
    else:
        add_pairs(block, n_codes, seen, halves)


cdef inline void add_pairs(block_t* block, int n_codes, const uint64_t* seen, uint32_t halves) noexcept nogil:
    """Count a playout code by code."""
    cdef bint is_wide = block.form == BLOCK_16
    cdef uint64_t rest
    cdef int word, code
    for word in range(code_words(n_codes)):
        rest = seen[word]
        while rest:
            code = 64 * word + first_bit(rest)
            rest &= rest - 1
            if is_wide:
                pairs_16(block)[code] += 1 | halves << 16
            else:
                pairs_8(block)[code] += <uint16_t> (1 | halves << 8)


# Reading

cdef inline double block_wins(const block_t* block, int room, int code, uint32_t* visits) noexcept nogil:
    """Wins of a code as the first player sees them, and its visits."""
    cdef uint64_t pair
    cdef uint32_t halves
    if block.form == BLOCK_EXACT:
        visits[0] = exact_visits(block, room)[code]
        return exact_wins(block)[code]
    if block.form == BLOCK_16:
        pair = pairs_16(block)[code]
        visits[0], halves = pair & 0xFFFF, pair >> 16
        return 0.5 * halves
    pair = pairs_8(block)[code]
    visits[0], halves = pair & 0xFF, pair >> 8
    if block.form == BLOCK_32:
        pair = pairs_32(block, room)[code]
        visits[0] += <uint32_t> pair
        halves += pair >> 32
    return 0.5 * halves


cdef inline void block_read(const block_t* block, int n_codes, const uint16_t* codes, int n, int turn,
                            double* visits, double* wins) noexcept nogil:
    """Visits of n codes, and wins as the mover sees them. n is a multiple of WIDTH."""
    cdef int room = block_room(n_codes)
    if AMAF_BLOCK_VECTORS and block.form != BLOCK_EXACT:
        amaf_block_read(pairs_8(block), pairs_16(block) if block.form == BLOCK_16 else NULL,
                        pairs_32(block, room) if block.form == BLOCK_32 else NULL, codes, n, turn, visits, wins)
    else:
        read_one_by_one(block, n_codes, codes, n, turn, visits, wins)


cdef inline void read_one_by_one(const block_t* block, int n_codes, const uint16_t* codes, int n, int turn,
                                 double* visits, double* wins) noexcept nogil:
    """`block_read` for any block and any number of codes."""
    cdef uint32_t visits_of_code = 0
    cdef int i, room = block_room(n_codes)
    for i in range(n):
        wins[i] = block_wins(block, room, codes[i], &visits_of_code)
        visits[i] = visits_of_code
    if turn:
        for i in range(n):
            wins[i] = visits[i] - wins[i]


cdef void add_exactly(block_t* block, int n_codes, const uint64_t* seen, double result) noexcept nogil
cdef void add_pending(block_t* block, int n_codes) noexcept nogil
cdef void block_fill(block_t* block, int n_codes, const uint32_t* visits, const double* wins) noexcept nogil
cdef block_t* block_new(table_t* table, cursor_t* cursor, int form) noexcept nogil
cdef bint block_widen(table_t* table, cursor_t* cursor, block_t** block, uint32_t more, double result) noexcept nogil
cdef bint block_copy(table_t* table, cursor_t* cursor, block_t** into, const block_t* block) noexcept nogil
cdef void block_merge(table_t* table, cursor_t* cursor, block_t** into, const block_t* counted,
                      const block_t* settled) noexcept nogil
