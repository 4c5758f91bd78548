"""Playouts for Python: one with its record, or millions with their sums.

Game g of position number p is played in substream (p, g // STREAM_GAMES) of the seed, the games of
a substream one after the other, and the sums are integers. So the result depends on (positions, n,
seed, policy) alone, although threads take substreams from a common counter in any order.
"""
from cython cimport no_gc_clear
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from mcts_core.base.array_memory cimport memory_of
from mcts_core.base.atomics cimport fetch_add, load, store
from mcts_core.base.clock cimport seconds_now
from mcts_core.game cimport (
    GAME_ABI, any_batch, any_playout, check_game, game_t, has_failed, is_result, job_t, move_t, playout_t, tally_t,
    trace_t
)
from mcts_core.position cimport Position
from mcts_core.rng cimport STREAM_GAMES, open_stream, rng_t, seed_t, seed_words

import numpy as np

from mcts_core.base.crew import Call
from mcts_core.errors import BadPosition, breach, shown
from mcts_core.rng import known_seed

cdef enum:
    BATCH_JOBS = 512                    # most substreams played at once
    BATCH_GAMES = 1 << 15               # games that a batch grows to; more would delay Ctrl-C
    FEW_JOBS = 8                        # substreams from which a kernel is faster than one game at a time
    MANY_JOBS = 64                      # substreams that keep all lanes busy

POLICIES = ("random", "guided")

cdef bytes NAME = b"mcts_core.playout_t %d" % GAME_ABI     # with the version of the structs that a policy gets
cdef const char* CAPSULE_NAME = NAME


cdef class Rollout:
    """The base class: a C function of the game, or of a capsule, which cannot fail."""

    cdef int start(self, Position position, const game_t* game) except -1:
        """Prepare a policy that is an object for a game: fill `c`."""
        raise ValueError(f"{type(self).__name__} is no policy of its own: derive a class from it, with `start`")

    def check(self):
        """Raise the failure of a policy that can fail, if there was one. Searches call this."""


cdef const game_t* rewarded(Position position, object rewards) except NULL:
    """Return the game of a position with the results that `rewards` names: "result" or "margin"."""
    if rewards == "result":
        return position.game
    if rewards != "margin":
        raise ValueError(f"rewards must be 'result' or 'margin', not {shown(rewards)}")
    if position.game.by_margin == NULL:
        raise BadPosition("rewards='margin' needs a game with margins, such as Othello, and this one has none")
    check_game(position.game.by_margin)
    return position.game.by_margin


cdef Rollout rollout_of(Position position, const game_t* game, object policy):
    """Return how a policy plays the game of a position, which may be `rewarded`.

    The policy is a name, a capsule, or a Rollout of its own.
    """
    cdef Rollout rollout
    if isinstance(policy, Rollout):
        rollout = policy
        rollout.start(position, game)
        return rollout
    rollout = Rollout()
    rollout.c.game, rollout.c.has_batch = game, False
    if PyCapsule_IsValid(policy, CAPSULE_NAME):
        rollout.c.playout = <playout_t> PyCapsule_GetPointer(policy, CAPSULE_NAME)
        return rollout
    check_policy(policy)
    if policy == "random":
        rollout.c.playout = game.playout if game.playout != NULL else any_playout
        rollout.c.has_batch = game.batch != NULL
    elif game.guided == NULL:
        raise ValueError("this game has no guided playouts; use policy='random'")
    else:
        rollout.c.playout = game.guided
    return rollout


cdef object playout_capsule(playout_t playout):
    """Return a capsule with a policy of your own: a C function that plays a game to its end, as `any_playout` does.

    It runs without the GIL, draws from `rng` alone, and writes its moves into the trace by `note`.
    """
    return PyCapsule_New(<void*> playout, CAPSULE_NAME, NULL)


def is_policy_capsule(thing):
    """Return whether this is a capsule that `playout_capsule` has made, for this version of the contract."""
    return bool(PyCapsule_IsValid(thing, CAPSULE_NAME))


def check_policy(policy):
    """Raise if this is no policy: a name, a capsule, or a Rollout."""
    if isinstance(policy, Rollout) or is_policy_capsule(policy):
        return
    if not isinstance(policy, str) or policy not in POLICIES:
        raise ValueError(f"policy must be one of {', '.join(map(repr, POLICIES))}, not {shown(policy)}")


# One playout

