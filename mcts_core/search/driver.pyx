"""How a search is run: in batches, until a limit is met.

A batch is grown and shrunk to last about a millisecond, or up to sixteen on several threads: as long as
its threads compute, not as long as they wait for other threads of Python. Between batches the calling
thread looks at the clock, at the stop flag and for Ctrl-C. A search is the same whether it runs in one
go or in slices, so whoever wants snapshots calls `run` again.
"""
from cython cimport no_gc_clear
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int64_t

from mcts_core.base.atomics cimport load
from mcts_core.base.clock cimport seconds_now
from mcts_core.base.engine cimport Engine
from mcts_core.playouts cimport playout_of
from mcts_core.position cimport Position
from mcts_core.rng cimport below, open_stream, rng_t, seed_words

import threading
import time

from mcts_core.base.crew import Crew
from mcts_core.errors import BadMethod, BadPosition

cdef enum:
    SURE_EVERY = 100                    # playouts between two tests of until_sure


MOST_LANES = 64                         # simulations that are begun together; each has its buffers

cdef double LONG_BATCH = 1e-3           # seconds
cdef double LONG_SHARED_BATCH = 16e-3   # with threads: handing out a batch costs tens of microseconds


cdef class Turns:
    """The lock of a search, held by each of its batches, and by other threads that look at what it has found.

    A search takes it again and again, so it lets those go first who wait.
    """

    def __cinit__(self):
        self.taken = threading.RLock()

    def __enter__(self):
        self.waiting += 1
        try:
            self.taken.acquire()
        finally:
            self.waiting -= 1

    def __exit__(self, kind, error, traceback):
        self.taken.release()

    def is_free(self):
        """Whether no other thread holds it."""
        if self.taken.acquire(False):
            self.taken.release()
            return True
        return False

    cdef int give_way(self) except -1:
        """Wait until each thread that waits has had its turn."""
        while self.waiting:
            time.sleep(0)
        return 0


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class Driver(Engine):
    """The base of the compiled searches."""

    def __cinit__(self, Position position not None, dict options not None, seed_sequence):
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to search")
        self.position = position.copy()
        self.game = self.position.game
        self.playout = playout_of(self.game, options.get("policy", "random"))
        self.ties_first = options.get("ties", "random") == "first"
        self.lanes = whole_option(options, "lanes", 1, 1, MOST_LANES)
        self.seed = seed_words(seed_sequence)
        self.own = open_stream(&self.seed, 0, 0)
        self.lock = Turns()

    cdef int need_codes(self, str method) except -1:
        """Refuse a method with AMAF statistics for a game without AMAF codes."""
        if self.game.n_codes == 0:
            raise BadMethod(f"{method} needs the AMAF codes of moves, and this game has none: "
                            "give it code() and n_codes, or search with uct, ucb or flat")
        return 0

    cdef bint is_in_use(self):
        """Whether a run is under way, or another thread looks at the search."""
        return self.is_busy or not self.lock.is_free()

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        """Play until there were `target` playouts in all."""
        raise NotImplementedError

    cdef int64_t whole_flights(self, int64_t playouts):
        """So many playouts, or the few more that fill the lanes: the clock cuts no flight short."""
        return (playouts + self.lanes - 1) // self.lanes * self.lanes

    cdef bint is_sure(self, double error):
        """Whether the best move's value and its lead are known to within that standard error."""
        raise NotImplementedError

    cdef bint is_settled(self):
        """Whether nothing is left to find out."""
        return False

    cdef int64_t most(self):
        """Up to how many playouts this search can count."""
        return <int64_t> 1 << 62

    cdef void note_work(self, double seconds):
        """So long one thread has computed in this batch."""
        self.worked = max(self.worked, seconds)

    def run(self, playouts=None, seconds=None, until_sure=None, int threads=1, stops=None):
        """Search on until one limit is met; tells which: playouts, seconds, sure, proven or stopped.

        `playouts` counts all playouts of this search so far, `seconds` runs from this call. `stops` is the value of
        that property when the run was asked for: any call of `stop` since then ends the run.
        """
        cdef int64_t stops_before = load(&self._stops) if stops is None else stops
        cdef int64_t limit = self.most() if playouts is None else min(<int64_t> playouts, self.most())
        cdef double allowed = INFINITY if seconds is None else seconds
        cdef double error = -1.0 if until_sure is None else until_sure
        cdef double long_batch = LONG_BATCH if threads == 1 else LONG_SHARED_BATCH
        cdef double most_growth = 8.0 if threads == 1 else 64.0     # the first batches tell little but their own price
        cdef double began = seconds_now(), batch_began = began, now
        cdef int64_t batch = threads, before = self.playouts, target, test, more
        cdef double rate, growth
        pool = None
        self.begin()
        try:
            pool = Crew(threads - 1) if threads > 1 else None
            self.limit, self.deadline = limit, began + allowed
            while True:
                if self.is_settled():
                    return "proven"
                if self.playouts >= limit:
                    return "playouts"
                test = (self.playouts // SURE_EVERY + 1) * SURE_EVERY
                more = batch if error < 0.0 else min(batch, test - self.playouts)
                target = min(limit, self.playouts + self.whole_flights(more))
                self.worked = 0.0
                with self.lock:
                    self.advance_to(target, pool, threads)
                self.lock.give_way()
                self.position.check()
                PyErr_CheckSignals()
                now = seconds_now()
                if self.is_settled():
                    return "proven"
                if error >= 0.0 and self.playouts >= test and self.is_sure(error):
                    return "sure"
                if self.playouts >= limit:
                    return "playouts"
                if now - began >= allowed:
                    return "seconds"
                if load(&self._stops) != stops_before:
                    return "stopped"
                if self.worked > long_batch:
                    batch = max(1, batch // 2)
                elif self.worked < long_batch / 2:
                    growth = min(most_growth, long_batch / 2 / max(self.worked, 1e-9))
                    batch = <int64_t> (batch * max(2.0, growth))
                # the last batch ends with the time
                rate = (self.playouts - before) / max(now - batch_began, 1e-9)
                batch = max(<int64_t> 1, min(batch, <int64_t> min(1e15, rate * (began + allowed - now))))
                batch_began, before = now, self.playouts
        finally:
            try:
                if pool is not None:
                    pool.shutdown()
            finally:
                self.end()


cdef int whole_option(dict options, name, default, least, most) except? -1:
    """An option that must be a whole number in a range: options may come from another process, and reach C."""
    value = options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadMethod(f"{name} must be a whole number from {least} to {most}")
    return value


cdef int pick_best(const double* first, const double* second, int n, rng_t* rng) noexcept:
    """The index of the largest (first, second), -inf in `first` being out of the question.

    Ties: one of them drawn, or the first of them where rng is NULL.
    """
    cdef int i, best = 0, tied = 0, drawn
    for i in range(1, n):
        if first[i] > first[best] or (first[i] == first[best] and second[i] > second[best]):
            best = i
    if rng == NULL:
        return best
    for i in range(best, n):
        tied += first[i] == first[best] and second[i] == second[best]
    if tied > 1:
        drawn = below(rng, tied)
        for i in range(best, n):
            if first[i] == first[best] and second[i] == second[best]:
                if drawn == 0:
                    return i
                drawn -= 1
    return best


cdef bint lead_is_sure(const double* first, const double* second, const double* variance, int n, double error) noexcept:
    """The rule of until_sure, given the final criterion and the variances of the moves' means."""
    cdef int i, best = pick_best(first, second, n, NULL), runner_up = -1
    for i in range(n):
        if i != best and (runner_up < 0 or first[i] > first[runner_up]
                          or (first[i] == first[runner_up] and second[i] > second[runner_up])):
            runner_up = i
    if sqrt(variance[best]) >= error:
        return False
    return runner_up < 0 or sqrt(variance[best] + variance[runner_up]) < error
