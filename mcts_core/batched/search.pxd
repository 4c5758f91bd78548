"""A batched search as the driver runs it."""
from libc.stdint cimport int64_t

from mcts_core.batched.chooser cimport Chooser
from mcts_core.batched.evaluation cimport Buffers
from mcts_core.batched.tree cimport node_t, tree_t
from mcts_core.search.choice cimport merit_t
from mcts_core.search.driver cimport Driver
from mcts_core.search.rows cimport row_t


cdef class BatchedSearch(Driver):
    cdef object evaluator
    cdef object calling                 # a lock: one thread at a time calls the evaluator
    cdef Chooser chooser
    cdef bint solver
    cdef double temperature             # of the final choice; 0: the best move is played
    cdef list positions                 # the root of each tree; the first one is `position`
    cdef tree_t* trees
    cdef int n_trees
    cdef int64_t room                   # positions in a batch
    cdef list buffers                   # of each thread
    cdef bint is_failing                # a thread has raised: the others end

    cdef int add_tree(self, int t, int64_t memory) except -1
    cdef int make_buffers(self, int threads) except -1
    cdef int fly(self, Buffers buffers, int first, int n, int64_t target) except -1
    cdef int fill(self, const tree_t* tree, node_t* node, const void* state, row_t* rows) except -1
    cdef void merits_by_scores(self, const row_t* rows, int n, merit_t* merits) noexcept
    cdef object rows_of_tree(self, int t)
    cdef int choice_of(self, tree_t* tree, const row_t* rows, int n) noexcept
