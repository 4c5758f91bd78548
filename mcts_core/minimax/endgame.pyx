"""Exact Othello endgames: a solver in Python, its table, its passes and its threads.

The search of one thread is in `endgame_search.pyx`.
"""
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from mcts_core.base.atomics cimport fetch_add, store
from mcts_core.base.bits cimport count_bits
from mcts_core.evaluator cimport Evaluator
from mcts_core.games.othello cimport Othello
from mcts_core.games.othello_board cimport moves_of
from mcts_core.games.othello_rules cimport PASS, state_t
from mcts_core.minimax.endgame_search cimport (
    BUCKET_SIZE, FAR_BEYOND, GUIDED, OTHELLO_FINISHER, best_choice, close_endgame, even, must_return, open_endgame,
    predicted_score, search_root
)
from mcts_core.minimax.endgame_table cimport BUCKET, CERTAIN, NO_SQUARE, keep_bucket
from mcts_core.minimax.endgame_thread cimport NOWHERE, ROOT, endgame_t, shared_t
from mcts_core.minimax.finisher cimport Finisher
from mcts_core.minimax.limits cimport LimitedSearch, all_nodes, begin_to_help, follow, must_stop
from mcts_core.minimax.othello_order cimport choice_t
from mcts_core.minimax.transposition cimport (
    buckets_bytes, buckets_t, buckets_within, close_buckets, grow_buckets, open_buckets
)

from mcts_core.base.crew import Crew
from mcts_core.errors import BadMethod, BadPosition

cdef enum:
    FIRST_BUCKETS = 1 << 12             # of a table that grows: 192 KiB
    NODES_AN_ENTRY = 16                 # nodes for each entry of a table that grows; fewer would wait for memory
    SELECTIVE = 18                      # empty squares of the root from which selective passes come first

cdef class Worker:
    """The memory of a thread."""

    cdef endgame_t* e

    def __dealloc__(self):
        close_endgame(self.e)


