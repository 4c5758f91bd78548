"""Alpha-beta of any game with an evaluator: iterative deepening, principal variation search, transposition table.

1. the iterations: each depth starts from the table and the move order of the one before (`run`); the table grows
   between two depths, and no thread searches meanwhile
2. the root, several principal variations, threads that help: `alphabeta_root.pyx`
3. a position, quiescence, the leaves: `alphabeta_search.pyx`
"""
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free

from mcts_core.base.atomics cimport store
from mcts_core.base.clock cimport seconds_now
from mcts_core.base.engine cimport is_called
from mcts_core.evaluator cimport Evaluator, expected
from mcts_core.game cimport game_t
from mcts_core.minimax.alphabeta_root cimport (
    adopt, close_root, help_leader, is_proven, knows_more, open_root, place_root, root_move_t, root_t, search_root
)
from mcts_core.minimax.alphabeta_search cimport PROVEN
from mcts_core.minimax.alphabeta_table cimport BUCKET, entry_t, keep_bucket
from mcts_core.minimax.evaluated cimport EvaluatedSearch
from mcts_core.minimax.finisher cimport Finisher
from mcts_core.minimax.limits cimport all_nodes, follow, must_stop
from mcts_core.minimax.sharing cimport marks_t
from mcts_core.minimax.transposition cimport buckets_bytes, buckets_within, close_buckets, grow_buckets, open_buckets
from mcts_core.position cimport Position

import numpy as np

from mcts_core.base.crew import Crew
from mcts_core.errors import BadMethod, breach

cdef enum:
    CHECK_EVERY = 2048                  # nodes between two checks of the limits: less than a millisecond
    FIRST_BUCKETS = 4096                # of a new table, 256 KiB; more would slow short searches, which clear them
    BUCKET_SIZE = BUCKET * sizeof(entry_t)      # bytes

# Bytes of a table that even a busy machine clears and fills again in a second. A larger number lets a table
# grow closer to the deadline, which the search may then miss.
cdef double GROWN_IN_A_SECOND = 1 << 28


cdef class Worker:
    """The working memory of a thread."""

    def __dealloc__(self):
        if self.root != NULL:
            close_root(self.root)


