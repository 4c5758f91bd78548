"""The exact solver of any game: win, draw or loss under best play.

Depth-first proof-number search (df-pn). The goal is that one player gets at least a given result. One side wants
to reach the goal, the other to prevent it. A position's `proof` is the least number of positions that still have
to be won to show that its mover succeeds; its `disproof` is that number for the other side. 0 means shown, SETTLED
means impossible. The search enters the move with the least left to show, and stays below it until another move is
clearly better. A new position has a proof of 1, and a disproof of its number of moves, because all of them must fail.

The line of positions under search is kept on the heap, because a game may be a million plies long.
"""
from cython cimport no_gc_clear
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from mcts_core.base.stack cimport stack_close, stack_open, stack_pop, stack_push, stack_t, stack_top
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, has_failed, is_result, move_t
from mcts_core.minimax.limits cimport BY_FAILURE, RUNNING, LimitedSearch, limits_t, must_stop
from mcts_core.minimax.proof_table cimport (
    GOAL_BIT, close_proofs, find, keep, open_proofs, proof_t, proofs_bytes, proofs_t
)
from mcts_core.position cimport Position

from mcts_core.errors import BadPosition, breach

cdef enum:
    CHECK_EVERY = 4                     # nodes between two checks of the limits; a game in Python takes 0.3 ms a node

cdef enum fault_t:                      # of the game or the machine; it ends a proof
    NONE
    GAME_FAILED                         # `position.check()` raises the exception of a game in Python
    BREACH                              # the game broke its contract
    TOO_DEEP                            # a line is longer than max_plies
    NO_MEMORY

cdef uint32_t SETTLED = 1 << 30         # above every proof number that can still change

cdef struct child_t:
    uint64_t key
    uint32_t proof                      # for its own mover
    uint32_t disproof
    move_t move                         # that leads to it
    bint same_mover                     # as in the parent; if not, proof and disproof change places there

cdef struct frame_t:                    # a position on the line under search
    any_state_t state
    child_t node                        # its numbers
    uint32_t proof_limit                # the search leaves it when `proof` reaches this,
    uint32_t disproof_limit             # or `disproof` this
    int64_t before                      # nodes when it was entered
    child_t* children
    int n_children
    int best                            # the child to search
    uint32_t best_proof_limit           # the child's limits
    uint32_t best_disproof_limit

cdef struct exact_t:
    limits_t limits
    const game_t* game
    proofs_t table
    int player                          # the goal: this player
    double least                        # gets at least this result
    bint draw_seen                      # a game ended with a result between 0 and 1
    fault_t fault
    stack_t line                        # of frame_t


# Positions

cdef inline void give_up(exact_t* s, fault_t fault) noexcept nogil:
    """End the proof by a fault."""
    s.fault = fault
    s.limits.ending = BY_FAILURE


cdef void settle(exact_t* s, const void* state, child_t* child) noexcept nogil:
    """Set the numbers of a finished game, by whether the goal is reached."""
    cdef double result = s.game.result(s.game, state)
    cdef bint is_reached
    if not is_result(result):
        give_up(s, BREACH)
    if 0.0 < result < 1.0:
        s.draw_seen = True
    is_reached = (result if s.player == 0 else 1.0 - result) >= s.least
    if is_reached == (s.game.turn(s.game, state) == s.player):
        child.proof, child.disproof = 0, SETTLED
    else:
        child.proof, child.disproof = SETTLED, 0


cdef void look_up(exact_t* s, const void* state, child_t* child) noexcept nogil:
    """Set the numbers of a position: those in the table, or those of a new position."""
    cdef proof_t* entry
    cdef int n
    child.key = s.game.key(s.game, state)
    entry = find(&s.table, child.key)
    if entry != NULL:
        child.proof, child.disproof = entry.proof & ~GOAL_BIT, entry.disproof
        return
    n = s.game.moves(s.game, state, NULL)
    if n == 0:
        settle(s, state, child)
    else:
        child.proof, child.disproof = 1, n


