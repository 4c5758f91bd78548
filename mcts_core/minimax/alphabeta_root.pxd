"""Alpha-beta of any game, at the root: what one thread knows of the root's moves, and its search of all of them."""
from libc.stdint cimport int64_t

from mcts_core.evaluator cimport evaluator_t
from mcts_core.game cimport game_t, move_t
from mcts_core.minimax.alphabeta_search cimport MOST_LINE, search_t
from mcts_core.minimax.finisher cimport finisher_t
from mcts_core.minimax.sharing cimport marks_t
from mcts_core.minimax.transposition cimport buckets_t

cdef struct root_move_t:
    bint exact                          # `score` is exact; otherwise it is an upper bound
    int score                           # for the root's mover
    int64_t nodes                       # searched for it at the last depth
    int length                          # of the line
    move_t[MOST_LINE + 1] line          # the move, and the principal variation after it

cdef struct root_t:                     # of one thread
    search_t s
    const void* state                   # of the root; all threads read it
    int n_moves
    int n_exact                         # moves that get their exact score (multi-PV)
    int64_t depth                       # the last completed; atomic, because helpers read that of the leader
    int reached                         # the depth in `found`: the last completed, or the next, cut short
    root_move_t* moves                  # of the depth under way, in the order of the search
    root_move_t* found                  # the best first, as the last depth or what there was time for has shown


cdef root_t* open_root(const game_t* game, const evaluator_t* evaluator, const finisher_t* finisher,
                       bint is_selective, buckets_t* table, marks_t* marks) noexcept
cdef void close_root(root_t* root) noexcept
cdef int place_root(root_t* root, const void* state, int most_exact) noexcept
cdef void search_root(root_t* root, int depth) noexcept nogil
cdef void help_leader(root_t* root, root_t* leader, int most_depth) noexcept nogil
cdef bint knows_more(const root_t* root, const root_t* other) noexcept
cdef void adopt(root_t* root, const root_t* other) noexcept
cdef bint is_proven(const root_t* root) noexcept nogil
