"""Searches without a tree: flat Monte Carlo, the UCB family, flat AMAF.

All statistics are of the root's moves ("arms"). Flat plays its arms in turn and AMAF plays from the
root, each playout in a substream given by its number alone, so both can be shared out to threads
without changing the result. UCB's next playout depends on all before it: one stream, one thread.
"""
from cython cimport no_gc_clear
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from mcts_core.base.atomics cimport load, store
from mcts_core.base.clock cimport seconds_now
from mcts_core.search.driver cimport Driver, lead_is_sure, pick_best
from mcts_core.game cimport MOVES_ROOM, any_state_t, code_words, copy_state, drop_state, is_result, move_t, trace_t
from mcts_core.rng cimport below, open_stream, rng_t, uniform
from mcts_core.search.select cimport beta_draw, ucb1, ucb_bayes, ucb_tuned, variance_of_mean

import numpy as np

from mcts_core.errors import breach

cdef enum:
    STREAM_GAMES = 64                   # games in a substream, as in playouts.pyx

# of the table of the root's moves; made once, because NumPy loses memory where a type cannot be made
COLUMNS = np.dtype([
    ("raw", np.uint32), ("code", np.int64), ("visits", np.int64), ("wins", float), ("squares", float),
    ("amaf_visits", np.int64), ("amaf_wins", float), ("score", float),
    ("recent_wins", float), ("recent_visits", float), ("recent_squares", float)])

cdef enum rule_t:
    UCB1
    TUNED
    BAYES
    THOMPSON
    GREEDY

RULES = {"ucb1": UCB1, "tuned": TUNED, "bayes": BAYES, "thompson": THOMPSON, "greedy": GREEDY}

cdef struct arm_t:                      # a move of the root
    move_t move
    int code
    any_state_t after                   # the position it leads to
    bint is_over                        # which is finished
    double known                        # with this result, as the mover sees it
    rng_t rng                           # flat: the substream in use
    int64_t n                           # playouts
    double w                            # their results, as the mover sees them
    double squares
    double recent_w                     # flat "recent": the same with weights that halve every half_life playouts
    double recent_n
    double recent_n2                    # sum of the squared weights
    int64_t amaf_n                      # playouts in which the move occurred at any time
    double amaf_w


cdef struct first_t:                    # the playouts that began with a move of the root
    move_t move
    int64_t n
    double w                            # the first player's
    double squares


