"""Best-first minimax of any game: a tree of positions with their values."""
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t

from mcts_core.game cimport move_t
from mcts_core.minimax.alphabeta_search cimport search_t
from mcts_core.minimax.evaluated cimport EvaluatedSearch

cdef struct node_t:
    uint32_t parent                     # of the root: itself
    uint32_t first                      # the children lie side by side
    uint32_t visits                     # positions expanded below it, itself included
    move_t move                         # that leads to it
    int32_t value                       # for its mover: of the best child, of a leaf by the evaluation
    uint16_t n_children                 # 0: not expanded
    bint is_settled                     # its value is final: no child needs another visit


cdef class BestFirstSearch(EvaluatedSearch):
    cdef search_t* s                    # evaluates the leaves
    cdef double scope                   # in points
    cdef node_t* tree                   # the root is number 0
    cdef int64_t n_nodes
    cdef int64_t room                   # nodes that there is memory for now
    cdef int64_t most_nodes             # that there may be

    cdef int advance(self) except -1
    cdef bint step(self) noexcept nogil
    cdef uint32_t best_open(self, uint32_t number) noexcept nogil
    cdef bint expand(self, uint32_t number, const void* state) noexcept nogil
    cdef bint make_room(self, int n) noexcept nogil
    cdef void back_up(self, uint32_t number) noexcept nogil
    cdef bint revalue(self, node_t* node) noexcept nogil
    cdef tuple rank(self, uint32_t number)
    cdef uint32_t best_child(self, uint32_t number)
    cdef list line(self, uint32_t number)
