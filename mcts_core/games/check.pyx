"""The check of a compiled game against the contract of game.pxd, on random games.

check_rules.pyx checks the rules, check_knowledge.pyx what the game knows of its positions. Then the game's own
loops (`playout`, `guided`, `batch`) are compared with its `moves` and `play`.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memset

from mcts_core.game cimport (
    MOVES_ROOM, any_batch, any_playout, code_words, game_t, job_t, move_t, playout_t, tally_t, trace_t
)
from mcts_core.games.check_knowledge cimport check_fold, check_solve
from mcts_core.games.check_rules cimport FILLS, GUARD, GUARDS, STATE_GUARDS, Checker, State, copy_of
from mcts_core.position cimport Position
from mcts_core.rng cimport open_stream, rng_t

import numpy as np

from mcts_core.errors import BadPosition
from mcts_core.games.check_rules import fault_at, raw_text

MOST_MOVES = MOVES_ROOM
GAME_IS_OVER = "this game is over, so there is nothing to check: start from an earlier position"

cdef enum:
    SPREAD = 32                         # playouts for each first move, in which each must begin some
    SPREAD_FROM = 2                     # positions from which this is checked: one of each player
    MOST_JOBS = 64                      # jobs in the largest batch


def check(Position start not None, int games, seed_sequence):
    """Play `games` random games from a position and raise BadGame at the first fault.

    Returns how many positions were checked, and the names of the functions that were checked.
    """
    cdef PlayoutChecker checker = PlayoutChecker(start, seed_sequence)
    cdef int number
    if checker.is_over():
        raise BadPosition(GAME_IS_OVER)
    checker.check_fields()
    for number in range(games):
        checker.check_line(number)
    checker.check_knowledge()
    checker.check_playouts()            # after the rules, because wrong codes would make playouts write anywhere
    checker.check_batch()
    return checker.positions, checker.names()


def most_plies(Position position not None):
    """Return max_plies of a position's game."""
    return position.game.max_plies


