"""Implicit minimax (Lanctot, Winands, Pepels and Sturtevant 2014): evaluations backed up by minimax beside the means.

The value of a new position is its evaluation. The value of an entry is that of its best move, among those that have
one. So a move's value is what minimax over the tree so far says, while its mean is an average over walks. Values are
the first player's expected results, from 0 to 1.

    score of a move = (1 - weight) * score by the rule + weight * value for the mover
"""
from mcts_core.search.node cimport layout_t, node_t, turn_of, values_of
from mcts_core.search.walk cimport walk_t

cdef enum:
    UNKNOWN = -1                        # the value of a move that has none yet


cdef inline double best_value(const layout_t* layout, const node_t* node) noexcept nogil:
    """Return the value of the mover's best move."""
    cdef const double* values = values_of(layout, node)
    cdef double best = UNKNOWN
    cdef int i
    for i in range(node.n_moves):
        if values[i] >= 0.0 and (best < 0.0 or (values[i] > best if turn_of(node) == 0 else values[i] < best)):
            best = values[i]
    return best


cdef inline void keep_values(const layout_t* layout, walk_t* walk, double value) noexcept nogil:
    """Back up the value of the position where a walk ended, from the end of its path up."""
    cdef int depth = walk.depth
    while depth:
        depth -= 1
        values_of(layout, walk.path[depth])[walk.chosen[depth]] = value
        value = best_value(layout, walk.path[depth])


cdef inline void mix_values(const layout_t* layout, const node_t* node, double weight, double* scores) noexcept nogil:
    """Mix values into scores. Moves without a value keep their scores."""
    cdef const double* values = values_of(layout, node)
    cdef int i
    for i in range(node.n_moves):
        if values[i] >= 0.0:
            scores[i] = (1.0 - weight) * scores[i] + weight * (values[i] if turn_of(node) == 0 else 1.0 - values[i])
