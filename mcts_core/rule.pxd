"""THE CONTRACT OF A TREE METHOD: how a walk chooses a move, and what a simulation's result updates.

A rule is a `rule_t`: what an entry of the table keeps for it, and a few C functions. The engine does
the rest in the same way for every rule: the walk, the table, playouts, visits and wins, AMAF
statistics, proven bounds, lanes and threads. The functions run without the GIL and cannot raise.

To add a rule: write `score`, fill a `rule_t` (or a struct that begins with one and holds your
settings), and pass it to `playout.Rule` in a capsule made by `rule_capsule`.
`tests/search/ucb1_tuned.pyx` is a complete example.
"""
from libc.stdint cimport uint32_t

from mcts_core.search.node cimport AMAF_OF_CODES, AMAF_OF_MOVES, NO_AMAF, amaf_t, layout_t, node_t
from mcts_core.search.table cimport table_t
from mcts_core.search.walk cimport walk_t, worker_t

cdef enum:
    RULE_ABI = 2                        # changes when the struct below changes
    MOST_COLUMNS = 64                   # columns of sums, or of counts, that a rule may add
    MOST_PHASES = 128                   # phases of a game: an entry stores its phase in seven bits

cdef struct rule_t:
    int abi                             # RULE_ABI

    # What entries keep besides the visits and wins of each move.
    # The rule's own columns begin at index 1 of `sums_of` and `counts_of`, or at 2 with AMAF_OF_MOVES.
    int n_sums                          # columns of doubles that `learn` adds to
    int n_counts                        # columns of uint32 that `learn` adds to
    amaf_t amaf                         # AMAF statistics, which the engine counts
    uint32_t ref                        # AMAF_OF_CODES: an entry with more visits gets a block of its own
    int n_phases                        # above 1: entries store the phase of the game, one of n equal parts

    # Choosing
    bint untried_first                  # an entry's first visits go to its moves in order, without `score`
    # The score of each move of an entry: a number or INFINITY, never nan. The highest is chosen. With priors `t` may
    # be 0 while moves have visits.
    # `reference` (AMAF_OF_CODES only) is the nearest entry on the path with AMAF statistics of codes.
    void (*score)(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                  double* scores) noexcept nogil
    # The weight of a move's AMAF mean in its score, for the column `beta` of results. NULL: there is none.
    double (*weight)(const rule_t* rule, const node_t* node, int code, double wins, double visits,
                     double amaf_wins, double amaf_visits) noexcept nogil

    # Learning
    # Adds a result, as the mover sees it, to the rule's own columns of the move that was chosen. Visits
    # and wins are counted already. NULL: there are no own columns.
    void (*learn)(const rule_t* rule, const layout_t* layout, node_t* node, int move, double result) noexcept nogil
    # AMAF statistics: counts a walk in all entries of its path, as `count_moves` or `count_codes` does, and
    # may plan their next moves: it sets `planned` to 1 + the index of the move, and `planned_node` to the
    # entry that it leads to (NULL: unknown). The walk that follows a plan clears it. NULL: the engine calls
    # `count_moves` or `count_codes`, as it does with a solver, which may exclude a planned move.
    void (*plan)(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil


cdef class Rule:
    """A rule in use, and what keeps its memory alive."""

    cdef const rule_t* c
    cdef object owner


cdef object rule_capsule(const rule_t* rule)
cdef int check_rule(const rule_t* rule) except -1
