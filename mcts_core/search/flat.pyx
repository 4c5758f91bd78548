"""Flat Monte Carlo: playout i belongs to arm i % n_arms, and arm j plays in the substreams of position j."""
from cython cimport no_gc_clear
from libc.stdint cimport int64_t
from libc.string cimport memset

from mcts_core.base.atomics cimport load
from mcts_core.base.clock cimport seconds_now
from mcts_core.game cimport trace_t
from mcts_core.rng cimport STREAM_GAMES, open_stream
from mcts_core.search.choice cimport BEST_MEAN, BEST_RECENT_MEAN
from mcts_core.search.root cimport RootSearch, arm_t


@no_gc_clear
cdef class FlatSearch(RootSearch):
    """The same number of playouts for every move; the move with the best mean is chosen."""

    cdef double decay                   # factor on an arm's earlier playouts with each new one

    def __cinit__(self, position, dict options not None, seed):
        self.criterion = BEST_RECENT_MEAN if options["schedule"] == "recent" else BEST_MEAN
        self.decay = 0.5 ** (1.0 / options["half_life"])
        self.use_own_stream(self.n_arms)

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        self.share_out(target, pool, threads)
        return self.end_batch()

    def share(self, int64_t target, int number, int threads):
        """Play for every `threads`-th arm."""
        cdef int j
        cdef double began, seconds
        with nogil:
            began = seconds_now()
            for j in range(self.n_arms):
                if j % threads == number and target > j:
                    self.play_arm(j, (target - j + self.n_arms - 1) // self.n_arms)
            seconds = seconds_now() - began
        self.note_work(seconds)

    cdef void play_arm(self, int j, int64_t games) noexcept nogil:
        """Play after arm j until it has `games` playouts."""
        cdef arm_t* arm = &self.arms[j]
        cdef trace_t trace
        cdef double value
        memset(&trace, 0, sizeof(trace))
        while arm.n < games and not load(&self.breach):
            if arm.n % STREAM_GAMES == 0:
                arm.rng = open_stream(&self.seed, j, arm.n // STREAM_GAMES)
            value = self.arm_playout(arm, &arm.rng, &trace)
            arm.recent_w = arm.recent_w * self.decay + value
            arm.recent_n = arm.recent_n * self.decay + 1.0
            arm.recent_n2 = arm.recent_n2 * self.decay * self.decay + 1.0
