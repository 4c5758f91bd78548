"""The base of the searches of any game that use an evaluator: the position they search, and what it is worth."""
from mcts_core.evaluator cimport Evaluator
from mcts_core.game cimport any_state_t, game_t
from mcts_core.minimax.limits cimport LimitedSearch
from mcts_core.position cimport Position


cdef class EvaluatedSearch(LimitedSearch):
    cdef const game_t* game
    cdef Evaluator evaluator
    cdef readonly Position position     # a copy
    cdef any_state_t root_state         # of this position

    cdef int check_moves(self) except -1
