"""How a search is run: in batches, until a limit is met.

The size of a batch is adjusted to about a millisecond, or up to 16 ms on several threads. This is the
time that its threads compute; time spent waiting for other Python threads does not count. Between
batches the calling thread checks the clock, the stop flag and Ctrl-C. Results are the same whether a
search runs in one go or in slices: to take snapshots, call `run` repeatedly.
"""
from cython cimport no_gc_clear
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.atomics cimport load
from mcts_core.base.clock cimport seconds_now
from mcts_core.base.engine cimport Engine, is_called, stop_t
from mcts_core.game cimport MOVES_ROOM
from mcts_core.playouts cimport rewarded, rollout_of
from mcts_core.position cimport Position
from mcts_core.rng cimport open_stream, rng_t, seed_t, seed_words
from mcts_core.search.choice cimport BEST_RECENT_MEAN, MOST_VISITS, best_of, find_merits, lead_is_sure, merit_t, ranked
from mcts_core.search.rows cimport new_rows, row_t, rows_of

import threading
import time

from mcts_core.base.crew import Crew
from mcts_core.errors import BadMethod, BadPosition
from mcts_core.search.rows import table

cdef enum:
    SURE_EVERY = 100                    # playouts between two tests of until_sure


MOST_LANES = 64                         # simulations in a flight; each has its buffers

cdef double LONG_BATCH = 1e-3           # seconds; longer batches are halved: more delays `stop` and Ctrl-C
cdef double LONG_SHARED_BATCH = 16e-3   # on several threads, because handing out a batch costs tens of microseconds


