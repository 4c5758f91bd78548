"""The playout function of a policy, for the searches."""
from mcts_core.game cimport game_t, playout_t

cdef playout_t playout_of(const game_t* game, object policy) except NULL
cdef object playout_capsule(playout_t playout)
