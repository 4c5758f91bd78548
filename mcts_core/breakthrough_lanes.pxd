from mcts_core.game cimport game_t, job_t

cdef bint breakthrough_has_lanes() noexcept nogil
cdef void breakthrough_batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil
