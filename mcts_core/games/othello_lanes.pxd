from mcts_core.game cimport game_t, job_t

cdef bint othello_has_lanes() noexcept nogil
cdef void othello_batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil
