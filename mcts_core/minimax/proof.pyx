"""The exact solver of any game: win, draw or loss under best play.

Depth-first proof-number search (df-pn). The goal is that one player gets at least a given result. One side wants
to reach the goal, the other to prevent it. A position's `proof` is the least number of positions that still have
to be won to show that its mover succeeds; its `disproof` is that number for the other side. 0 means shown, SETTLED
means impossible. The search enters the move with the least left to show, and stays below it until another move is
clearly better. A new position has a proof of 1, and a disproof of its number of moves, because all of them must fail.
A position that the game's own tactics decide (`solve`) is settled at once. If they would decide it for the other side
after a pass (`pass_turn`), few moves meet that threat, so the disproof of a new position is FEW.

The line of positions under search is kept on the heap, because a game may be a million plies long.

With several threads each searches from the root for itself, and they share the table. Only the first thread's result
counts; the others, its helpers, fill the table. From time to time a thread takes the numbers of the children of a
position from the table, leaves the part of its line that another thread has settled, and marks the positions in
which it spends long. To other threads a marked position seems harder than it is, so they choose another one.
"""
from cython cimport no_gc_clear
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from mcts_core.base.atomics cimport fetch_add, load, store
from mcts_core.base.stack cimport stack_close, stack_open, stack_pop, stack_push, stack_t, stack_top
from mcts_core.game cimport (
    MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, has_failed, is_result, is_threatened, move_t
)
from mcts_core.minimax.limits cimport BY_FAILURE, RUNNING, LimitedSearch, limits_t, must_stop
from mcts_core.minimax.proof_table cimport (
    SETTLED, close_proofs, find, grow, keep, nodes_of, open_proofs, prefetch, proof_t, proofs_bytes, proofs_t
)
from mcts_core.position cimport Position
from mcts_core.search.table cimport hash_of

from mcts_core.base.crew import Call, wait_for
from mcts_core.errors import BadPosition, breach

cdef enum:
    FEW = 2                             # moves that meet a threat, as a guess; higher: threats are tried later
    CHECK_EVERY = 4                     # nodes between two checks of the limits; a game in Python takes 0.3 ms a node
    # of several threads:
    MARKS = 1 << 12                     # fewer: more positions share a mark by chance
    RECALL_EVERY = 64                   # nodes below a position before its children are recalled; it is marked then
    MOST_OTHERS = 200                   # that are counted in one position
    LOOK_EVERY = 1024                   # nodes between two looks at the whole line

cdef enum fault_t:                      # of the game or the machine; it ends a proof
    NONE
    GAME_FAILED                         # `position.check()` raises the exception of a game in Python
    BREACH                              # the game broke its contract
    TOO_DEEP                            # a line is longer than max_plies
    NO_MEMORY

cdef struct child_t:
    uint64_t key
    uint32_t proof                      # for its own mover
    uint32_t disproof
    move_t move                         # that leads to it
    uint8_t others                      # threads at work in it, when it was recalled
    uint8_t same_mover                  # as in the parent; if not, proof and disproof change places there

cdef struct frame_t:                    # a position on the line under search
    any_state_t state
    child_t node                        # its numbers
    uint32_t proof_limit                # the search leaves it when `proof` reaches this,
    uint32_t disproof_limit             # or `disproof` this
    int64_t before                      # nodes when it was entered
    int64_t recall_at                   # nodes at which its children are recalled
    bint is_marked
    child_t* children
    int n_children
    int best                            # the child to search
    uint32_t best_proof_limit           # the child's limits
    uint32_t best_disproof_limit

cdef struct crew_t:                     # what the threads share
    proofs_t table
    int64_t[MARKS] marks                # threads at work in positions, by a hash of the key
    int64_t has_ended                   # 1: the first thread has ended, so the helpers have to stop
    int64_t helped                      # nodes of helpers, in all proofs
    int64_t n_new                       # entries of helpers for which the table has not grown yet
    int64_t fault                       # of a helper

cdef struct exact_t:                    # one thread
    limits_t limits
    crew_t* crew
    bint is_shared                      # there are several threads
    bint is_helper
    int64_t look_at                     # nodes at which the thread looks at its whole line
    int64_t told                        # nodes that a helper has counted in `helped`
    int64_t n_new                       # entries for which the table has not grown yet
    int64_t node_limit                  # for all threads together; the first thread's own limit is less
    const game_t* game
    uint64_t (*key)(const game_t* game, const void* state) noexcept nogil   # the game's `fold`, or else its `key`
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


cdef void look_up(exact_t* s, const void* state, child_t* child) noexcept nogil:
    """Set the numbers of a position."""
    if rate(s, state, child):
        recall(s, child)


cdef bint rate(exact_t* s, const void* state, child_t* child) noexcept nogil:
    """Set the numbers of a new position. Returns whether it is open: neither the rules nor tactics settle it."""
    cdef int n = s.game.moves(s.game, state, NULL), plies
    child.key = 0
    if n == 0:
        settle(child, goal_is_reached(s, state) == (s.game.turn(s.game, state) == s.player))
        return False
    plies = s.game.solve(s.game, state) if s.game.solve != NULL else 0
    if plies != 0:
        settle(child, plies > 0)
        return False
    child.key = s.key(s.game, state)
    child.proof, child.disproof = 1, min(n, FEW) if is_threatened(s.game, state) else n
    return True


cdef bint goal_is_reached(exact_t* s, const void* state) noexcept nogil:
    """Return whether a game has ended with the goal reached."""
    cdef double result = s.game.result(s.game, state)
    if not is_result(result):
        give_up(s, BREACH)
    if 0.0 < result < 1.0:
        s.draw_seen = True
    return (result if s.player == 0 else 1.0 - result) >= s.least


cdef void settle(child_t* child, bint succeeds) noexcept nogil:
    """Set the numbers of a position whose mover is known to succeed, or to fail."""
    child.proof = 0 if succeeds else SETTLED
    child.disproof = SETTLED if succeeds else 0


cdef void recall(exact_t* s, child_t* child) noexcept nogil:
    """Set the numbers of an open position from the table, if it is there."""
    cdef proof_t known
    if find(&s.crew.table, child.key, &known):
        child.proof, child.disproof = known.proof, known.disproof


cdef void search(exact_t* s, const void* state, child_t* root) noexcept nogil:
    """Search below an unfinished position until it is settled or the search has to stop."""
    cdef any_state_t start
    copy_state(s.game, &start, state)
    enter(s, &start, root, SETTLED, SETTLED)
    while s.line.depth and s.limits.ending == RUNNING:
        if (not s.is_shared or keep_up(s)) and count_up(s, <frame_t*> stack_top(&s.line)):
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
    memcpy(&frame.state, state, s.game.state_size)
    frame.node = node[0]
    frame.proof_limit, frame.disproof_limit, frame.before = proof_limit, disproof_limit, s.limits.nodes - 1
    frame.recall_at, frame.is_marked = s.limits.nodes + RECALL_EVERY, False
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
    """List the moves that may succeed with their numbers, up to the first move that does succeed."""
    cdef move_t[MOVES_ROOM] moves
    cdef int i, n = s.game.moves(s.game, &frame.state, moves)
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
        if add_child(s, frame, moves[i]):
            return
    for i in range(frame.n_children):           # the table's answers, after all prefetches are on their way
        recall(s, &frame.children[i])


cdef bint add_child(exact_t* s, frame_t* frame, move_t move) noexcept nogil:
    """Play a move, and list it unless it fails. Returns whether it succeeds: then the others do not matter."""
    cdef any_state_t after
    cdef child_t* child = &frame.children[frame.n_children]
    copy_state(s.game, &after, &frame.state)
    s.game.play(s.game, &after, move)
    child.move, child.others = move, 0
    child.same_mover = s.game.turn(s.game, &after) == s.game.turn(s.game, &frame.state)
    if rate(s, &after, child):
        prefetch(&s.crew.table, child.key)
    drop_state(s.game, &after)
    frame.n_children += to_lose(child) != 0
    return to_win(child) == 0


