"""The exact solver of any game in Python: its goal and its limits, its table and its threads.

With several threads each searches from the root for itself, and they share the table. Only the first thread's result
counts; the others, its helpers, fill the table until the first has ended. The search is in proof_search.pyx.
"""
from cython cimport no_gc_clear
from libc.math cimport INFINITY
from libc.stdint cimport int64_t

from mcts_core.base.atomics cimport load, store
from mcts_core.base.engine cimport stop_t
from mcts_core.base.stack cimport stack_close, stack_open
from mcts_core.game cimport game_t
from mcts_core.minimax.limits cimport RUNNING, LimitedSearch
from mcts_core.minimax.proof_search cimport (
    BREACH, LOOK_EVERY, NO_MEMORY, NONE, TOO_DEEP, child_t, crew_t, exact_t, frame_t, look_up, rate, search, tell
)
from mcts_core.minimax.proof_table cimport close_proofs, find, nodes_of, open_proofs, proof_t, proofs_bytes
from mcts_core.position cimport Position

from mcts_core.base.crew import Call, wait_for
from mcts_core.errors import BadPosition, breach

cdef enum:
    CHECK_EVERY = 4                     # nodes between two checks of the limits; a game in Python takes 0.3 ms a node


def tactics(Position position not None):
    """Return what tactics alone prove, as the game's `solve` does; 0 for a game without it."""
    cdef const game_t* game = position.game
    if position.is_over:
        raise BadPosition("this game is over, so there is nothing to solve")
    return 0 if game.solve == NULL else game.solve(game, position.state())


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class ExactSolver(LimitedSearch):
    """A solver of one position of any game."""

    cdef exact_t s                      # the first thread
    cdef crew_t crew
    cdef Position position

    def __cinit__(self, Position position not None, int64_t memory=1 << 28):
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to solve")
        self.position = position.copy()
        self.s.crew = &self.crew
        self.s.game = self.position.game
        self.s.key = self.s.game.key if self.s.game.fold == NULL else self.s.game.fold
        self.own_limits(&self.s.limits, CHECK_EVERY)
        self.limit()
        stack_open(&self.s.line, sizeof(frame_t))
        if not open_proofs(&self.crew.table, memory):
            raise MemoryError("no memory for the table; try less with memory=")

    def __dealloc__(self):
        stack_close(&self.s.line)
        close_proofs(&self.crew.table)

    cdef int listen(self) except -1:
        """Also raise what a game in Python has raised."""
        self.position.check()
        return LimitedSearch.listen(self)

    @property
    def nodes(self):
        """Positions visited so far, by all threads."""
        return self.s.limits.nodes + load(&self.crew.helped)

    @property
    def bytes(self):
        """Bytes that the table takes now."""
        return proofs_bytes(&self.crew.table)

    @property
    def draw_seen(self):
        """Whether any game so far ended with a result between 0 and 1."""
        return self.s.draw_seen

    def limit(self, seconds=None, nodes=None):
        """Set limits for all proofs from now on together."""
        self.check_idle()
        self.set_limits(seconds, nodes, self.s.limits.nodes)
        self.s.node_limit = self.s.limits.node_limit + load(&self.crew.helped)

    def aim(self, int player, double least):
        """Set the goal: this player gets at least that result."""
        self.check_idle()
        self.set_goal(player, least)

    cdef void set_goal(self, int player, double least) noexcept:
        self.s.player, self.s.least = player, least
        self.crew.table.goal = least == 0.5

    def prove(self, Position position not None, int player, double least, int threads=1):
        """Return whether the player can get at least that result; if a limit is met first, its name.

        The position must be one that can be reached from the solver's position.
        """
        cdef child_t root
        cdef const void* state = self.state_of(position)
        self.begin()
        try:
            self.set_goal(player, least)
            self.s.limits.ending, self.s.fault = RUNNING, NONE
            with nogil:
                look_up(&self.s, state, &root)
            if root.proof and root.disproof:
                self.search_together(position, &root, threads)
            self.raise_failure()
            position.check()
            self.position.check()
            self.raise_fault()
        finally:
            self.end()
        if self.s.limits.ending != RUNNING:
            return self.reason()
        return (root.proof == 0) == (self.s.game.turn(self.s.game, state) == player)

    cdef int search_together(self, Position position, child_t* root, int threads) except -1:
        """Search below a position, with helpers if there are several threads."""
        cdef const void* state = position.state()
        cdef list helpers = [], calls = []
        cdef Helper helper
        self.s.is_shared = threads > 1
        self.s.look_at = self.s.limits.nodes + LOOK_EVERY
        self.crew.has_ended, self.crew.fault = 0, NONE
        try:
            for _ in range(threads - 1):
                helpers.append(Helper(self, position.copy()))
                calls.append(Call(helpers[-1].run))
                calls[-1].start()
            with nogil:
                search(&self.s, state, root)
        finally:
            store(&self.crew.has_ended, 1)
            wait_for(calls)
        for helper in helpers:
            self.s.draw_seen |= helper.s.draw_seen
        return 0

    cdef int raise_fault(self) except -1:
        if self.s.fault == BREACH:
            raise breach("a number of moves or a result is out of range")
        if self.s.fault == NO_MEMORY:
            raise MemoryError("no memory for the positions of a line of moves")
        if self.s.fault == TOO_DEEP:
            raise BadPosition(f"a line of moves went on for more than {self.s.game.max_plies} plies, the most that "
                              "this game can last: no game may come back to a position")
        return 0

    cdef const void* state_of(self, Position position) except NULL:
        if position.game != self.s.game:
            raise BadPosition("this position is of another game or size than the one that is solved")
        return position.state()

    def known(self, Position position not None):
        """Return whether the last goal is reached from a position, by the table; None if it does not know."""
        cdef child_t node
        cdef const void* state = self.state_of(position)
        self.check_idle()
        look_up(&self.s, state, &node)
        position.check()
        if node.proof and node.disproof:
            return None
        return (node.proof == 0) == (self.s.game.turn(self.s.game, state) == self.s.player)

    def work(self, Position position not None):
        """Return the nodes spent below a position for the last goal, about; 0 if it is not in the table."""
        cdef child_t node
        cdef const void* state = self.state_of(position)
        cdef proof_t known
        self.check_idle()
        known.work = 0
        if rate(&self.s, state, &node):
            find(&self.crew.table, node.key, &known)
        position.check()
        return nodes_of(known.work)


@no_gc_clear
cdef class Helper:
    """A thread that fills the table of a proof, until the first thread has ended."""

    cdef exact_t s
    cdef ExactSolver solver             # whose memory `s` uses
    cdef Position position              # its own copy

    def __cinit__(self, ExactSolver solver not None, Position position not None):
        self.solver, self.position, self.s = solver, position, solver.s
        stack_open(&self.s.line, sizeof(frame_t))
        self.s.is_helper, self.s.told, self.s.n_new = True, 0, 0
        self.s.limits.nodes = self.s.limits.check_at = self.s.look_at = 0
        self.s.limits.node_limit, self.s.limits.deadline = <int64_t> 1 << 62, INFINITY
        self.s.limits.listened = INFINITY       # the first thread handles signals
        self.s.limits.stop = stop_t(&solver.crew.has_ended, 0)

    def __dealloc__(self):
        stack_close(&self.s.line)

    def run(self):
        cdef child_t root
        cdef const void* state = self.position.state()
        with nogil:
            look_up(&self.s, state, &root)
            if root.proof and root.disproof:
                search(&self.s, state, &root)
            tell(&self.s)
        if self.s.fault != NONE:
            store(&self.s.crew.fault, self.s.fault)
