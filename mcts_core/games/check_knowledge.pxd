"""The check of what a game knows about its positions, for searches."""
from mcts_core.game cimport game_t
from mcts_core.games.check_rules cimport State


cdef int check_solve(const game_t* game, State state) except -1
cdef int check_fold(const game_t* game, State state, int n_moves, dict known) except -1
