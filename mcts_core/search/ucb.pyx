"""The UCB family: a bandit rule decides which move gets the next playout; the most visited move is chosen.

Each playout depends on all before it: one stream, one thread.
"""
from cython cimport no_gc_clear
from libc.math cimport INFINITY, log
from libc.stdint cimport int64_t
from libc.string cimport memset

from mcts_core.base.atomics cimport load
from mcts_core.base.clock cimport seconds_now
from mcts_core.game cimport trace_t
from mcts_core.rng cimport below, uniform
from mcts_core.search.bandits cimport bandit_of, bandit_t, pull_t
from mcts_core.search.root cimport RootSearch
from mcts_core.search.rows cimport row_t


@no_gc_clear
cdef class UCBSearch(RootSearch):
    """A bandit with an arm for each move."""

    cdef const bandit_t* rule
    cdef pull_t pull
    cdef double epsilon

    def __cinit__(self, position, dict options not None, seed):
        self.rule = bandit_of(options["rule"])
        self.epsilon = options["epsilon"]
        self.pull.c = options["c"]
        self.pull.rng = &self.own

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        cdef double began, seconds
        cdef trace_t trace
        memset(&trace, 0, sizeof(trace))
        with nogil:
            began = seconds_now()
            while self.playouts < target and not load(&self.breach):
                self.playouts += 1
                self.arm_playout(&self.arms[self.pick_arm()], &self.own, &trace)
            seconds = seconds_now() - began
        self.note_work(seconds)
        return self.end_batch()

    cdef int pick_arm(self) noexcept nogil:
        """Return the arm of playout number `self.playouts`, counted from 1."""
        cdef const bandit_t* rule = self.rule
        cdef int j, best = 0
        cdef double score, best_score = -INFINITY
        if rule.tries_all_first and self.playouts <= self.n_arms:
            return <int> self.playouts - 1
        if rule.explores_at_random and uniform(&self.own) < self.epsilon:
            return <int> below(&self.own, self.n_arms)
        self.pull.log_i = log(<double> self.playouts)
        for j in range(self.n_arms):
            score = rule.score(&self.arms[j], &self.pull)
            if score > best_score:
                best, best_score = j, score
        return best

    cdef int fill_scores(self, row_t* rows) except -1:
        cdef int j
        self.pull.log_i = log(<double> self.playouts)
        for j in range(self.n_arms):
            if self.rule.shows_score and (self.arms[j].n or not self.rule.tries_all_first):
                rows[j].score = self.rule.score(&self.arms[j], &self.pull)
        return 0
