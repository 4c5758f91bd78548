"""An entry of the table: a header of one cache line, and a body with a column of numbers for each statistic.

An entry gets its body when a walk first chooses a move in it. Most entries are leaves to which no
walk returns, so they never get one, which saves memory and time. A body is a set of columns, one
number a move in each, so that choosing and learning are loops over contiguous numbers:

    sums      double    wins of the edges; then the sums that the rule adds to (RAVE: AMAF wins)
    bounds    double    low and high of the true values, if the search has a solver
    values    double    minimax values of evaluations, if the search keeps them (minimax_values.pxd)
    proofs    double    proof numbers of both players, if the search keeps them (proof_numbers.pxd)
    priors    double    what an evaluation expected of the moves, if the search asks for it (knowledge.pxd)
    counts    uint32    visits of the edges; then the counts that the rule adds to (RAVE: AMAF visits)
    moves     move_t    in the order of `legal_moves`
    codes     uint16    their AMAF codes, if the rule uses them

`layout_t` says where each column begins. `layout_of` computes it once from what a rule asks for.

With several threads an entry is in one of three states:

                  publish                       adopt
    OWN  ─────────────────────────>  SHARED  ───────────>  COPY
    in one thread's view             in the table          in a thread's view,
    only that thread                 all threads, under    counts for that thread, and
    changes it                       the entry's lock      settles with the SHARED entry
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from mcts_core.base.atomics cimport let_others, try_lock
from mcts_core.game cimport move_t

cdef enum:
    WIDTH = 8                           # columns are padded to a multiple of this many moves, for whole SIMD vectors

cdef enum amaf_t:                       # which AMAF statistics an entry keeps
    NO_AMAF
    AMAF_OF_MOVES                       # of its own moves, as columns
    AMAF_OF_CODES                       # of all codes of the game, in a block, once it has more than `ref` visits

cdef enum:                              # states of an entry, above
    SHARED
    OWN
    COPY

cdef struct log_t:                      # one playout of an entry that has no AMAF counters yet
    log_t* next                         # the log written before
    double result                       # AMAF_OF_MOVES. With AMAF_OF_CODES entries share it (playout_log.pxd)
    # the codes that occurred follow, as bits

cdef enum:                              # forms of a block: how wide its counters are
    BLOCK_8
    BLOCK_16
    BLOCK_32
    BLOCK_EXACT
    BLOCK_FORMS                         # how many forms there are

cdef struct block_t:                    # AMAF counters of all codes (amaf_block.pxd)
    uint32_t count                      # playouts in it
    uint32_t pending                    # of these, BLOCK_32 has in its narrow counters
    int form
    int n_own                           # moves that `own` has room for
    double* own                         # AMAF counters of the entry's own moves (amaf.pxd)
    block_t* next                       # of an outgrown block: another one of its form
    char[32] rest                       # the counters follow, at the start of a cache line

cdef union amaf_memory_t:
    log_t* log                          # playouts not counted yet, the last one first; NULL: none
    block_t* block                      # if `has_block` (AMAF_OF_CODES)

cdef struct node_t:
    uint64_t key
    double* body                        # the columns; NULL: no move was chosen here yet
    double low                          # bounds on the true value, the first player's
    double high
    amaf_memory_t amaf
    node_t* planned_node                # where `planned` leads; NULL: unknown
    uint32_t t                          # visits
    uint32_t due                        # with threads: the number of visits at which it is published or settled
    uint16_t n_moves                    # 0: no body yet
    uint16_t planned                    # 1 + the index of the next visit's move, if chosen ahead; else 0
    uint8_t side                        # bit 0: the mover; bits 1 to 7: the phase of the game
    uint8_t lock                        # of a SHARED entry
    uint8_t kind                        # SHARED, OWN or COPY
    uint8_t has_block

cdef struct columns_t:                  # columns that only some searches have
    bint bounds
    bint values
    bint proofs
    int prior                           # visits that each move begins with, each a result of its prior; 0: no priors

cdef struct layout_t:
    int n_sums                          # columns of doubles that simulations add to; the first is wins
    int n_counts                        # columns of uint32; the first is visits
    columns_t has                       # columns that only some searches have
    bint codes
    amaf_t amaf
    int n_codes                         # of the game
    uint32_t ref
    int lows_at                         # where each column begins: its offset in bytes is this * room_of(node)
    int highs_at
    int values_at
    int proofs_at                       # two columns
    int priors_at
    int counts_at
    int moves_at
    int codes_at
    int size                            # bytes of a body, divided by room_of(node)


cdef inline layout_t layout_of(int n_sums, int n_counts, columns_t has, bint codes) noexcept nogil:
    """Return the layout of a body, the widest numbers first so that all are aligned."""
    cdef layout_t layout
    layout.n_sums, layout.n_counts, layout.has, layout.codes = n_sums, n_counts, has, codes
    layout.amaf, layout.n_codes, layout.ref = NO_AMAF, 0, 0
    layout.lows_at = n_sums * sizeof(double)
    layout.highs_at = layout.lows_at + has.bounds * sizeof(double)
    layout.values_at = layout.highs_at + has.bounds * sizeof(double)
    layout.proofs_at = layout.values_at + has.values * sizeof(double)
    layout.priors_at = layout.proofs_at + 2 * has.proofs * sizeof(double)
    layout.counts_at = layout.priors_at + (has.prior > 0) * sizeof(double)
    layout.moves_at = layout.counts_at + n_counts * sizeof(uint32_t)
    layout.codes_at = layout.moves_at + sizeof(move_t)
    layout.size = layout.codes_at + codes * sizeof(uint16_t)
    return layout


cdef inline int turn_of(const node_t* node) noexcept nogil:
    return node.side & 1

cdef inline int phase_of(const node_t* node) noexcept nogil:
    return node.side >> 1

cdef inline int room_for(int n_moves) noexcept nogil:
    """Return a number of moves, rounded up to whole vectors."""
    return (n_moves + WIDTH - 1) & -WIDTH

# The columns of an entry that has a body. Padding past the last move is undefined.

cdef inline int room_of(const node_t* node) noexcept nogil:
    """Return how many moves a column of this entry has room for."""
    return room_for(node.n_moves)

cdef inline void* column(const node_t* node, int at) noexcept nogil:
    return <char*> node.body + <long> at * room_of(node)

cdef inline double* wins_of(const node_t* node) noexcept nogil:
    """Return the sums of the edges' results, as the mover sees them."""
    return node.body

