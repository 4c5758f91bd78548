"""Alpha-beta of any game: a search in Python, its table and its threads."""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.minimax.alphabeta_root cimport root_t
from mcts_core.minimax.evaluated cimport EvaluatedSearch
from mcts_core.minimax.sharing cimport marks_t
from mcts_core.minimax.transposition cimport buckets_t


cdef class Worker:
    cdef root_t* root


cdef class AlphaBetaSearch(EvaluatedSearch):
    cdef root_t* leader                 # of the first thread, whose result counts
    cdef list workers                   # one for each thread, the leader's first
    cdef buckets_t table
    cdef marks_t* marks                 # NULL: one thread
    cdef uint64_t most_buckets          # that the table may grow to
    cdef int most_exact                 # moves that are to get their exact score; a position may have fewer

    cdef int place(self) noexcept
    cdef int raise_breach(self) except -1
    cdef void search_first_depth(self) noexcept nogil
    cdef void deepen(self, int depth) noexcept nogil
    cdef int deepen_together(self, int depth, object crew) except -1
    cdef object run_leg(self, int depth, object crew)
    cdef bint deepen_in_table(self, int depth) noexcept nogil
    cdef uint64_t buckets_needed(self) noexcept nogil
    cdef void grow_table(self) noexcept nogil