cdef class Playout:
    """One game played to its end.

    `result` is the first player's, `plies` counts passes too, `codes` are the AMAF codes of `moves`.

    >>> import playout as po
    >>> game = po.playout(po.Breakthrough(5), seed=1)
    >>> game.plies == len(game.moves) == len(game.codes)
    True
    >>> game.end.is_over, game.end.result == game.result
    (True, True)
    """

    cdef readonly double result
    cdef readonly int plies
    cdef readonly object codes
    cdef readonly object seed           # repeats this game
    cdef object _raw
    cdef Position _start

    @property
    def moves(self):
        return self._start.line(self._raw)

    @property
    def end(self):
        """The position at the end of the game."""
        end = self._start.copy()
        for move in self.moves:
            end.push(move)
        return end

    def _repr_svg_(self):
        picture = self.end._repr_svg_
        return None if picture is None else picture()

    def __repr__(self):
        return f"<playout of {self.plies} plies, result {self.result:g}: {' '.join(self.moves)}>"


def playout(Position position not None, seed=None, policy="random", rewards="result"):
    """Play one game to its end and return its record. It is game 0 of `playouts(position, n, seed)`."""
    position = position.private()
    refuse_if_over(position, None)
    known = known_seed(seed)
    cdef Rollout rollout = rollout_of(position, rewarded(position, rewards), policy)
    cdef seed_t words = seed_words(known)
    cdef rng_t rng = open_stream(&words, 0, 0)
    cdef trace_t trace
    cdef Playout played = Playout.__new__(Playout)
    raw = np.empty(position.game.max_plies, np.uint32)
    codes = np.empty(position.game.max_plies, np.int32)
    cdef move_t[::1] raw_view = raw
    cdef int32_t[::1] codes_view = codes
    trace.moves = &raw_view[0]
    trace.codes = &codes_view[0]
    trace.seen = NULL
    played.result = roll_out(&rollout.c, position.state(), &rng, &trace)
    position.check()
    rollout.check()
    if not is_result(played.result):
        raise breach("a playout gave no result between 0 and 1")
    played.plies = trace.plies
    played.codes = codes[:trace.plies].copy()
    played._raw = raw[:trace.plies].tolist()
    played.seed = known
    played._start = position
    return played


cdef int refuse_if_over(Position position, object index) except -1:
    if position.is_over:
        which = "this game" if index is None else f"the game of position number {index}"
        raise BadPosition(f"{which} is over, so there is nothing to play")
    return 0


# Many playouts

cdef struct work_t:                     # what the threads share; only the last three fields change
    const game_t* game
    rollout_t rollout
    const void** states
    int64_t n                           # games for each position
    int64_t streams                     # substreams for each position
    int64_t n_positions
    seed_t seed
    int threads
    int64_t end                         # substreams from here on are left out
    int64_t next                        # the next substream to take, over all positions
    int64_t stop                        # 1: every thread returns
    int64_t breach                      # 1: a game gave an invalid result


@no_gc_clear     # the states that are played from belong to Python objects
cdef class Batch:
    """A request for `n` playouts of each of some positions of one game. Call `run` once."""

    cdef work_t work
    cdef Rollout rollout                # None: there are no positions
    cdef list kept                      # keeps the states alive: their bytes, or private copies if the game can fail
    cdef readonly object turns          # the side to move in each position, an int64 array

    def __cinit__(self, list positions, int64_t n, seed, policy, rewards="result"):
        cdef Position position
        cdef const game_t* game = NULL
        cdef int64_t i
        cdef int64_t* turns
        self.kept = []
        self.turns = np.empty(len(positions), np.int64)
        turns = <int64_t*> memory_of(self.turns)
        self.work.n_positions = len(positions)
        self.work.states = <const void**> PyMem_RawCalloc(max(1, len(positions)), sizeof(void*))
        if self.work.states == NULL:
            raise MemoryError(f"no memory for {len(positions)} positions")
        for i in range(self.work.n_positions):
            if not isinstance(positions[i], Position):
                raise TypeError("playouts start from positions, such as playout.Breakthrough(), "
                                f"not {shown(positions[i])}")
            position = positions[i]
            if i == 0:
                game = position.game
            elif position.game != game:
                raise BadPosition(f"position number {i} is of another game or size than position number 0: "
                                  "ask for each kind in a call of its own")
            if game != NULL and game.failed != NULL:    # before the check, which lets other threads push
                position = position.private(self.kept[0] if self.kept else None)
            refuse_if_over(position, i if len(positions) > 1 else None)
            self.work.game = position.game
            self.work.states[i] = position.state()
            turns[i] = position.game.turn(position.game, self.work.states[i])
            self.kept.append(position._state if game.failed == NULL else position)
        self.work.n = n
        self.work.streams = (n + STREAM_GAMES - 1) // STREAM_GAMES
        self.work.seed = seed_words(seed)
        if positions:
            self.rollout = rollout_of(position, rewarded(position, rewards), policy)
            self.work.rollout = self.rollout.c
        else:
            check_policy(policy)

    def __dealloc__(self):
        PyMem_RawFree(self.work.states)

    @property
    def units(self):
        """The substreams of all positions."""
        return self.work.n_positions * self.work.streams

    def run(self, int threads, begin=0, end=None):
        """Play. Returns int64, a row for each position: the first player's wins, draws, losses; plies, sum, squares.

        `begin` and `end` choose some of the `units`, so that several workers can share the games.
        """
        self.work.threads = threads
        self.work.next = max(0, begin)
        self.work.end = self.units if end is None else max(1, min(end, self.units))
        totals = [np.zeros((self.work.n_positions, 6), np.int64) for _ in range(threads)]
        failures = []
        helpers = []
        try:
            for rows in totals[1:]:
                helper = Call(self._help, rows, failures)
                helper.start()
                helpers.append(helper)
            self._work(totals[0], True)
        finally:
            store(&self.work.stop, 1)
            for helper in helpers:
                helper.join()
        if failures:
            raise failures[0]
        if self.kept and self.work.game.failed != NULL:
            self.kept[0].check()
        if self.rollout is not None:
            self.rollout.check()
        if load(&self.work.breach):
            raise breach("a result does not lie between 0 and 1")
        return np.sum(totals, axis=0) if threads > 1 else totals[0]

    def _help(self, rows, failures):
        try:
            self._work(rows, False)
        except BaseException as failure:
            failures.append(failure)

    def _work(self, rows, bint listens):
        cdef tally_t* totals = <tally_t*> memory_of(rows)
        if len(rows):
            with nogil:
                take_part(&self.work, totals, listens)


