"""A walk: one simulation, from the root down to where its playout starts, until its result is counted."""
from libc.stdint cimport uint64_t

from mcts_core.game cimport any_state_t
from mcts_core.rng cimport rng_t
from mcts_core.search.node cimport node_t

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
    uint64_t* seen                      # the AMAF codes played after the entry under update, as bits
