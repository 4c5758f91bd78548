"""How a search is run: in batches, until a limit is met.

A batch is grown and shrunk to last about a millisecond, or up to sixteen on several threads: as long as
its threads compute, not as long as they wait for other threads of Python. Between batches the calling
thread looks at the clock, at the stop flag and for Ctrl-C. A search is the same whether it runs in one
go or in slices: to take snapshots, call `run` again.
"""
from cython cimport no_gc_clear
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.atomics cimport load
from mcts_core.base.clock cimport seconds_now
from mcts_core.base.engine cimport Engine
from mcts_core.game cimport MOVES_ROOM
from mcts_core.playouts cimport playout_of
from mcts_core.position cimport Position
from mcts_core.rng cimport open_stream, rng_t, seed_t, seed_words
from mcts_core.search.choice cimport BEST_RECENT_MEAN, MOST_VISITS, best_of, judge, lead_is_sure, merit_t, ranked
from mcts_core.search.rows cimport new_rows, row_t, rows_of

import threading
import time

from mcts_core.base.crew import Crew
from mcts_core.errors import BadMethod, BadPosition
from mcts_core.search.rows import table

cdef enum:
    SURE_EVERY = 100                    # playouts between two tests of until_sure


MOST_LANES = 64                         # simulations that are begun together; each has its buffers

cdef double LONG_BATCH = 1e-3           # seconds
cdef double LONG_SHARED_BATCH = 16e-3   # with threads: handing out a batch costs tens of microseconds


cdef class Turns:
    """The lock of a search, held by each of its batches, and by other threads that look at what it has found.

    A search takes it again and again, so it lets waiting threads go first. To give it back takes no memory,
    unlike `with threading.RLock()`, which stays taken where there is none.
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
        self.playout = playout_of(self.game, options["policy"])
        self.criterion = MOST_VISITS
        self.ties_first = options["ties"] == "first"
        self.lanes = 1
        self.seed = seed_words(seed_sequence)
        self.use_own_stream(0)
        self.lock = Turns()

    cdef void use_own_stream(self, uint64_t number):
        """Open the stream of the search's own decisions, one that its playouts do not use up."""
        self.own_number = number
        self.own = open_stream(&self.seed, number, 0)

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
        """This number of playouts, rounded up to whole flights, because the clock cuts none short."""
        return (playouts + self.lanes - 1) // self.lanes * self.lanes

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
        if threads < 1:
            raise ValueError(f"threads must be 1 or more, not {threads}")
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

    # What is known of the root's moves

    cdef rng_t* lots(self):
        """The stream that the final choice draws from."""
        return &self.own

    cdef int count_moves(self):
        """Legal moves of the root."""
        raise NotImplementedError

    cdef int fill_rows(self, row_t* rows) except -1:
        """Fill all that was counted into a row for each move of the root."""
        raise NotImplementedError

    cdef int fill_scores(self, row_t* rows) except -1:
        """Add what decides about the next playout: scores, and weights in them."""
        return 0

    def root(self):
        """The statistics of the root's moves, as an array of rows in legal order."""
        found = new_rows(self.count_moves())
        cdef row_t* rows = rows_of(found)
        self.fill_rows(rows)
        self.fill_scores(rows)
        return found

    def choose(self, rows=None, lots=None):
        """The index of the move to play, of these rows or those of the root.

        Among equally good moves it draws from the search's own stream; or from a fresh one of another
        seed, `lots`, which leaves the search as it is.
        """
        cdef merit_t[MOVES_ROOM] merits
        cdef seed_t seed
        cdef rng_t fresh
        cdef rng_t* stream = self.lots()
        cdef int n = self.judge_rows(self.root() if rows is None else rows, merits)
        if lots is not None:
            seed = seed_words(lots)
            fresh = open_stream(&seed, self.own_number, 0)
            stream = &fresh
        return best_of(merits, n, NULL if self.ties_first else stream)

    def ranking(self, rows):
        """The indices of the moves, the best first; equals stay in legal order."""
        cdef merit_t[MOVES_ROOM] merits
        cdef int n = self.judge_rows(rows, merits)
        return ranked(merits, n)

    def table(self, rows, order, moves, names):
        """Rows as the table of a result, in this order: the texts of their `moves`, and the columns `names`."""
        return table(rows, order, moves, names, self.position.turn, self.criterion == BEST_RECENT_MEAN)

    @property
    def nodes(self):
        """Positions that the search keeps in a table, if it has one."""
        return 0

    @property
    def bytes(self):
        """Memory that the table takes."""
        return 0

    def entry(self, Position position not None):
        """The rows of any position that the search keeps in a table; None if it does not know it."""
        return None

    def pv(self, int first_index):
        """The expected line of play behind a move of the root, as raw moves."""
        raise NotImplementedError

    cdef int judge_rows(self, rows, merit_t* merits) except -1:
        """Judge rows as many as the root has moves; returns their number."""
        cdef const row_t* known = rows_of(rows)
        cdef int n = self.count_moves()
        if len(rows) != n:
            raise ValueError(f"the root has {n} moves, not {len(rows)}")
        judge(self.criterion, self.position.turn, known, n, merits)
        return n

    cdef bint is_sure(self, double error) except -1:
        """Whether the best move's value and its lead are known to within that standard error."""
        found = new_rows(self.count_moves())
        cdef row_t* rows = rows_of(found)
        self.fill_rows(rows)
        return lead_is_sure(self.criterion, self.position.turn, rows, self.count_moves(), error)


cdef int whole_option(dict options, name, least, most) except? -1:
    """An option that must be a whole number in a range: options may come from another process, and reach C."""
    value = options[name]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadMethod(f"{name} must be a whole number from {least} to {most}")
    return value
