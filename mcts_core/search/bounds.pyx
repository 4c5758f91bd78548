"""Tightening the bounds of one entry. The map is bounds.pxd."""
from mcts_core.base.atomics cimport store_double
from mcts_core.search.node cimport highs_of, lows_of, turn_of


cdef bint bound_move(const layout_t* layout, node_t* node, int i, double low, double high) noexcept nogil:
    """Tighten the bounds of a move. Returns whether anything has changed."""
    cdef double* lows = lows_of(layout, node)
    cdef double* highs = highs_of(layout, node)
    if low <= lows[i] and high >= highs[i]:
        return False
    lows[i], highs[i] = max(low, lows[i]), min(high, highs[i])
    tighten(layout, node)
    return True


cdef void tighten(const layout_t* layout, node_t* node) noexcept nogil:
    """Compute an entry's bounds from those of its moves. The stores are atomic because all threads read the root's."""
    cdef const double* lows = lows_of(layout, node)
    cdef const double* highs = highs_of(layout, node)
    cdef double low = lows[0], high = highs[0]
    cdef int i
    for i in range(1, node.n_moves):
        if turn_of(node) == 0:
            low, high = max(low, lows[i]), max(high, highs[i])
        else:
            low, high = min(low, lows[i]), min(high, highs[i])
    store_double(&node.low, low)
    store_double(&node.high, high)


cdef void agree_on_bounds(const layout_t* layout, node_t* one, node_t* other) noexcept nogil:
    """Give two entries of one position the tighter bounds of both. Does nothing if their numbers of moves differ."""
    cdef int i
    for i in range(one.n_moves if one.n_moves == other.n_moves else 0):
        bound_move(layout, one, i, lows_of(layout, other)[i], highs_of(layout, other)[i])
        bound_move(layout, other, i, lows_of(layout, one)[i], highs_of(layout, one)[i])
