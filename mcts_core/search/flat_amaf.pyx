"""Flat AMAF: playouts from the root, each counted for every code that occurs in it; the best AMAF mean is chosen."""
from cython cimport no_gc_clear
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from mcts_core.base.atomics cimport store
from mcts_core.base.clock cimport seconds_now
from mcts_core.game cimport code_words, is_result, move_t, trace_t
from mcts_core.playouts cimport roll_out
from mcts_core.rng cimport STREAM_GAMES, open_stream, rng_t
from mcts_core.search.choice cimport BEST_AMAF_MEAN
from mcts_core.search.root cimport RootSearch, arm_t

from mcts_core.errors import breach


cdef struct first_t:                    # the playouts that began with a move of the root
    move_t move
    int64_t n
    double w                            # the sum of their results, the first player's
    double squares                      # the sum of their squared results


cdef class AmafSums:
    """One thread's sums of AMAF playouts, by code, and its buffers."""

    cdef int64_t* n                     # playouts in which the code occurred
    cdef double* w                      # the sum of their results, the first player's
    cdef uint64_t* seen                 # the codes of one playout, as bits
    cdef int32_t* codes                 # the codes of one playout, in order
    cdef move_t* moves                  # its moves
    cdef first_t* firsts                # for each move of the root, in order
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
        """Add a playout: to each of its codes once, and to its first move, because several moves may share a code."""
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


@no_gc_clear
cdef class FlatAMAFSearch(RootSearch):
    """All moves as first, without a tree. All playouts are in the substreams of position 0."""

    cdef list sums                      # an AmafSums for each thread
    cdef rng_t begun                    # the substream that the last batch left unfinished
    cdef rng_t left                     # the one that this batch leaves unfinished

    def __cinit__(self, position, dict options not None, seed):
        cdef int j
        self.need_codes("amaf")
        self.criterion = BEST_AMAF_MEAN
        self.sums = []
        for j in range(self.n_arms):
            if not 0 <= self.arms[j].code < self.game.n_codes:
                raise breach(f"code {self.arms[j].code} of a move is out of range")
        self.use_own_stream(1)

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        while len(self.sums) < threads:
            self.sums.append(self.empty_sums())
        self.share_out(target, pool, threads)
        self.begun = self.left
        self.add_up()
        return self.end_batch()

    cdef AmafSums empty_sums(self):
        cdef AmafSums sums = AmafSums(self.game.n_codes, self.game.max_plies, self.n_arms)
        cdef int j
        for j in range(self.n_arms):
            sums.firsts[j].move = self.arms[j].move
        return sums

    def share(self, int64_t target, int number, int threads):
        """Play every `threads`-th substream."""
        cdef AmafSums sums = self.sums[number]
        cdef int64_t stream, first_stream = self.playouts // STREAM_GAMES, last_stream = (target - 1) // STREAM_GAMES
        cdef int64_t first, end
        cdef rng_t rng
        cdef double began, seconds
        with nogil:
            began = seconds_now()
            for stream in range(first_stream, last_stream + 1):
                if stream % threads != number:
                    continue
                first, end = max(self.playouts, stream * STREAM_GAMES), min(target, (stream + 1) * STREAM_GAMES)
                rng = open_stream(&self.seed, 0, stream) if first % STREAM_GAMES == 0 else self.begun
                self.play(sums, &rng, end - first)
                if stream == last_stream:
                    self.left = rng
            seconds = seconds_now() - began
        self.note_work(seconds)

    cdef void play(self, AmafSums sums, rng_t* rng, int64_t games) noexcept nogil:
        cdef const void* root = self.root_state
        cdef trace_t trace
        cdef double result
        cdef int64_t _
        memset(&trace, 0, sizeof(trace))
        trace.codes, trace.moves = sums.codes, sums.moves
        for _ in range(games):
            result = roll_out(&self.rollout.c, root, rng, &trace)
            if not is_result(result):
                store(&self.breach, 1)
                return
            sums.count(&trace, result)

    cdef void add_up(self):
        """Compute the arms' counters from the threads' sums."""
        cdef AmafSums sums
        cdef arm_t* arm
        cdef int j
        for j in range(self.n_arms):
            arm = &self.arms[j]
            arm.n, arm.w, arm.squares, arm.amaf_n, arm.amaf_w = 0, 0.0, 0.0, 0, 0.0
            for sums in self.sums:
                arm.n += sums.firsts[j].n
                arm.w += sums.firsts[j].w
                arm.squares += sums.firsts[j].squares
                arm.amaf_n += sums.n[arm.code]
                arm.amaf_w += sums.w[arm.code]
            if self.second_moves:
                arm.squares += arm.n - 2.0 * arm.w      # (1 - r)^2 = 1 - 2r + r^2
                arm.w = arm.n - arm.w
                arm.amaf_w = arm.amaf_n - arm.amaf_w
