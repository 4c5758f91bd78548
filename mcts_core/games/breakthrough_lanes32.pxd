# The module of the game cimports the kernel. It has no Python functions.
from mcts_core.game cimport game_t, job_t

cdef bint has_lanes() noexcept nogil
cdef void batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil
