"""Bounds on the true values of an entry and its moves, the first player's. They only ever tighten."""
from mcts_core.search.node cimport layout_t, node_t

cdef bint bound_move(const layout_t* layout, node_t* node, int i, double low, double high) noexcept nogil
cdef void agree_on_bounds(const layout_t* layout, node_t* one, node_t* other) noexcept nogil
