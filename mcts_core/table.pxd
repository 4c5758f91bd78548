"""The transposition table: entries found by key, made in an arena that is freed as a whole.

An entry is a header and, behind it, its statistics as arrays over its legal moves, so that
selection and the AMAF update are loops over contiguous numbers. Which arrays an entry has depends
on the search (`layout_t`). Entries never move while a search runs; chains of entries hang on
buckets, and an entry is complete before it is hung up, so finding and adding need no lock.
"""
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from mcts_core.game cimport move_t

cdef struct log_t:                      # GRAVE: one playout of a young entry
    log_t* next                         # the one before
    double result
    # behind it: the codes that occurred, as bits

cdef struct node_t:                     # an entry; its arrays follow it
    uint64_t key
    node_t* next                        # in its bucket
    double low                          # bounds on the true value, the first player's
    double high
    double* block                       # GRAVE: w~ of all codes, n~ behind; NULL: still a log
    log_t* log                          # GRAVE: the playouts so far, the last one first
    uint32_t t                          # visits
    uint16_t n_moves
    uint8_t turn                        # the mover
    uint8_t phase                       # which of RAVE's biases, where these go by phase
    uint8_t lock                        # GRAVE with threads: guards the log

cdef struct layout_t:                   # which arrays the entries of a table have
    bint amaf                           # RAVE: w~, n~ of the legal moves
    bint bounds                         # solver: low, high of the legal moves
    bint codes                          # RAVE, GRAVE: the moves' AMAF codes

cdef struct chunk_t:                    # a piece of the arena; its memory follows it
    chunk_t* next
    int64_t size

cdef struct cursor_t:                   # where a thread takes the memory for its next entry
    char* free
    char* end

cdef struct table_t:
    layout_t layout
    int n_codes
    node_t** buckets
    uint64_t n_buckets                  # a power of two
    int64_t n_nodes                     # the threads' own counts are added after each batch
    int64_t used                        # bytes
    int64_t limit                       # bytes that may be used
    int64_t full                        # the limit was met
    chunk_t* chunks


cdef inline double* wins_of(node_t* node) noexcept nogil:
    return <double*> (node + 1)

cdef inline double* amaf_wins_of(node_t* node) noexcept nogil:
    return wins_of(node) + node.n_moves

cdef inline double* lows_of(const layout_t* layout, node_t* node) noexcept nogil:
    return wins_of(node) + (1 + layout.amaf) * node.n_moves

cdef inline double* highs_of(const layout_t* layout, node_t* node) noexcept nogil:
    return lows_of(layout, node) + node.n_moves

cdef inline uint32_t* visits_of(const layout_t* layout, node_t* node) noexcept nogil:
    return <uint32_t*> (wins_of(node) + (1 + layout.amaf + 2 * layout.bounds) * node.n_moves)

cdef inline uint32_t* amaf_visits_of(const layout_t* layout, node_t* node) noexcept nogil:
    return visits_of(layout, node) + node.n_moves

cdef inline move_t* moves_of(const layout_t* layout, node_t* node) noexcept nogil:
    return <move_t*> (visits_of(layout, node) + (1 + layout.amaf) * node.n_moves)

cdef inline uint16_t* codes_of(const layout_t* layout, node_t* node) noexcept nogil:
    return <uint16_t*> (moves_of(layout, node) + node.n_moves)

cdef inline uint32_t* block_visits(const table_t* table, node_t* node) noexcept nogil:
    return <uint32_t*> (node.block + table.n_codes)

cdef inline uint64_t* log_bits(log_t* log) noexcept nogil:
    return <uint64_t*> (log + 1)

cdef inline int code_words(int n_codes) noexcept nogil:
    return (n_codes + 63) // 64


cdef int table_open(table_t* table, layout_t layout, int n_codes, int64_t limit) except -1
cdef void table_close(table_t* table) noexcept nogil
cdef void table_reserve(table_t* table, int64_t more) noexcept nogil
cdef node_t* table_find(table_t* table, uint64_t key) noexcept nogil
cdef node_t* table_new(table_t* table, cursor_t* cursor, uint64_t key, int n_moves) noexcept nogil
cdef node_t* table_add(table_t* table, node_t* node) noexcept nogil
cdef void* table_take(table_t* table, cursor_t* cursor, int64_t size) noexcept nogil
cdef int64_t node_size(const layout_t* layout, int n_moves) noexcept nogil