cdef void search(exact_t* s, const void* state, child_t* root) noexcept nogil:
    """Search below an unfinished position until it is settled or the search has to stop."""
    cdef any_state_t start
    copy_state(s.game, &start, state)
    enter(s, &start, root, SETTLED, SETTLED)
    while s.line.depth and s.limits.ending == RUNNING:
        if count_up(s, <frame_t*> stack_top(&s.line)):
            go_on(s, <frame_t*> stack_top(&s.line))
        else:
            root[0] = leave(s)
    while s.line.depth:
        drop_frame(s)


cdef void enter(exact_t* s, any_state_t* state, const child_t* node, uint32_t proof_limit,
                uint32_t disproof_limit) noexcept nogil:
    """Add a position to the line, which takes its state, and look up its children."""
    cdef frame_t* frame
    s.limits.nodes += 1
    if s.limits.nodes >= s.limits.check_at and must_stop(&s.limits):
        drop_state(s.game, state)
        return
    frame = <frame_t*> stack_push(&s.line)
    if frame == NULL:
        give_up(s, NO_MEMORY)
        drop_state(s.game, state)
        return
    frame.state, frame.node = state[0], node[0]
    frame.proof_limit, frame.disproof_limit, frame.before = proof_limit, disproof_limit, s.limits.nodes - 1
    if s.line.depth > s.game.max_plies:
        frame.children = NULL
        give_up(s, TOO_DEEP)
        return
    list_children(s, frame)


cdef inline uint32_t to_win(const child_t* child) noexcept nogil:
    """Return what is left to show that a move succeeds for the player who makes it."""
    return child.proof if child.same_mover else child.disproof


cdef inline uint32_t to_lose(const child_t* child) noexcept nogil:
    """Return what is left to show that a move fails for the player who makes it."""
    return child.disproof if child.same_mover else child.proof


cdef void list_children(exact_t* s, frame_t* frame) noexcept nogil:
    """Look up the position after each move, up to the first move that succeeds."""
    cdef any_state_t after
    cdef move_t[MOVES_ROOM] moves
    cdef child_t* child
    cdef int i, n = s.game.moves(s.game, &frame.state, moves), turn = s.game.turn(s.game, &frame.state)
    frame.n_children, frame.children = 0, NULL
    if has_failed(s.game):
        give_up(s, GAME_FAILED)
    elif not 0 < n <= s.game.max_moves:
        give_up(s, BREACH)
    if s.limits.ending != RUNNING:
        return
    frame.children = <child_t*> malloc(n * sizeof(child_t))
    if frame.children == NULL:
        give_up(s, NO_MEMORY)
        return
    for i in range(n):
        child = &frame.children[i]
        copy_state(s.game, &after, &frame.state)
        s.game.play(s.game, &after, moves[i])
        child.move = moves[i]
        child.same_mover = s.game.turn(s.game, &after) == turn
        look_up(s, &after, child)
        drop_state(s.game, &after)
        frame.n_children += 1
        if to_win(child) == 0:
            break                               # the other moves do not matter


