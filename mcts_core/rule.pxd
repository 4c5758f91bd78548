"""THE CONTRACT OF A TREE METHOD: how a move is chosen on the way down, and what a simulation teaches.

A rule is a `rule_t`: what an entry of the table keeps for it, and a few C functions. The engine does
all the rest in the same way for every rule: the walk, the table, playouts, visits and wins, AMAF
statistics, proven bounds, lanes and threads. The functions run without the GIL and must not fail.

A rule of your own: write `score`, fill a `rule_t` (or a struct that begins with one and holds your
settings), and hand it to `playout.Rule` in a capsule made by `rule_capsule`.
`tests/search/ucb1_tuned.pyx` is a complete example.
"""
from libc.stdint cimport uint32_t

from mcts_core.search.node cimport AMAF_OF_CODES, AMAF_OF_MOVES, NO_AMAF, amaf_t, layout_t, node_t
from mcts_core.search.table cimport table_t
from mcts_core.search.walk cimport walk_t, worker_t

cdef enum:
    RULE_ABI = 1                        # changes when the struct below changes
    MOST_COLUMNS = 64                   # of sums, or of counts, that a rule may add
    MOST_PHASES = 128                   # an entry keeps its phase in seven bits

cdef struct rule_t:
    int abi                             # RULE_ABI

    # What entries keep, besides visits and wins of each move
    # Its own columns begin at index 1 of `sums_of` and `counts_of`, and at 2 with AMAF_OF_MOVES.
    int n_sums                          # columns of doubles that `learn` adds to
    int n_counts                        # and of uint32
    amaf_t amaf                         # AMAF statistics, which the engine counts
    uint32_t ref                        # AMAF_OF_CODES: an entry with more visits has statistics of its own
    int n_phases                        # above 1: `phase_of` tells the phase of the game, in this many equal parts

    # Choosing
    bint untried_first                  # the first visits of an entry go to its moves in order, without a score
    # The score of each move of an entry: a number or INFINITY, never nan. The highest is chosen.
    # `reference` (AMAF_OF_CODES only) is the nearest entry on the path with AMAF statistics of codes.
    void (*score)(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                  double* scores) noexcept nogil
    # The weight of a move's AMAF mean in its score, given the move's statistics. NULL: AMAF has none.
    double (*weight)(const rule_t* rule, const node_t* node, int code, double wins, double visits,
                     double amaf_wins, double amaf_visits) noexcept nogil

    # Learning
    # What a result teaches about the move it was reached by, as the mover sees it, besides visits
    # and wins. NULL: nothing.
    void (*learn)(const rule_t* rule, const layout_t* layout, node_t* node, int move, double result) noexcept nogil
    # AMAF statistics: counts a walk in all entries of its path, as `count_moves` or `count_codes` does,
    # and may plan their next moves: it sets `planned` to 1 + the move, and `planned_node` to the entry that
    # the move leads to (NULL: unknown). The walk that follows a plan clears it. NULL: `count_moves` or
    # `count_codes`. Not used with a solver, which strikes moves out.
    void (*plan)(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil


cdef class Rule:
    """A rule in use, and what keeps its memory alive."""

    cdef const rule_t* c
    cdef object owner


cdef object rule_capsule(const rule_t* rule)
cdef int check_rule(const rule_t* rule) except -1