cdef inline double* sums_of(const node_t* node, int k) noexcept nogil:
    """Return column k of the sums; 0 is wins."""
    return node.body + k * room_of(node)

cdef inline uint32_t* visits_of(const layout_t* layout, const node_t* node) noexcept nogil:
    return <uint32_t*> column(node, layout.counts_at)

cdef inline uint32_t* counts_of(const layout_t* layout, const node_t* node, int k) noexcept nogil:
    """Return column k of the counts; 0 is visits."""
    return visits_of(layout, node) + k * room_of(node)

cdef inline double* lows_of(const layout_t* layout, const node_t* node) noexcept nogil:
    return <double*> column(node, layout.lows_at)

cdef inline double* highs_of(const layout_t* layout, const node_t* node) noexcept nogil:
    return <double*> column(node, layout.highs_at)

cdef inline double* values_of(const layout_t* layout, const node_t* node) noexcept nogil:
    return <double*> column(node, layout.values_at)

cdef inline double* proofs_of(const layout_t* layout, const node_t* node, int player) noexcept nogil:
    return <double*> column(node, layout.proofs_at) + player * room_of(node)

cdef inline double* priors_of(const layout_t* layout, const node_t* node) noexcept nogil:
    return <double*> column(node, layout.priors_at)

cdef inline move_t* moves_of(const layout_t* layout, const node_t* node) noexcept nogil:
    return <move_t*> column(node, layout.moves_at)

cdef inline uint16_t* codes_of(const layout_t* layout, const node_t* node) noexcept nogil:
    return <uint16_t*> column(node, layout.codes_at)

# AMAF_OF_MOVES puts its columns first among those that a rule adds

cdef inline double* amaf_wins_of(const node_t* node) noexcept nogil:
    return sums_of(node, 1)

cdef inline uint32_t* amaf_visits_of(const layout_t* layout, const node_t* node) noexcept nogil:
    return counts_of(layout, node, 1)

# AMAF_OF_CODES

cdef inline block_t* block_of(const node_t* node) noexcept nogil:
    """Return the AMAF counters of all codes; NULL if there is only a log yet."""
    return node.amaf.block if node.has_block else NULL

cdef inline bint lacks_block(const layout_t* layout, const node_t* node) noexcept nogil:
    return layout.amaf == AMAF_OF_CODES and not node.has_block

# Logs

cdef inline uint64_t* log_bits(log_t* log) noexcept nogil:
    return <uint64_t*> (log + 1)


cdef inline void lock(node_t* node) noexcept nogil:
    """Wait for the lock of a SHARED entry. `unlock(&node.lock)` releases it."""
    while not try_lock(&node.lock):
        let_others()