cdef class PlayoutChecker(Checker):
    """The checker of the rules, and of a game's own playouts."""

    cdef int check_knowledge(self) except -1:
        """Check what the game says of all unfinished positions."""
        cdef State state
        cdef dict folded = {}
        for state, legal in self.unfinished:
            PyErr_CheckSignals()
            check_solve(self.game, state)
            check_fold(self.game, state, len(legal), folded)
        return 0

    cdef int check_playouts(self) except -1:
        """Check the game's own playouts from all unfinished positions."""
        cdef State state
        cdef rng_t rng
        cdef int i
        for i in range(len(self.unfinished)):
            PyErr_CheckSignals()
            state, legal = self.unfinished[i]
            rng = open_stream(&self.seed, i, 1)
            if self.game.playout != NULL:
                self.check_playout("playout", self.game.playout, state, rng)
            if self.game.guided != NULL:
                self.check_playout("guided", self.game.guided, state, rng)
            if self.game.playout != NULL and i < SPREAD_FROM:
                self.check_spread(state, legal, rng)
        return 0

    cdef int check_playout(self, name, playout_t playout, State state, rng_t rng) except -1:
        """Check one playout: its record can be replayed, and recording other things does not change it."""
        cdef rng_t after, other
        cdef trace_t trace, other_trace
        cdef double result, other_result
        before = state.bytes
        after = rng
        result = self.record(playout, state, &after, &trace, True, False)
        self.check_record(name, state, &trace, result)
        for seen in (True, False):
            other = rng
            other_result = self.record(playout, state, &other, &other_trace, False, seen)
            if other_result != result or other_trace.plies != trace.plies or memcmp(&other, &after, sizeof(rng_t)):
                raise fault_at(state, f"{name} plays another game if other parts of the trace are NULL",
                               "what is recorded must change nothing")
            if seen:
                self.check_seen(name, state, trace.plies)
        self.expect_same(state, before, name)
        return 0

    cdef double record(self, playout_t playout, State state, rng_t* rng, trace_t* trace, bint moves, bint seen):
        """Play a playout, and record its moves, or the set of its codes, or nothing. Returns its result."""
        trace.plies = -1
        trace.moves = &self.moves[0] if moves else NULL
        trace.codes = &self.codes[0] if moves else NULL
        trace.seen = NULL
        if seen and self.game.n_codes:
            trace.seen = &self.seen[0]
            memset(trace.seen, 0, code_words(self.game.n_codes) * sizeof(uint64_t))
        return playout(self.game, state.words, rng, trace)

    cdef int check_record(self, name, State state, const trace_t* trace, double result) except -1:
        """Replay a recorded playout by `moves` and `play`."""
        cdef const game_t* game = self.game
        cdef State now = copy_of(game, state.words, state.path, FILLS[0])
        cdef int ply, i
        cdef move_t move
        for i in range(game.max_plies, game.max_plies + GUARDS):
            if self.moves[i] != GUARD or self.codes[i] != GUARD:
                raise fault_at(state, f"{name} wrote ply {i} of its trace, and max_plies is {game.max_plies}",
                               "raise max_plies, or end the game by then")
        if not 0 <= trace.plies <= game.max_plies:
            raise fault_at(state, f"{name} left {trace.plies} in trace.plies, and max_plies is {game.max_plies}",
                           "it must set plies to the number of moves it played")
        for ply in range(trace.plies):
            move = self.moves[ply]
            if move not in self.moves_of(now, 0):
                raise fault_at(state, f"{name} played the move {raw_text(move)} as ply {ply}, which is not legal there",
                               "it must choose among the moves that moves gives, and record those it plays")
            if game.n_codes and self.codes[ply] != self.code_of(now, move):
                raise fault_at(state, f"{name} recorded the code {self.codes[ply]} at ply {ply}, "
                                      f"and code gives {self.code_of(now, move)}", "they must be the same")
            game.play(game, now.words, move)
        if self.moves_of(now, 0):
            raise fault_at(state, f"{name} ended after {trace.plies} plies, and the game goes on",
                           "it must play to the end of the game")
        if result != self.result_of(now):
            raise fault_at(state, f"{name} returned {result} for a game whose result is {self.result_of(now)}",
                           "it must return the first player's result")
        return 0

    cdef int check_seen(self, name, State state, int plies) except -1:
        """Check that the set of codes has the codes that were recorded in order."""
        cdef int words = code_words(self.game.n_codes), i
        for i in range(words, words + GUARDS):
            if self.seen[i] != GUARD:
                raise fault_at(state, f"{name} set a bit of trace.seen behind the last code",
                               f"codes are 0 .. n_codes-1, and n_codes is {self.game.n_codes}")
        if self.game.n_codes and codes_in(self.seen[:words]) != {self.codes[i] for i in range(plies)}:
            raise fault_at(state, f"{name} set other bits in trace.seen than those of the codes it recorded",
                           "call note for every move")
        return 0

    cdef int check_spread(self, State state, list legal, rng_t rng) except -1:
        """Check that every legal move begins about as many random playouts as any other."""
        cdef trace_t trace
        counts = dict.fromkeys(legal, 0)
        if len(legal) < 2:
            return 0
        for _ in range(SPREAD * len(legal)):
            self.record(self.game.playout, state, &rng, &trace, True, False)
            counts[self.moves[0]] += 1
        for move, count in counts.items():
            if not 0 < count < 3 * SPREAD:
                raise fault_at(state, f"{count} of {SPREAD * len(legal)} playouts began with the move {raw_text(move)}",
                               f"playout must choose all {len(legal)} moves equally often")
        return 0

    # Batches

    cdef int check_batch(self) except -1:
        """Check that `batch` plays what the game's playout plays, in batches of several sizes."""
        if self.game.batch != NULL:
            for n_jobs in (1, 3, 8, MOST_JOBS):
                self.compare_batch(n_jobs, 1, True)
                self.compare_batch(n_jobs, 1, False)
                self.compare_batch(n_jobs, 5, False)
        return 0

    cdef int compare_batch(self, int n_jobs, int games, bint seen) except -1:
        cdef playout_t playout = self.game.playout if self.game.playout != NULL else any_playout
        cdef Jobs expected = Jobs(self, n_jobs, games, seen)
        cdef Jobs found = Jobs(self, n_jobs, games, seen)
        any_batch(self.game, playout, expected.c, n_jobs)
        self.game.batch(self.game, found.c, n_jobs)
        for j in range(n_jobs):
            what = found.difference(expected, j)
            if what:
                raise fault_at(found.states[j], f"job {j} of a batch of {n_jobs} is left with {what}",
                               "batch must play the games that playout plays with the same generators")
        if not found.is_intact():
            raise fault_at(found.states[0], f"a batch of {n_jobs} has written behind its jobs or their codes",
                           "it may write to the n_jobs jobs and to their n_codes bits")
        return 0