cdef int take_part(work_t* work, tally_t* totals, bint listens) except -1 nogil:
    """Take substreams and play them until none are left. Only the calling thread listens for Ctrl-C."""
    cdef int64_t all_streams = work.end
    cdef int most_jobs = <int> min(<int64_t> BATCH_JOBS, all_streams)
    cdef job_t* jobs = <job_t*> PyMem_RawCalloc(most_jobs, sizeof(job_t))
    cdef int64_t games = first_batch(work)      # adjusted below to last about a millisecond
    cdef int64_t first
    cdef int j, n_jobs
    cdef double began = seconds_now(), ended
    if jobs == NULL:
        with gil:
            raise MemoryError("no memory for a batch of playouts")
    try:
        while not load(&work.stop) and not load(&work.breach) and not has_failed(work.game):
            n_jobs = <int> max(1, min(most_jobs, games // min(work.n, STREAM_GAMES)))
            first = fetch_add(&work.next, n_jobs)
            n_jobs = <int> min(n_jobs, all_streams - first)
            if n_jobs <= 0:
                break
            for j in range(n_jobs):
                set_job(work, &jobs[j], first + j)
            if work.rollout.has_batch and n_jobs >= FEW_JOBS:
                work.rollout.game.batch(work.rollout.game, jobs, n_jobs)
            else:
                any_batch(work.rollout.game, work.rollout.playout, jobs, n_jobs)
            for j in range(n_jobs):
                if jobs[j].tally.wins + jobs[j].tally.draws + jobs[j].tally.losses != jobs[j].games:
                    store(&work.breach, 1)
                add(&totals[(first + j) // work.streams], &jobs[j].tally)
            ended = seconds_now()
            if ended - began > 2e-3 and games > 1:
                games //= 2
            elif ended - began < 5e-4 and games < BATCH_GAMES:
                games *= 2
            began = ended
            if listens:
                with gil:
                    PyErr_CheckSignals()
    finally:
        PyMem_RawFree(jobs)
    return 0


cdef int64_t first_batch(const work_t* work) noexcept nogil:
    """Return how many games the first batch has, when their length is unknown."""
    if not work.rollout.has_batch:
        return STREAM_GAMES
    return STREAM_GAMES * max(<int64_t> MANY_JOBS, work.n_positions * work.streams // (2 * work.threads))


cdef void set_job(work_t* work, job_t* job, int64_t unit) noexcept nogil:
    cdef int64_t position = unit // work.streams, stream = unit % work.streams
    job.state = work.states[position]
    job.rng = open_stream(&work.seed, position, stream)
    job.games = min(<int64_t> STREAM_GAMES, work.n - stream * STREAM_GAMES)
    job.seen = NULL
    memset(&job.tally, 0, sizeof(tally_t))


cdef void add(tally_t* total, const tally_t* part) noexcept nogil:
    total.wins += part.wins
    total.draws += part.draws
    total.losses += part.losses
    total.plies += part.plies
    total.sum += part.sum
    total.squares += part.squares
