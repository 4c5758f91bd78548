"""Copying what can be reached from a new root into a fresh table."""
from mcts_core.search.simulation cimport search_t, worker_t
from mcts_core.search.table cimport table_t

cdef bint keep_below(table_t* old, search_t* search, worker_t* worker, const void* state) noexcept nogil