def codes_in(words):
    """Return the numbers of the bits that are set."""
    bits = np.unpackbits(np.asarray(words, "<u8").view(np.uint8), bitorder="little")
    return set(np.flatnonzero(bits).tolist())


cdef class Jobs:
    """Some jobs for `batch`, with guards behind them."""

    cdef job_t* c
    cdef list states
    cdef unsigned char[::1] memory      # the jobs, then a guard of one job's size
    cdef uint64_t[:, ::1] seen          # a row for each job: its codes, then guards
    cdef int words                      # of a row that hold codes

    def __cinit__(self, Checker checker, int n_jobs, int games, bint seen):
        cdef State state
        cdef int j
        self.memory = np.zeros((n_jobs + 1) * sizeof(job_t), np.uint8)
        self.memory[n_jobs * sizeof(job_t):] = FILLS[0]
        self.words = code_words(checker.game.n_codes)
        self.seen = np.full((n_jobs, self.words + STATE_GUARDS), GUARD, np.uint64)
        self.seen[:, :self.words] = 1                           # batch adds to what is there
        states = [state for state, _ in checker.unfinished]
        self.states = [states[len(states) * j // n_jobs] for j in range(n_jobs)]
        self.c = <job_t*> &self.memory[0]
        for j in range(n_jobs):
            state = self.states[j]
            self.c[j].state = state.words
            self.c[j].rng = open_stream(&checker.seed, n_jobs, j)
            self.c[j].games = games + (j % 3 if games > 1 else 0)
            self.c[j].seen = &self.seen[j, 0] if seen and self.words else NULL

    cdef object difference(self, Jobs expected, int j):
        """Return what of a job is not as expected; None if nothing."""
        cdef const tally_t* one = &self.c[j].tally
        cdef const tally_t* other = &expected.c[j].tally
        if memcmp(one, other, sizeof(tally_t)):
            return (f"{one.wins} wins, {one.draws} draws, {one.losses} losses in {one.plies} plies, and playout with "
                    f"{other.wins}, {other.draws}, {other.losses} in {other.plies} (or with other sums of results)")
        if self.c[j].games == 1 and self.c[j].result != expected.c[j].result:
            return f"the result {self.c[j].result}, and playout with {expected.c[j].result}"
        if memcmp(&self.c[j].rng, &expected.c[j].rng, sizeof(rng_t)):
            return "another state of its generator than by playout"
        if memcmp(&self.seen[j, 0], &expected.seen[j, 0], self.words * sizeof(uint64_t)):
            return "other codes in seen than by playout"
        return None

    cdef bint is_intact(self) except -1:
        """Return whether the guards are unchanged. (NumPy 2.4 crashes if comparing arrays runs out of memory.)"""
        cdef Py_ssize_t i, j, guard = len(self.states) * sizeof(job_t)
        for i in range(guard, self.memory.shape[0]):
            if self.memory[i] != FILLS[0]:
                return False
        for j in range(self.seen.shape[0]):
            for i in range(self.words, self.seen.shape[1]):
                if self.seen[j, i] != GUARD:
                    return False
        return True
