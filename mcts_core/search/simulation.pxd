"""One search in a tree: its settings, what its threads share, and what each has to itself.

The simulation itself is simulation.pyx; the search as Python sees it, tree.pyx.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from mcts_core.base.atomics cimport load_double
from mcts_core.search.thread_view cimport fringe_t
from mcts_core.game cimport MOVES_ROOM, any_state_t, game_t, job_t, move_t, playout_t
from mcts_core.rng cimport rng_t
from mcts_core.search.table cimport cursor_t, layout_t, node_t, table_t

cdef enum method_t:
    UCT
    RAVE
    GRAVE

cdef enum beta_t:
    MSE
    HAND
    HEURISTIC
    VARIANCE

cdef enum scale_t:
    ONE_BIAS
    BY_KIND
    BY_PHASE

cdef struct config_t:
    method_t method
    double c                            # of the exploration term; 0: none
    bint has_fpu
    double fpu                          # what an untried move scores, if not "first of all"
    beta_t beta
    double k
    double min_samples
    scale_t scale
    int n_bias
    double* bias                        # one, or by phase
    double* bias_of_code                # by kind of move, spread out
    uint32_t ref                        # GRAVE: an entry serves as reference once t is above
    bint solver

cdef struct search_t:                   # what the threads share
    const game_t* game
    playout_t playout
    int lanes                           # simulations in a flight
    bint chooses_ahead                  # RAVE: an entry's next move, when its counters have just changed
    bint has_kernel                     # the game plays their playouts together
    config_t config
    table_t table
    any_state_t root_state
    node_t* root
    int64_t batch                       # simulations in this batch
    int64_t handful                     # of them that a thread takes at a time
    int64_t endless                     # a walk was longer than the game says any can be
    int64_t breach                      # the game has broken its contract in another way
    char[64] apart                      # what all threads write lies in a cache line of its own
    int64_t next                        # simulations handed out in this batch

cdef struct place_t:                    # one simulation of a flight, from its walk to its update
    rng_t rng                           # of the playouts in this place
    any_state_t state                   # the position on the way down
    node_t** path                       # the entries passed
    int* chosen                         # the move chosen in each
    uint64_t* seen                      # the codes from some entry on, as bits
    node_t* leaf                        # the entry that the walk ended at; NULL: none
    int depth                           # how many entries were passed
    bint needs_playout
    bint is_known                       # the walk ended where the true value is known
    double result

cdef struct worker_t:                   # what each thread has to itself
    cursor_t cursor
    fringe_t* fringe                    # NULL: the only thread
    place_t* places                     # as many as there are lanes
    job_t* jobs                         # the playouts of a flight
    int64_t played                      # simulations in this batch
    double seconds                      # that they took
    int64_t added                       # entries, not yet counted in the table's
    double[MOVES_ROOM] scores
    move_t[MOVES_ROOM] moves


cdef inline bint is_proven(const search_t* search) noexcept nogil:
    """Whether nothing is left to find out."""
    return search.config.solver and load_double(&search.root.low) == load_double(&search.root.high)


cdef bint can_choose_ahead(const search_t* search) noexcept nogil
cdef void run_simulations(search_t* search, worker_t* worker, bint shared) noexcept nogil
cdef node_t* add_entry(search_t* search, worker_t* worker, const void* state, uint64_t key, bint shared) noexcept nogil
cdef bint give_body(search_t* search, worker_t* worker, node_t* node, const void* state) noexcept nogil
cdef bint fill_body(const game_t* game, const layout_t* layout, node_t* node, const move_t* moves,
                    const void* state) noexcept nogil
cdef void score_moves(const search_t* search, node_t* node, node_t* reference, double* scores) noexcept nogil
cdef double beta_of(const config_t* config, node_t* node, int code, double w, double n,
                    double amaf_w, double amaf_n) noexcept nogil
