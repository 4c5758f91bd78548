"""The state of a tree search that its threads share. What each has to itself is in walk.pxd."""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.atomics cimport load_double
from mcts_core.game cimport any_state_t, game_t
from mcts_core.playouts cimport rollout_t
from mcts_core.rule cimport rule_t
from mcts_core.search.knowledge cimport knowledge_t
from mcts_core.search.node cimport layout_t, node_t
from mcts_core.search.schedule cimport schedule_t
from mcts_core.search.table cimport table_t
from mcts_core.search.walk cimport walk_t, worker_t

ctypedef void (*count_amaf_t)(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil

cdef struct search_t:                   # what the threads share
    const game_t* game
    rollout_t rollout                   # by the policy; not used by one that learns
    const rule_t* rule
    count_amaf_t count_amaf             # counts a walk in the AMAF statistics; NULL: there are none
    bint solver                         # bounds are kept
    knowledge_t knowledge
    bint values_leaves                  # tactics or an evaluation value new positions
    bint adjusts                        # scores of the rule are adjusted by bounds, values or proof numbers
    schedule_t* schedule                # chooses at the root, on one thread; NULL: the rule does
    int lanes                           # simulations in a flight
    table_t table
    any_state_t root_state
    node_t* root
    int64_t batch                       # simulations in this batch
    int64_t handful                     # simulations of a batch that a thread takes at a time
    int64_t endless                     # 1: a walk was longer than max_plies
    int64_t breach                      # 1: the game broke its contract in another way
    char[64] apart                      # padding: all threads write the field below
    int64_t next                        # simulations handed out in this batch


cdef inline bint is_proven(const search_t* search) noexcept nogil:
    """Return whether the root's value is proven."""
    return search.solver and load_double(&search.root.low) == load_double(&search.root.high)


cdef void set_rule(search_t* search, const rule_t* rule) noexcept
cdef layout_t layout_for(const search_t* search) noexcept
cdef void run_simulations(search_t* search, worker_t* worker, bint shared) noexcept nogil