cdef class AmafSums:
    """One thread's sums of AMAF playouts, by code, and its buffers."""

    cdef int64_t* n                     # playouts in which the code occurred
    cdef double* w                      # their results, as the first player sees them
    cdef uint64_t* seen                 # the codes of one playout, as bits
    cdef int32_t* codes                 # the codes of one playout, in order
    cdef move_t* moves                  # its moves
    cdef first_t* firsts                # of the root's moves, in order: the playouts that began with it
    cdef int n_firsts

    def __cinit__(self, int n_codes, int max_plies, int n_firsts):
        self.n = <int64_t*> PyMem_RawCalloc(2 * n_codes + code_words(n_codes) + max_plies, 8)
        self.firsts = <first_t*> PyMem_RawCalloc(n_firsts, sizeof(first_t))
        if self.n == NULL or self.firsts == NULL:
            raise MemoryError(f"no memory for the sums of {n_codes} codes")
        self.n_firsts = n_firsts
        self.w = <double*> (self.n + n_codes)
        self.seen = <uint64_t*> (self.w + n_codes)
        self.codes = <int32_t*> (self.seen + code_words(n_codes))
        self.moves = <move_t*> (self.codes + max_plies)

    def __dealloc__(self):
        PyMem_RawFree(self.n)
        PyMem_RawFree(self.firsts)

    cdef void count(self, const trace_t* trace, double result) noexcept nogil:
        """Add a playout: each code of it once, and its first move, which may share its code with others."""
        cdef int ply, code, j = 0
        while j < self.n_firsts - 1 and self.firsts[j].move != trace.moves[0]:
            j += 1
        self.firsts[j].n += 1
        self.firsts[j].w += result
        self.firsts[j].squares += result * result
        for ply in range(trace.plies):
            code = trace.codes[ply]
            if not self.seen[code >> 6] >> (code & 63) & 1:
                self.seen[code >> 6] |= <uint64_t> 1 << (code & 63)
                self.n[code] += 1
                self.w[code] += result
        for ply in range(trace.plies):
            self.seen[trace.codes[ply] >> 6] = 0


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class RootSearch(Driver):
    """Flat, UCB or AMAF over the moves of one position."""

    cdef object method
    cdef rule_t rule
    cdef double c, epsilon, decay
    cdef bint is_recent
    cdef const void* root_state         # kept alive by the position
    cdef int64_t breach                 # a playout gave no result
    cdef bint second_moves              # the second player is to move: results turn round
    cdef int n_arms
    cdef arm_t* arms
    cdef list amafs                     # AMAF: the sums of each thread
    cdef rng_t begun                    # AMAF: the substream that the batch before left unfinished
    cdef rng_t left                     # ... and that this batch leaves

    def __cinit__(self, position, dict options not None, seed_sequence):
        cdef move_t[MOVES_ROOM] moves
        cdef arm_t* arm
        cdef int j
        self.method = options["method"]
        if self.method == "amaf":
            self.need_codes(self.method)
        self.rule = RULES[options.get("rule", "ucb1")]
        self.c = options.get("c", 0.4)
        self.epsilon = options.get("epsilon", 0.1)
        self.decay = 0.5 ** (1.0 / options.get("half_life", 100.0))
        self.is_recent = options.get("schedule", "uniform") == "recent"
        self.root_state = self.position.state()
        self.second_moves = self.game.turn(self.game, self.position.state())
        self.n_arms = self.game.moves(self.game, self.position.state(), moves)
        self.amafs = []
        self.position.check()
        if not 0 < self.n_arms <= self.game.max_moves:
            raise breach(f"a position has {self.n_arms} moves")
        self.arms = <arm_t*> PyMem_RawCalloc(self.n_arms, sizeof(arm_t))
        if self.arms == NULL:
            raise MemoryError(f"no memory for {self.n_arms} moves")
        for j in range(self.n_arms):
            arm = &self.arms[j]
            arm.move = moves[j]
            arm.code = self.game.code(self.game, self.position.state(), moves[j])
            if self.method == "amaf" and not 0 <= arm.code < self.game.n_codes:
                raise breach(f"code {arm.code} of a move is out of range")
            copy_state(self.game, &arm.after, self.position.state())
            self.game.play(self.game, &arm.after, moves[j])
            arm.is_over = self.game.moves(self.game, &arm.after, NULL) == 0
            if arm.is_over:
                arm.known = self.seen_by_mover(self.game.result(self.game, &arm.after))
        if self.method == "flat":           # substreams 0 .. n_arms-1 are the arms', and AMAF's playouts are in 0
            self.own = open_stream(&self.seed, self.n_arms, 0)
        elif self.method == "amaf":
            self.own = open_stream(&self.seed, 1, 0)
        self.refuse_breach()

    def __dealloc__(self):
        cdef int j
        if self.arms != NULL:
            for j in range(self.n_arms):
                drop_state(self.game, &self.arms[j].after)
            PyMem_RawFree(self.arms)

    cdef inline double seen_by_mover(self, double result) noexcept nogil:
        if not is_result(result):
            store(&self.breach, 1)
        return 1.0 - result if self.second_moves else result

    cdef int refuse_breach(self) except -1:
        """Raise if the game gave a result that is none."""
        self.position.check()
        if load(&self.breach):
            raise breach("a result does not lie between 0 and 1")
        return 0

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        cdef double began, seconds
        if self.method == "ucb":
            with nogil:
                began = seconds_now()
                while self.playouts < target:
                    self.ucb_playout()
                seconds = seconds_now() - began
            self.note_work(seconds)
            return self.refuse_breach()
        task = self.flat_share if self.method == "flat" else self.amaf_share
        while len(self.amafs) < threads and self.method == "amaf":
            self.amafs.append(self.empty_sums())
        shares = [pool.submit(task, target, share, threads) for share in range(1, threads)]
        try:
            task(target, 0, threads)
        finally:
            for share in shares:
                share.result()
        self.playouts = target
        self.begun = self.left
        if self.method == "amaf":
            self.gather_amaf()
        return self.refuse_breach()

    cdef AmafSums empty_sums(self):
        cdef AmafSums sums = AmafSums(self.game.n_codes, self.game.max_plies, self.n_arms)
        cdef int j
        for j in range(self.n_arms):
            sums.firsts[j].move = self.arms[j].move
        return sums

    # Flat

    def flat_share(self, int64_t target, int share, int threads):
        """Every `threads`-th arm's part of the playouts up to `target`: playout i belongs to arm i % n_arms."""
        cdef int j
        cdef int64_t games
        cdef double began, seconds
        with nogil:
            began = seconds_now()
            for j in range(self.n_arms):
                games = (target - j + self.n_arms - 1) // self.n_arms if target > j else 0
                if j % threads == share:
                    self.flat_playouts(j, games)
            seconds = seconds_now() - began
        self.note_work(seconds)

    cdef void flat_playouts(self, int j, int64_t games) noexcept nogil:
        """Playouts of arm j until there were so many."""
        cdef arm_t* arm = &self.arms[j]
        cdef trace_t trace
        cdef double value
        memset(&trace, 0, sizeof(trace))
        while arm.n < games:
            if arm.n % STREAM_GAMES == 0:
                arm.rng = open_stream(&self.seed, j, arm.n // STREAM_GAMES)
            value = self.arm_playout(arm, &arm.rng, &trace)
            arm.recent_w = arm.recent_w * self.decay + value
            arm.recent_n = arm.recent_n * self.decay + 1.0
            arm.recent_n2 = arm.recent_n2 * self.decay * self.decay + 1.0

    cdef inline double arm_playout(self, arm_t* arm, rng_t* rng, trace_t* trace) noexcept nogil:
        """One playout after the arm's move, counted; returns its value for the mover."""
        cdef double value = arm.known
        if not arm.is_over:
            value = self.seen_by_mover(self.playout(self.game, &arm.after, rng, trace))
        arm.n += 1
        arm.w += value
        arm.squares += value * value
        return value

    # UCB

    cdef void ucb_playout(self) noexcept nogil:
        cdef trace_t trace
        memset(&trace, 0, sizeof(trace))
        self.playouts += 1
        self.arm_playout(&self.arms[self.pick_arm()], &self.own, &trace)

    cdef int pick_arm(self) noexcept nogil:
        """The arm of playout number `self.playouts`, counted from 1: the best score, the first if equal."""
        cdef int j, best = 0
        cdef double score, best_score = -INFINITY
        if self.rule <= TUNED or self.rule == GREEDY:
            if self.playouts <= self.n_arms:
                return <int> self.playouts - 1          # each once, in order
            if self.rule == GREEDY and uniform(&self.own) < self.epsilon:
                return below(&self.own, self.n_arms)
        for j in range(self.n_arms):
            score = self.arm_score(&self.arms[j])
            if score > best_score:
                best, best_score = j, score
        return best

    cdef inline double arm_score(self, const arm_t* arm) noexcept nogil:
        cdef double n = arm.n, i = self.playouts
        if self.rule == BAYES:
            return ucb_bayes(arm.w, n, i, self.c)
        if self.rule == THOMPSON:
            return beta_draw(&self.own, 1.0 + arm.w, 1.0 + (n - arm.w))
        if self.rule == UCB1:
            return ucb1(arm.w / n, n, i, self.c)
        if self.rule == TUNED:
            return ucb_tuned(arm.w / n, arm.squares / n, n, i)
        return arm.w / n

    # AMAF

    def amaf_share(self, int64_t target, int share, int threads):
        """Every `threads`-th substream's playouts from the root, up to `target` in all."""
        cdef AmafSums sums = self.amafs[share]
        cdef int64_t stream, first_stream = self.playouts // STREAM_GAMES, last_stream = (target - 1) // STREAM_GAMES
        cdef int64_t first, end
        cdef rng_t rng
        cdef double began, seconds
        with nogil:
            began = seconds_now()
            for stream in range(first_stream, last_stream + 1):
                if stream % threads != share:
                    continue
                first, end = max(self.playouts, stream * STREAM_GAMES), min(target, (stream + 1) * STREAM_GAMES)
                rng = open_stream(&self.seed, 0, stream) if first % STREAM_GAMES == 0 else self.begun
                self.amaf_playouts(sums, &rng, end - first)
                if stream == last_stream:
                    self.left = rng
            seconds = seconds_now() - began
        self.note_work(seconds)

    cdef void amaf_playouts(self, AmafSums sums, rng_t* rng, int64_t games) noexcept nogil:
        cdef const void* root = self.root_state
        cdef trace_t trace
        cdef double result
        cdef int64_t _
        memset(&trace, 0, sizeof(trace))
        trace.codes, trace.moves = sums.codes, sums.moves
        for _ in range(games):
            result = self.playout(self.game, root, rng, &trace)
            if not is_result(result):
                store(&self.breach, 1)
                return
            sums.count(&trace, result)

    cdef void gather_amaf(self):
        """The arms' own counters from the threads' sums: the playouts that began with the arm's move."""
        cdef AmafSums sums
        cdef arm_t* arm
        cdef int j
        for j in range(self.n_arms):
            arm = &self.arms[j]
            arm.n, arm.w, arm.squares, arm.amaf_n, arm.amaf_w = 0, 0.0, 0.0, 0, 0.0
            for sums in self.amafs:
                arm.n += sums.firsts[j].n
                arm.w += sums.firsts[j].w
                arm.squares += sums.firsts[j].squares
                arm.amaf_n += sums.n[arm.code]
                arm.amaf_w += sums.w[arm.code]
            if self.second_moves:
                arm.squares += arm.n - 2.0 * arm.w      # (1 - r)^2 = 1 - 2r + r^2
                arm.w = arm.n - arm.w
                arm.amaf_w = arm.amaf_n - arm.amaf_w

    # What was found

    cdef void criterion(self, const arm_t* arm, double* first, double* second) noexcept:
        """What the final choice compares; -inf: nothing is known of the move."""
        cdef double mean = arm.w / arm.n if arm.n else -INFINITY
        second[0] = 0.0
        if self.method == "ucb":
            first[0], second[0] = arm.n, mean
        elif self.method == "amaf":
            first[0] = arm.amaf_w / arm.amaf_n if arm.amaf_n else -INFINITY
        elif self.is_recent and arm.n:
            first[0] = arm.recent_w / arm.recent_n
        else:
            first[0] = mean

    def choose(self):
        """The index of the move to play; draws from the search's own stream if several are as good."""
        cdef double[MOVES_ROOM] first, second
        cdef int j
        for j in range(self.n_arms):
            self.criterion(&self.arms[j], &first[j], &second[j])
        return pick_best(first, second, self.n_arms, NULL if self.ties_first else &self.own)

    cdef bint is_sure(self, double error):
        cdef double[MOVES_ROOM] first, second, variance
        cdef arm_t* arm
        cdef int j
        for j in range(self.n_arms):
            arm = &self.arms[j]
            self.criterion(arm, &first[j], &second[j])
            if self.method == "amaf":
                variance[j] = variance_of_mean(arm.amaf_w, arm.amaf_n)
            elif self.is_recent:
                variance[j] = variance_of_mean(arm.recent_w, arm.recent_n)
            else:
                variance[j] = variance_of_mean(arm.w, arm.n)
        return lead_is_sure(first, second, variance, self.n_arms, error)

    def root(self):
        """The statistics of the root's moves, as arrays in legal order."""
        table = np.zeros(self.n_arms, COLUMNS)
        cdef double first = 0.0, second = 0.0
        cdef arm_t* arm
        cdef int j
        for j in range(self.n_arms):
            arm = &self.arms[j]
            self.criterion(arm, &first, &second)
            if self.method == "ucb" and self.rule != THOMPSON and (arm.n or self.rule == BAYES):
                first = self.arm_score(arm)
            elif first == -INFINITY or self.method == "ucb":
                first = float("nan")
            table[j] = (arm.move, arm.code, arm.n, arm.w, arm.squares, arm.amaf_n, arm.amaf_w, first,
                        arm.recent_w, arm.recent_n, arm.recent_n2)
        return {name: table[name].copy() for name in table.dtype.names}
