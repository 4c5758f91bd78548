"""A tree that grows: one table of positions, and the threads that search it by a rule."""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.evaluator cimport Evaluator
from mcts_core.rule cimport Rule
from mcts_core.search.driver cimport Driver
from mcts_core.search.halving cimport Halving
from mcts_core.search.knowledge cimport QuietSearch
from mcts_core.search.node cimport node_t
from mcts_core.search.policy cimport Policy
from mcts_core.search.simulation cimport search_t
from mcts_core.search.table cimport table_t
from mcts_core.search.walk cimport worker_t


cdef class Worker:
    cdef worker_t* c
    cdef Policy policy                  # None: playouts learn nothing
    cdef QuietSearch quiet              # None: there is no evaluation


cdef class GrowingTree(Driver):
    cdef search_t s
    cdef Rule rule
    cdef Evaluator evaluator            # None: there is none
    cdef object learner                 # the class of policies; None: playouts learn nothing
    cdef Halving halving                # None: the rule chooses at the root too
    cdef int64_t memory                 # bytes that the table may take
    cdef list workers                   # one for each thread
    cdef int64_t counted                # simulations of all runs: no counter is higher
    cdef int64_t batches                # batches run on several threads
    cdef int at_it                      # threads at work on a batch; read and written with the GIL

    cdef int open_table(self, table_t* table) except -1
    cdef Worker worker(self, int number)
    cdef int plant_root(self) except -1
    cdef int set_knowledge(self, dict options) except -1
    cdef int set_learner(self, dict options) except -1
    cdef int set_schedule(self, dict options) except -1
    cdef int advance_to(self, int64_t target, object pool, int threads) except -1
    cdef int make_ready(self, int threads) except -1
    cdef int gather_from(self, int first) except -1
    cdef node_t* find(self, uint64_t key)
    cdef bint make_room(self, int64_t entries)
    cdef void count_entries(self)
    cdef object share_out(self, object pool, int threads)
    cdef bint is_settled(self)
    cdef int64_t most(self)