cdef class AlphaBetaSearch(EvaluatedSearch):
    """A search of a position, depth by depth."""

    def __cinit__(self, Position position not None, Evaluator evaluator not None, int n_exact=1,
                  bint is_selective=True, int64_t memory=1 << 26, int threads=1, Finisher finisher=None):
        cdef const game_t* game = self.game
        cdef Worker worker
        self.check_moves()
        if threads > 1 and game.failed != NULL:
            raise BadMethod("a game in Python runs on one thread at a time: leave threads out")
        if threads > 1:
            self.marks = <marks_t*> calloc(1, sizeof(marks_t))
            if self.marks == NULL:
                raise MemoryError("no memory for the search")
        self.workers = []
        for _ in range(threads):
            worker = Worker()
            worker.root = open_root(game, evaluator.c, NULL if finisher is None else finisher.c, is_selective,
                                    &self.table, self.marks)
            if worker.root == NULL:
                raise MemoryError("no memory for the search")
            self.workers.append(worker)
        worker = self.workers[0]
        self.leader = worker.root
        self.own_limits(&self.leader.s.limits, CHECK_EVERY)
        for worker in self.workers[1:]:
            follow(&worker.root.s.limits, self.limits)
        self.most_exact = n_exact
        self.most_buckets = buckets_within(memory, BUCKET_SIZE)
        if not open_buckets(&self.table, min(self.most_buckets, <uint64_t> FIRST_BUCKETS), BUCKET_SIZE):
            raise MemoryError("no memory for the table")
        self.place()

    def __dealloc__(self):
        close_buckets(&self.table)
        free(self.marks)

    cdef int place(self) noexcept:
        """Begin a search of `root_state` on all threads. Returns the number of its moves."""
        cdef Worker worker
        for worker in self.workers:
            place_root(worker.root, &self.root_state, self.most_exact)
        return self.leader.n_moves

    @property
    def depth(self):
        """The last completed depth."""
        return self.leader.depth

    @property
    def bytes(self):
        """Bytes that the table takes."""
        return buckets_bytes(&self.table)

    def run(self, int depth, seconds=None, nodes=None):
        """Search deeper until that depth is done or a limit is met. Returns why it ended.

        The reasons are depth, proven, seconds, nodes and stopped. `nodes` counts all nodes of this search so far,
        `seconds` runs from this call. Neither ends depth 1, so that there is always a move.
        """
        crew = None
        self.begin()
        try:
            self.set_limits(seconds, nodes, 0)
            if self.leader.depth == 0 < depth:
                with nogil:
                    self.search_first_depth()
            if len(self.workers) > 1:
                crew = Crew(len(self.workers) - 1)
                self.deepen_together(depth, crew)
            else:
                with nogil:
                    self.deepen(depth)
            self.raise_failure()
            self.evaluator.check()
            self.position.check()
            self.raise_breach()
        finally:
            try:
                if crew is not None:
                    crew.shutdown()
            finally:
                self.end()
        if self.limits.ending:
            return self.reason()
        return "proven" if is_proven(self.leader) else "depth"

    cdef int raise_breach(self) except -1:
        """Raise BadGame if the game broke its contract in any thread."""
        cdef Worker worker
        for worker in self.workers:
            if worker.root.s.breach:
                raise breach("a number of moves or a result is out of range")
        return 0

    cdef void search_first_depth(self) noexcept nogil:
        """Search depth 1, which only `stop`, Ctrl-C or a failure ends."""
        cdef double deadline = self.limits.deadline
        cdef int64_t node_limit = self.limits.node_limit
        self.limits.deadline, self.limits.node_limit = INFINITY, <int64_t> 1 << 62
        search_root(self.leader, 1)
        self.limits.deadline, self.limits.node_limit = deadline, node_limit

    cdef void deepen(self, int depth) noexcept nogil:
        """Search on depth by depth, on one thread, until that depth, a limit or a proven result."""
        while self.deepen_in_table(depth):
            self.grow_table()

    cdef int deepen_together(self, int depth, object crew) except -1:
        """Search on depth by depth, on all threads. A leg lasts until the table has to grow."""
        while self.run_leg(depth, crew):
            with nogil:
                self.grow_table()
        return 0

    cdef object run_leg(self, int depth, object crew):
        """Search in the table as it is, on all threads. Returns whether it has to grow.

        When this returns or raises, no helper is at work: Ctrl-C may interrupt the wait for them, so this waits on.
        """
        cdef Worker worker
        cdef bint has_to_grow = False
        calls, failure = [], None
        for worker in self.workers[1:]:
            adopt(worker.root, self.leader)
        store(&self.limits.calls_back, 0)
        try:
            for number in range(1, len(self.workers)):
                calls.append(crew.submit(self.help, number, depth))
            with nogil:
                has_to_grow = self.deepen_in_table(depth)
        except BaseException as error:
            failure = error
        self.call_back(calls, failure)
        for worker in self.workers[1:]:
            if knows_more(worker.root, self.leader):
                adopt(self.leader, worker.root)
        return has_to_grow

    def help(self, int number, int most_depth):
        """Run a helper's part of a leg."""
        cdef Worker worker = self.workers[number]
        cdef root_t* leader = self.leader
        with nogil:
            help_leader(worker.root, leader, most_depth)

    cdef bint deepen_in_table(self, int depth) noexcept nogil:
        """Search depth by depth, on this thread. Returns whether the table has to grow before it goes on."""
        while self.leader.depth < depth and not self.limits.ending and not is_proven(self.leader):
            if must_stop(self.limits):
                break
            if self.buckets_needed() > self.table.n_buckets:
                return True
            search_root(self.leader, <int> self.leader.depth + 1)
        return False

    cdef uint64_t buckets_needed(self) noexcept nogil:
        """Return the size to which the table should grow: an entry for every node so far, if there is time.

        So short searches clear little memory.
        """
        cdef uint64_t n_buckets = self.table.n_buckets
        while BUCKET * <int64_t> n_buckets < all_nodes(self.limits) and 2 * n_buckets <= self.most_buckets:
            n_buckets *= 2
        if seconds_now() + n_buckets * BUCKET_SIZE / GROWN_IN_A_SECOND > self.limits.deadline:
            return self.table.n_buckets
        return n_buckets

    cdef void grow_table(self) noexcept nogil:
        """Replace the table by a larger one. If there is no memory for one, it stays as it is from now on."""
        if (not grow_buckets(&self.table, self.buckets_needed(), keep_bucket, &self.limits.stop)
                and not is_called(&self.limits.stop)):
            self.most_buckets = self.table.n_buckets

    def root(self):
        """Return the root's moves, best first, as columns, and their lines.

        There is a column `margin` if the evaluation's scores are margins. An inexact score is an upper bound; of a move
        that a depth cut short has not reached, it is the score of the depth before.
        """
        cdef const root_move_t* move
        cdef int i, j, n = self.leader.n_moves
        columns = {
            "value": np.full(n, np.nan),
            "score": np.full(n, np.nan),
            "proven": np.full(n, np.nan),
            "exact": np.zeros(n, np.bool_),
            "nodes": np.zeros(n, np.int64),
        }
        if self.evaluator.c.point > 0.0:
            columns["margin"] = np.full(n, np.nan)
        lines = []
        for i in range(n):
            move = &self.leader.found[i]
            lines.append([move.line[j] for j in range(move.length if move.exact else 1)])
            if self.leader.depth == 0:
                continue
            columns["exact"][i], columns["nodes"][i] = move.exact, move.nodes
            if -PROVEN < move.score < PROVEN:
                columns["score"][i] = move.score
                columns["value"][i] = expected(self.evaluator.c, move.score)
                if self.evaluator.c.point > 0.0:
                    columns["margin"][i] = move.score / self.evaluator.c.point
            elif move.exact or move.score < 0:      # an upper bound proves a loss, not a win
                columns["value"][i] = columns["proven"][i] = 1.0 if move.score > 0 else 0.0
        return columns, lines
