"""Copying what can be reached from a new root into a fresh table."""
from mcts_core.search.simulation cimport search_t
from mcts_core.search.table cimport table_t
from mcts_core.search.walk cimport worker_t

cdef bint keep_below(table_t* old, search_t* search, worker_t* worker, const void* state, bint checks) noexcept nogil
cdef void put_back_logs(table_t* table) noexcept nogil
