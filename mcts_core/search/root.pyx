"""What the searches without a tree share. The map is root.pxd; each search is a file: flat, ucb, flat_amaf.

Flat plays its arms in turn, and AMAF plays from the root. The number of a playout alone gives its
substream, so threads can share both searches without changing the result.
"""
from cython cimport no_gc_clear
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int64_t

from mcts_core.base.atomics cimport load, store
from mcts_core.search.driver cimport Driver
from mcts_core.game cimport MOVES_ROOM, copy_state, drop_state, is_result, move_t, trace_t
from mcts_core.playouts cimport roll_out
from mcts_core.rng cimport rng_t
from mcts_core.search.rows cimport clear_row, row_t

from mcts_core.errors import breach


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class RootSearch(Driver):
    """A search over the moves of one position: the base of FlatSearch, UCBSearch and FlatAMAFSearch."""

    def __cinit__(self, position, dict options not None, seed):
        cdef move_t[MOVES_ROOM] moves
        cdef arm_t* arm
        cdef int j
        self.root_state = self.position.state()
        self.second_moves = self.game.turn(self.game, self.root_state)
        self.n_arms = self.game.moves(self.game, self.root_state, moves)
        self.position.check()
        if not 0 < self.n_arms <= self.game.max_moves:
            raise breach(f"a position has {self.n_arms} moves")
        self.arms = <arm_t*> PyMem_RawCalloc(self.n_arms, sizeof(arm_t))
        if self.arms == NULL:
            raise MemoryError(f"no memory for {self.n_arms} moves")
        for j in range(self.n_arms):
            arm = &self.arms[j]
            arm.move = moves[j]
            arm.code = self.game.code(self.game, self.root_state, moves[j])
            copy_state(self.game, &arm.after, self.root_state)
            self.game.play(self.game, &arm.after, moves[j])
            arm.is_over = self.game.moves(self.game, &arm.after, NULL) == 0
            if arm.is_over:
                arm.known = self.seen_by_mover(self.game.result(self.game, &arm.after))
        self.refuse_breach()

    def __dealloc__(self):
        cdef int j
        if self.arms != NULL:
            for j in range(self.n_arms):
                drop_state(self.game, &self.arms[j].after)
            PyMem_RawFree(self.arms)

    cdef double seen_by_mover(self, double result) noexcept nogil:
        if not is_result(result):
            store(&self.breach, 1)
        return 1.0 - result if self.second_moves else result

    cdef int end_batch(self) except -1:
        """Count the playouts so far: after a failure they are fewer than were asked for."""
        cdef int j
        self.playouts = 0
        for j in range(self.n_arms):
            self.playouts += self.arms[j].n
        return self.refuse_breach()

    cdef int refuse_breach(self) except -1:
        """Raise if the game or the policy has failed, or a result was invalid."""
        self.position.check()
        self.rollout.check()
        if load(&self.breach):
            raise breach("a result does not lie between 0 and 1")
        return 0

    cdef double arm_playout(self, arm_t* arm, rng_t* rng, trace_t* trace) noexcept nogil:
        """Play one game after the arm's move and count it. Returns its result, the mover's.

        An invalid result is a breach, and does not count.
        """
        cdef double value = arm.known
        if not arm.is_over:
            value = self.seen_by_mover(roll_out(&self.rollout.c, &arm.after, rng, trace))
            if not is_result(value):
                return value
        arm.n += 1
        arm.w += value
        arm.squares += value * value
        return value

    cdef int share_out(self, int64_t target, object pool, int threads) except -1:
        """Have each thread call `share` for its part of the playouts up to `target`."""
        shares = [pool.submit(self.share, target, number, threads) for number in range(1, threads)]
        try:
            self.share(target, 0, threads)
        finally:
            for share in shares:
                share.result()
        return 0

    def share(self, int64_t target, int number, int threads):
        """Play one thread's part of the playouts up to `target`."""
        raise NotImplementedError

    # What is known of the moves

    def pv(self, int first_index):
        """Return the line of play that begins with a move, which is this move alone."""
        if not 0 <= first_index < self.n_arms:
            raise IndexError(f"the root has {self.n_arms} moves, and no number {first_index}")
        return [self.arms[first_index].move]

    cdef int count_moves(self):
        return self.n_arms

    cdef int fill_rows(self, row_t* rows) except -1:
        cdef const arm_t* arm
        cdef int j
        for j in range(self.n_arms):
            arm = &self.arms[j]
            clear_row(&rows[j])
            rows[j].raw, rows[j].code = arm.move, arm.code
            rows[j].visits, rows[j].wins, rows[j].squares = arm.n, arm.w, arm.squares
            rows[j].amaf_visits, rows[j].amaf_wins = arm.amaf_n, arm.amaf_w
            rows[j].recent_wins, rows[j].recent_visits = arm.recent_w, arm.recent_n
            rows[j].recent_squares = arm.recent_n2
        return 0