cdef class EndgameSolver(LimitedSearch):
    """A solver of one Othello position.

    `guide` is an evaluation whose scores are discs; with many empty squares it saves most of the work. The table takes
    at most `memory` bytes, beside 192 KiB for each thread.
    """

    cdef endgame_t* leader              # of the first thread
    cdef list workers                   # one for each thread, the leader's first
    cdef buckets_t table
    cdef uint64_t most_buckets          # that the table may grow to
    cdef shared_t* shared               # NULL: one thread
    cdef Evaluator guide
    cdef int n_empty
    cdef readonly Othello position

    def __cinit__(self, Othello position not None, int64_t memory=1 << 28, Evaluator guide=None, int threads=1):
        cdef const state_t* state = <const state_t*> position.state()
        cdef Worker worker
        cdef uint64_t n_buckets
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to solve")
        self.position = position.copy()
        self.n_empty = count_bits(state.squares & ~(state.own | state.enemy))
        if guide is not None:
            guide.check_for(position.game)
            if not (guide.c.needs_planes and 1.0 <= guide.c.point < FAR_BEYOND // 64):
                raise BadMethod("a guide of an endgame is an evaluation of planes whose scores are discs, such as "
                                "patterns")
            if self.takes_guide(position):
                self.guide = guide
        self.workers = []
        for _ in range(threads):
            worker = Worker()
            worker.e = open_endgame(state, &self.table, position.game, NULL if self.guide is None else self.guide.c)
            if worker.e == NULL:
                raise MemoryError("no memory for the solver")
            self.workers.append(worker)
        worker = self.workers[0]
        self.leader = worker.e
        self.own_limits(&self.leader.limits, 1)     # `deep` decides when to check
        for worker in self.workers[1:]:
            follow(&worker.e.limits, self.limits)
        if threads > 1:
            self.shared = <shared_t*> calloc(1, sizeof(shared_t))
            if self.shared == NULL:
                raise MemoryError("no memory for the solver")
        # buckets grow with the number of positions, so that small endgames clear little memory
        self.most_buckets = min(buckets_within(memory, BUCKET_SIZE), <uint64_t> 1 << self.n_empty)
        n_buckets = self.most_buckets if self.guide is None else min(self.most_buckets, <uint64_t> FIRST_BUCKETS)
        if not open_buckets(&self.table, n_buckets, BUCKET_SIZE):
            raise MemoryError("no memory for the table; try less with memory=")

    def __dealloc__(self):
        close_buckets(&self.table)
        free(self.shared)

    @staticmethod
    def takes_guide(Othello position not None):
        """Return whether a position has enough empty squares for a guide to help."""
        cdef const state_t* state = <const state_t*> position.state()
        return count_bits(state.squares & ~(state.own | state.enemy)) >= GUIDED

    @property
    def bytes(self):
        """Bytes that the table takes."""
        return buckets_bytes(&self.table)

    @property
    def score(self):
        """The score that the last run has found. Only a bound if it is not between the scores of the run."""
        return self.leader.score

    @property
    def square(self):
        """The square of the best move, or PASS; if a limit was met, of the best move so far."""
        return self.leader.square

    def run(self, int low, int high, seconds=None, nodes=None, only=None):
        """Search the root's moves between these scores. Returns why it ended: solved, seconds, nodes or stopped.

        `nodes` counts all nodes of this solver so far, `seconds` runs from this call. With `only`, the square of a
        legal move, no other move is searched.
        """
        crew = None
        self.leader.among = ~<uint64_t> 0 if only is None else <uint64_t> 1 << <int> only
        self.leader.square = NO_SQUARE
        self.begin()
        try:
            self.set_limits(seconds, nodes, 0)
            if len(self.workers) > 1:
                crew = Crew(len(self.workers) - 1)
            self.pass_by_pass(low, high, crew)
            self.raise_failure()
        finally:
            try:
                if crew is not None:
                    crew.shutdown()
            finally:
                self.leader.certainty, self.leader.shared, self.leader.settled = CERTAIN, NULL, NOWHERE
                self.end()
        return self.reason() if self.limits.ending else "solved"

    cdef int pass_by_pass(self, int low, int high, object crew) except -1:
        """Search with growing certainty. Each pass leaves a good order of moves, and a guess of the score."""
        cdef int guess
        if self.guide is None or self.n_empty < SELECTIVE:
            return self.search(low, high, crew)
        guess = predicted_score(self.leader)
        for certainty in range(CERTAIN + 1):
            self.leader.certainty = certainty
            self.close_in(low, high, guess, 1 if certainty else 3, crew)
            if self.limits.ending:
                break
            guess = even(self.leader.score)
        return 0

    cdef int close_in(self, int low, int high, int guess, int width, object crew) except -1:
        """Search around a guess, in wider windows until the score lies in one."""
        cdef int least = low, most = high       # what is known of the score
        cdef int alpha = max(low, min(guess - width, high - 1)), beta = min(high, max(guess + width, low + 1))
        while True:
            self.search(alpha, beta, crew)
            if self.limits.ending or alpha < self.leader.score < beta:
                return 0
            if self.leader.score <= alpha:
                most = min(most, even(self.leader.score - 1))
                alpha, beta = max(low, least - 1, most - 2 * width - 1), most + 1
            else:
                least = max(least, even(self.leader.score))
                alpha, beta = least - 1, min(high, most + 1, least + 2 * width + 1)
            if least >= most:
                return 0
            width *= 2

    cdef int search(self, int low, int high, object crew) except -1:
        """Search the root on all threads, in a table that is large enough for the nodes so far."""
        if self.guide is not None:
            with nogil:
                self.grow_table()
        if crew is None:
            with nogil:
                search_root(self.leader, low, high)
            return 0
        return self.search_together(low, high, crew)

    cdef void grow_table(self) noexcept nogil:
        """Replace the table by a larger one, if it should have one. Without memory for one it stays as it is."""
        cdef uint64_t n_buckets = self.table.n_buckets
        cdef int64_t nodes = all_nodes(self.limits)
        while <int64_t> n_buckets * BUCKET * NODES_AN_ENTRY < nodes and 2 * n_buckets <= self.most_buckets:
            n_buckets *= 2
        if n_buckets > self.table.n_buckets:
            grow_buckets(&self.table, n_buckets, keep_bucket, &self.limits.stop)

    # Threads

    cdef int search_together(self, int low, int high, object crew) except -1:
        """Search the root on all threads. The first that finishes has the result.

        When this returns or raises, no helper is at work: Ctrl-C may interrupt the wait for them, so this waits on.
        """
        cdef Worker worker
        cdef endgame_t* leader = self.leader
        calls, failure = [], None
        memset(self.shared, 0, sizeof(shared_t))
        for worker in self.workers:
            worker.e.shared, worker.e.settled, worker.e.n_path = self.shared, NOWHERE, 0
            worker.e.certainty, worker.e.among, worker.e.square = leader.certainty, leader.among, leader.square
        store(&self.limits.calls_back, 0)
        try:
            for number in range(1, len(self.workers)):
                calls.append(crew.submit(self.help, number, low, high))
            with nogil:
                search_root(leader, low, high)
        except BaseException as error:
            failure = error
        self.call_back(calls, failure)
        if leader.settled == ROOT:
            worker = self.workers[self.shared.winner]
            leader.score, leader.square = worker.e.score, worker.e.square
        return 0

    def help(self, int number, int low, int high):
        """Run a helper's part of a search."""
        cdef Worker worker = self.workers[number]
        cdef endgame_t* e = worker.e
        with nogil:
            begin_to_help(&e.limits)
            search_root(e, low, high)
            if not must_return(e) and fetch_add(&self.shared.finished, 1) == 0:
                self.shared.winner = number
            must_stop(&e.limits)        # counts the last nodes

    def line(self, int score, bint outcome_only):
        """Return the moves of best play from the root, whose score is known, until a limit of the last run is met.

        With outcome_only the score is 1, 0 or -1 for a win, draw or loss, and each move need only keep that.
        """
        self.begin()
        try:
            return self.best_line(score, outcome_only)
        finally:
            self.end()

    cdef list best_line(self, int score, bint outcome_only):
        cdef endgame_t* e = self.leader
        cdef choice_t choice
        cdef uint64_t own = e.own, enemy = e.enemy
        cdef int target
        moves = []
        while not self.limits.ending:
            if moves_of(own, enemy, e.squares) == 0:
                if moves_of(enemy, own, e.squares) == 0:
                    break
                moves.append(PASS)
                own, enemy, score = enemy, own, -score
                continue
            target = -e.n_squares if outcome_only and score < 0 else score      # a lost game: any move
            with nogil:
                choice = best_choice(e, own, enemy, target)
            self.raise_failure()
            if self.limits.ending:
                break
            moves.append(choice.square)
            own, enemy, score = enemy ^ choice.flips, own ^ (choice.flips | choice.disc), -score
        return moves


cdef Finisher made = Finisher()
made.c = &OTHELLO_FINISHER
FINISHER = made
