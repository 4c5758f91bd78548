"""A walk: one simulation, from the root down to where its playout starts, until its result is counted.

And the worker: what a thread that walks has to itself.
"""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.game cimport MOVES_ROOM, any_state_t, job_t, move_t
from mcts_core.rng cimport rng_t
from mcts_core.minimax.alphabeta_search cimport search_t as quiet_t
from mcts_core.search.node cimport node_t
from mcts_core.search.policy cimport policy_t
from mcts_core.search.table cimport cursor_t
from mcts_core.search.thread_view cimport view_t

cdef struct walk_t:
    rng_t rng                           # of the lane: its playouts draw from it, walk after walk
    any_state_t state                   # the position reached
    node_t** path                       # the entries passed, the root first
    int* chosen                         # the move chosen in each
    int depth                           # how many entries were passed
    node_t* leaf                        # the entry of the position reached; NULL: it has none
    bint needs_playout
    bint is_known                       # `result` is the true value of the position reached
    double result                       # as the first player sees it
    double value                        # the evaluation of the position reached, the first player's, if there is one
    uint64_t* seen                      # the AMAF codes played after the entry under update, as bits

cdef struct worker_t:                   # what each thread has to itself
    cursor_t cursor
    view_t* view                        # NULL until the thread first runs beside others
    walk_t* walks                       # one for each lane
    job_t* jobs                         # their playouts
    int64_t played                      # simulations of this batch
    double seconds                      # that they took
    int64_t added                       # new entries, not yet in the table's count
    double[MOVES_ROOM] scores
    move_t[MOVES_ROOM] moves
    quiet_t* quiet                      # evaluates positions; NULL: the search has no evaluation
    policy_t* policy                    # plays the playouts and learns from them; NULL: the game plays them