cdef bint count_up(exact_t* s, frame_t* frame) noexcept nogil:
    """Set a position's numbers from those of its children, and choose the child to search.

    One move must succeed (the least of their numbers), or all must fail (the sum). The child is left when its number
    exceeds the second least by a quarter. Returns False if the position's own limits are reached.
    """
    cdef uint32_t least = SETTLED, second = SETTLED, win_limit, lose_limit, left
    cdef uint64_t sum = 0, rest
    cdef int i
    frame.best = 0
    for i in range(frame.n_children):
        left = to_win(&frame.children[i])
        sum += to_lose(&frame.children[i])
        if left < least:
            second = least
            least = left
            frame.best = i
        elif left < second:
            second = left
    if least == 0:
        sum = SETTLED
    frame.node.proof = least
    frame.node.disproof = <uint32_t> min(sum, <uint64_t> (SETTLED if least == 0 else SETTLED - 1))
    if frame.node.proof >= frame.proof_limit or frame.node.disproof >= frame.disproof_limit or least == 0 or sum == 0:
        return False
    rest = sum - to_lose(&frame.children[frame.best])
    lose_limit = <uint32_t> min(frame.disproof_limit - rest, <uint64_t> SETTLED)
    win_limit = min(frame.proof_limit, second + second // 4 + 1)
    if frame.children[frame.best].same_mover:
        frame.best_proof_limit, frame.best_disproof_limit = win_limit, lose_limit
    else:
        frame.best_proof_limit, frame.best_disproof_limit = lose_limit, win_limit
    return True


cdef void go_on(exact_t* s, const frame_t* frame) noexcept nogil:
    """Enter the best child."""
    cdef any_state_t after
    cdef child_t best = frame.children[frame.best]
    copy_state(s.game, &after, &frame.state)
    s.game.play(s.game, &after, best.move)
    enter(s, &after, &best, frame.best_proof_limit, frame.best_disproof_limit)


cdef child_t leave(exact_t* s) noexcept nogil:
    """Drop the last position of the line. Its numbers go to the table and to the position before it."""
    cdef frame_t* frame = <frame_t*> stack_top(&s.line)
    cdef child_t node = frame.node
    if has_failed(s.game):
        give_up(s, GAME_FAILED)                 # the numbers may come from a failed game
    else:
        keep(&s.table, node.key, node.proof, node.disproof, s.limits.nodes - frame.before)
    drop_frame(s)
    if s.line.depth:
        frame = <frame_t*> stack_top(&s.line)
        frame.children[frame.best] = node
    return node


cdef void drop_frame(exact_t* s) noexcept nogil:
    cdef frame_t* frame = <frame_t*> stack_top(&s.line)
    drop_state(s.game, &frame.state)
    free(frame.children)
    stack_pop(&s.line)


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class ExactSolver(LimitedSearch):
    """A solver of one position of any game."""

    cdef exact_t s
    cdef Position position

    def __cinit__(self, Position position not None, int64_t memory=1 << 28):
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to solve")
        self.position = position.copy()
        self.s.game = self.position.game
        self.own_limits(&self.s.limits, CHECK_EVERY)
        self.set_limits(None, None, 0)
        stack_open(&self.s.line, sizeof(frame_t))
        if not open_proofs(&self.s.table, memory):
            raise MemoryError("no memory for the table; try less with memory=")

    def __dealloc__(self):
        stack_close(&self.s.line)
        close_proofs(&self.s.table)

    cdef int listen(self) except -1:
        """Also raise what a game in Python has raised."""
        self.position.check()
        return PyErr_CheckSignals()

    @property
    def bytes(self):
        """Bytes that the table takes now."""
        return proofs_bytes(&self.s.table)

    @property
    def draw_seen(self):
        """Whether any game so far ended with a result between 0 and 1."""
        return self.s.draw_seen

    def limit(self, seconds=None, nodes=None):
        """Set limits for all proofs from now on together."""
        self.check_idle()
        self.set_limits(seconds, nodes, self.s.limits.nodes)

    def aim(self, int player, double least):
        """Set the goal: this player gets at least that result."""
        self.check_idle()
        self.set_goal(player, least)

    cdef void set_goal(self, int player, double least) noexcept:
        self.s.player, self.s.least = player, least
        self.s.table.goal_bit = GOAL_BIT if least == 0.5 else 0

    def prove(self, Position position not None, int player, double least):
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
                    search(&self.s, state, &root)
            self.raise_failure()
            position.check()
            self.position.check()
            self.raise_fault()
        finally:
            self.end()
        if self.s.limits.ending != RUNNING:
            return self.reason()
        return (root.proof == 0) == (self.s.game.turn(self.s.game, state) == player)

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
        """Return the nodes spent below a position for the last goal; 0 if it is not in the table."""
        cdef uint64_t key = self.s.game.key(self.s.game, self.state_of(position))
        cdef proof_t* entry
        self.check_idle()
        entry = find(&self.s.table, key)
        position.check()
        return 0 if entry == NULL else entry.work
