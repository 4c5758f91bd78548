"""THE CONTRACT of a root schedule: which move of the root each walk begins with.

Without a schedule the rule chooses at the root as everywhere else. With one, the schedule chooses there,
and the rule everywhere below. `halving` is a schedule.
"""
from mcts_core.search.node cimport layout_t, node_t

cdef struct schedule_t:
    # Returns the index of the move that the next walk makes; -1: the rule chooses. Called once for each
    # walk, by one thread only.
    int (*next)(schedule_t* schedule, const layout_t* layout, const node_t* root) noexcept nogil