cdef bint count_up(exact_t* s, frame_t* frame) noexcept nogil:
    """Set a position's numbers from those of its children, and choose the child to search.

    One move must succeed (the least of their numbers), or all must fail (the sum). The child is left when its number
    exceeds the second least by a quarter. Returns False if the position's own limits are reached.
    """
    cdef uint32_t least = SETTLED, first = SETTLED, second = SETTLED, win_limit, lose_limit, left
    cdef uint64_t sum = 0, rest
    cdef int i
    frame.best = 0
    for i in range(frame.n_children):
        left = to_win(&frame.children[i])
        sum += to_lose(&frame.children[i])
        least = min(least, left)
        if frame.children[i].others and left < frame.proof_limit:
            left = seeming(left, frame.children[i].others, frame.proof_limit)
        if left < first:
            second = first
            first = left
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
    lose_limit = SETTLED if sum >= SETTLED else <uint32_t> (frame.disproof_limit - rest)
    win_limit = min(frame.proof_limit, second + second // 4 + 1)
    if frame.children[frame.best].same_mover:
        frame.best_proof_limit, frame.best_disproof_limit = win_limit, lose_limit
    else:
        frame.best_proof_limit, frame.best_disproof_limit = lose_limit, win_limit
    return True


cdef inline uint32_t seeming(uint32_t left, uint32_t others, uint32_t limit) noexcept nogil:
    """Return what seems left to show of a move that other threads work at: half as much again for each.

    It stays below the limit, so that moves beyond the limit are not preferred.
    """
    return min(left + others * (left // 2 + 1), limit - 1)


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
        s.n_new += keep(&s.crew.table, node.key, node.proof, node.disproof, s.limits.nodes - frame.before)
        if s.is_shared:
            recall(s, &node)                    # another thread may have settled it
        elif s.n_new:
            grow_table(s)
    drop_frame(s)
    if s.line.depth:
        frame = <frame_t*> stack_top(&s.line)
        frame.children[frame.best] = node
    return node


cdef inline void grow_table(exact_t* s) noexcept nogil:
    grow(&s.crew.table, s.n_new)
    s.n_new = 0


cdef void drop_frame(exact_t* s) noexcept nogil:
    cdef frame_t* frame = <frame_t*> stack_top(&s.line)
    if frame.is_marked:
        fetch_add(mark_of(s, frame.node.key), -1)
    drop_state(s.game, &frame.state)
    free(frame.children)
    stack_pop(&s.line)


# Several threads

cdef inline int64_t* mark_of(exact_t* s, uint64_t key) noexcept nogil:
    return &s.crew.marks[hash_of(key) >> 32 & MARKS - 1]


cdef bint keep_up(exact_t* s) noexcept nogil:
    """Learn what other threads have found. Returns False if the last position of the line is settled."""
    cdef frame_t* frame
    if s.limits.nodes >= s.look_at:
        s.look_at = s.limits.nodes + LOOK_EVERY
        if s.is_helper:
            tell(s)
        else:
            listen_to_helpers(s)
        if cut_line(s):
            return False
    frame = <frame_t*> stack_top(&s.line)
    if s.limits.nodes >= frame.recall_at:
        frame.recall_at = s.limits.nodes + RECALL_EVERY
        recall_children(s, frame)
    return True


cdef void tell(exact_t* s) noexcept nogil:
    """Tell the first thread what a helper has counted."""
    fetch_add(&s.crew.helped, s.limits.nodes - s.told)
    fetch_add(&s.crew.n_new, s.n_new)
    s.told, s.n_new = s.limits.nodes, 0


cdef void listen_to_helpers(exact_t* s) noexcept nogil:
    """Grow the table, see how many nodes are left, and end with a helper's fault."""
    cdef int64_t n_new = load(&s.crew.n_new)
    fetch_add(&s.crew.n_new, -n_new)
    s.n_new += n_new
    grow_table(s)
    s.limits.node_limit = s.node_limit - load(&s.crew.helped)
    if load(&s.crew.fault) != NONE:
        give_up(s, <fault_t> load(&s.crew.fault))


cdef bint cut_line(exact_t* s) noexcept nogil:
    """Drop what is below the first settled position of the line. Returns whether there is one."""
    cdef frame_t* frame
    cdef proof_t known
    cdef int64_t i
    for i in range(s.line.depth):
        frame = <frame_t*> (s.line.frames + i * s.line.frame_size)
        if find(&s.crew.table, frame.node.key, &known) and not (known.proof and known.disproof):
            while s.line.depth > i + 1:
                drop_frame(s)
            frame.node.proof, frame.node.disproof = known.proof, known.disproof
            return True
    return False


cdef void recall_children(exact_t* s, frame_t* frame) noexcept nogil:
    """Take the numbers of the children from the table, see where others are at work, and mark this position."""
    cdef child_t* child
    cdef int i
    if not frame.is_marked:
        fetch_add(mark_of(s, frame.node.key), 1)
        frame.is_marked = True
    for i in range(frame.n_children):
        child = &frame.children[i]
        if child.proof and child.disproof:
            recall(s, child)
            child.others = <uint8_t> min(load(mark_of(s, child.key)), <int64_t> MOST_OTHERS)


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
                self.search(position, &root, threads)
            self.raise_failure()
            position.check()
            self.position.check()
            self.raise_fault()
        finally:
            self.end()
        if self.s.limits.ending != RUNNING:
            return self.reason()
        return (root.proof == 0) == (self.s.game.turn(self.s.game, state) == player)

    cdef int search(self, Position position, child_t* root, int threads) except -1:
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
        self.s.limits.stops, self.s.limits.stops_before = &solver.crew.has_ended, 0

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