cdef class Turns:
    """The lock of a search, held by each of its batches, and by other threads that read its results.

    A search takes it for batch after batch, so it lets waiting threads go first. Releasing it takes no memory,
    unlike `with threading.RLock()`, which stays locked when memory has run out.
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
        """Return whether no other thread holds it."""
        if self.taken.acquire(False):
            self.taken.release()
            return True
        return False

    cdef int give_way(self) except -1:
        """Wait until no other thread waits for the lock."""
        while self.waiting:
            time.sleep(0)
        return 0


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class Driver(Engine):
    """The base of the compiled searches."""

    def __cinit__(self, Position position not None, dict options not None, seed):
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to search")
        self.position = position.copy()
        self.game = rewarded(self.position, options.get("rewards", "result"))
        self.rollout = rollout_of(self.position, self.game, options["policy"])
        self.criterion = MOST_VISITS
        self.ties_first = options["ties"] == "first"
        self.lanes = 1
        self.seed = seed_words(seed)
        self.use_own_stream(0)
        self.lock = Turns()

    cdef void use_own_stream(self, uint64_t number):
        """Open the stream of the search's own decisions, whose number no playouts use."""
        self.own_number = number
        self.own = open_stream(&self.seed, number, 0)

    cdef int need_codes(self, str method) except -1:
        """Refuse a method with AMAF statistics for a game without AMAF codes."""
        if self.game.n_codes == 0:
            raise BadMethod(f"{method} needs the AMAF codes of moves, and this game has none: "
                            "give it code() and n_codes, or search with uct, ucb or flat")
        return 0

    cdef bint is_in_use(self):
        """Return whether a run is under way, or another thread reads the search."""
        return self.is_busy or not self.lock.is_free()

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        """Run playouts until there are `target` in all."""
        raise NotImplementedError

    cdef int64_t whole_flights(self, int64_t playouts):
        """Round a number of playouts up to whole flights, because the clock must not cut one short."""
        return (playouts + self.lanes - 1) // self.lanes * self.lanes

    cdef bint is_settled(self):
        """Return whether the value of the root is proven."""
        return False

    cdef int64_t most(self):
        """Return the most playouts that this search can count."""
        return <int64_t> 1 << 62

    cdef void note_work(self, double seconds):
        """Note for how long a thread has computed in this batch."""
        self.worked = max(self.worked, seconds)

    def run(self, playouts=None, seconds=None, until_sure=None, int threads=1, stops=None):
        """Search until the first limit is met. Returns which: playouts, seconds, sure, proven or stopped.

        `playouts` counts all playouts of this search so far, `seconds` runs from this call. `stops` is the value of
        the property `stops` when the run was requested: any call of `stop` since then ends the run.
        """
        cdef int64_t stops_before = load(&self._stops) if stops is None else stops
        cdef int64_t limit = self.most() if playouts is None else min(<int64_t> playouts, self.most())
        cdef double allowed = INFINITY if seconds is None else seconds
        cdef double error = -1.0 if until_sure is None else until_sure
        cdef double long_batch = LONG_BATCH if threads == 1 else LONG_SHARED_BATCH
        cdef double most_growth = 8.0 if threads == 1 else 64.0     # the first shared batches are mostly overhead
        cdef double began = seconds_now(), batch_began = began, now
        cdef int64_t batch = threads, before = self.playouts, target, test, more
        cdef double rate, growth
        if threads < 1:
            raise ValueError(f"threads must be 1 or more, not {threads}")
        pool = None
        self.begin()
        try:
            pool = Crew(threads - 1) if threads > 1 else None
            self.limit, self.deadline = limit, began + allowed
            self.stop_called = stop_t(&self._stops, stops_before)
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
                if is_called(&self.stop_called):
                    return "stopped"
                if self.worked > long_batch:
                    batch = max(1, batch // 2)
                elif self.worked < long_batch / 2:
                    growth = min(most_growth, long_batch / 2 / max(self.worked, 1e-9))
                    batch = <int64_t> (batch * max(2.0, growth))
                # the last batch ends at the deadline
                rate = (self.playouts - before) / max(now - batch_began, 1e-9)
                batch = max(<int64_t> 1, min(batch, <int64_t> min(1e15, rate * (began + allowed - now))))
                batch_began, before = now, self.playouts
        finally:
            try:
                if pool is not None:
                    pool.shutdown()
            finally:
                self.end()

    # What is known of the root's moves

    cdef rng_t* lots(self):
        """Return the stream that the final choice draws from."""
        return &self.own

    cdef int count_moves(self):
        """Return the number of the root's legal moves."""
        raise NotImplementedError

    cdef int fill_rows(self, row_t* rows) except -1:
        """Fill a row for each move of the root with what was counted."""
        raise NotImplementedError

    cdef int fill_scores(self, row_t* rows) except -1:
        """Add each move's score, which decides on the next playout, and the weight of AMAF in it."""
        return 0

    def root(self):
        """Return the statistics of the root's moves, as an array of rows in legal order."""
        found = new_rows(self.count_moves())
        cdef row_t* rows = rows_of(found)
        self.fill_rows(rows)
        self.fill_scores(rows)
        return found

    def choose(self, rows=None, lots=None):
        """Return the index of the move to play, by these rows or by those of the root.

        Among equally good moves it draws from the search's own stream, or, if `lots` is given, from a
        new stream of that seed, which leaves the search unchanged.
        """
        cdef merit_t[MOVES_ROOM] merits
        cdef seed_t seed
        cdef rng_t fresh
        cdef rng_t* stream = self.lots()
        cdef int n = self.find_merits_of(self.root() if rows is None else rows, merits)
        if lots is not None:
            seed = seed_words(lots)
            fresh = open_stream(&seed, self.own_number, 0)
            stream = &fresh
        return best_of(merits, n, NULL if self.ties_first else stream)

    def ranking(self, rows):
        """Return the indices of the moves, the best first; equals stay in legal order."""
        cdef merit_t[MOVES_ROOM] merits
        cdef int n = self.find_merits_of(rows, merits)
        return ranked(merits, n)

    def table(self, rows, order, moves, names):
        """Return rows as the table of a result, in this order: the texts of their `moves`, and the columns `names`."""
        return table(rows, order, moves, names, self.position.turn, self.criterion == BEST_RECENT_MEAN)

    @property
    def nodes(self):
        """Positions in the search's table; 0 if it has none."""
        return 0

    @property
    def bytes(self):
        """Bytes that the table takes."""
        return 0

    def entry(self, Position position not None):
        """Return the rows of any position in the search's table; None if it is not there."""
        return None

    def pv(self, int first_index):
        """Return the expected line of play that begins with a move of the root, as raw moves."""
        raise NotImplementedError

    cdef int find_merits_of(self, rows, merit_t* merits) except -1:
        """Write the merits of rows, one for each move of the root. Returns their number."""
        cdef const row_t* known = rows_of(rows)
        cdef int n = self.count_moves()
        if len(rows) != n:
            raise ValueError(f"the root has {n} moves, not {len(rows)}")
        find_merits(self.criterion, self.position.turn, known, n, merits)
        return n

    cdef bint is_sure(self, double error) except -1:
        """Return whether the best move's mean and its lead have standard errors below `error`."""
        found = new_rows(self.count_moves())
        cdef row_t* rows = rows_of(found)
        self.fill_rows(rows)
        return lead_is_sure(self.criterion, self.position.turn, rows, self.count_moves(), error)


cdef int whole_option(dict options, name, least, most) except? -1:
    """Return an option, checked to be a whole number in a range: options may come from another process, and reach C."""
    value = options[name]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadMethod(f"{name} must be a whole number from {least} to {most}")
    return value
