"""Any game of the contract, solved: win, draw or loss under best play.

Depth-first proof-number search (df-pn). What is to be proved is a goal: that one player gets at
least a given result. A position's `proof` is how many positions at least have still to be decided
in its mover's favour to settle the goal as the mover wants it, `disproof` the same for the other
side; 0 is settled, SETTLED cannot be. The search goes where least is left to show, and stays below
a position until another one is clearly nearer. What is known about positions is kept in one table
by their keys; if it is full the entries that took least work give way.

A position not seen before counts as many disproofs as it has moves: all of them must fail.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from mcts_core.atomics cimport load, store
from mcts_core.clock cimport seconds_now
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, move_t
from mcts_core.position cimport Position

from mcts_core.errors import BadPosition

cdef enum:
    BUCKET = 4                          # entries
    CHECK_EVERY = 256                   # nodes between two looks at the clock
    MOST_DEPTH = 20000                  # plies: what the stack has room for

cdef uint32_t SETTLED = 1 << 30
cdef uint64_t GOAL_KEY = 0xA5A5F00DC0FFEE11

cdef struct proof_t:                    # an entry; no work: empty
    uint64_t key
    uint32_t proof
    uint32_t disproof
    uint64_t work                       # nodes spent below

cdef struct child_t:
    uint64_t key
    uint32_t proof                      # as its own mover sees it
    uint32_t disproof
    move_t move

cdef struct exact_t:
    const game_t* game
    proof_t* table
    uint64_t n_buckets                  # a power of two
    int player                          # the goal: this player
    double least                        # gets at least this result
    uint64_t goal_key
    bint draw_seen                      # a game ended with neither 0 nor 1
    bint too_deep
    int64_t nodes
    int64_t node_limit
    int64_t check_at
    int64_t stop_flag
    double deadline
    double checked
    bint stopped                        # unwind
    const char* reason
    void* owner


# The table

cdef inline proof_t* bucket_of(const exact_t* s, uint64_t key) noexcept nogil:
    return &s.table[BUCKET * (key & s.n_buckets - 1)]


cdef proof_t* find(const exact_t* s, uint64_t key) noexcept nogil:
    cdef proof_t* bucket = bucket_of(s, key)
    cdef int i
    for i in range(BUCKET):
        if bucket[i].work and bucket[i].key == key:
            return &bucket[i]
    return NULL


cdef void keep(exact_t* s, uint64_t key, uint32_t proof, uint32_t disproof, uint64_t work) noexcept nogil:
    cdef proof_t* bucket = bucket_of(s, key)
    cdef proof_t* entry = bucket
    cdef int i
    for i in range(BUCKET):
        if bucket[i].work and bucket[i].key == key:
            entry = &bucket[i]
            work += entry.work
            break
        if bucket[i].work < entry.work:
            entry = &bucket[i]
    entry.key, entry.proof, entry.disproof, entry.work = key, proof, disproof, work


# Proofs

cdef bint must_stop(exact_t* s) noexcept nogil:
    """Look at the limits, and about every millisecond for Ctrl-C."""
    cdef double now = seconds_now()
    s.check_at = min(s.nodes + CHECK_EVERY, max(s.node_limit, s.nodes + 1))
    if now - s.checked >= 1e-3:
        s.checked = now
        with gil:
            try:
                (<ExactSolver> s.owner).position.check()
                PyErr_CheckSignals()
            except BaseException as failure:
                (<ExactSolver> s.owner).failure = failure
                s.stopped = True
    if load(&s.stop_flag):
        s.stopped, s.reason = True, "stopped"
    if now >= s.deadline:
        s.stopped, s.reason = True, "seconds"
    if s.nodes >= s.node_limit:
        s.stopped, s.reason = True, "nodes"
    return s.stopped


cdef void settle(exact_t* s, const void* state, child_t* child) noexcept nogil:
    """A finished game settles the goal."""
    cdef double result = s.game.result(s.game, state)
    cdef bint is_reached
    if 0.0 < result < 1.0:
        s.draw_seen = True
    is_reached = (result if s.player == 0 else 1.0 - result) >= s.least
    if is_reached == (s.game.turn(s.game, state) == s.player):
        child.proof, child.disproof = 0, SETTLED
    else:
        child.proof, child.disproof = SETTLED, 0


cdef void look_up(exact_t* s, const void* state, child_t* child) noexcept nogil:
    """What is known of a position."""
    cdef proof_t* entry
    cdef int n
    child.key = s.game.key(s.game, state) ^ s.goal_key
    entry = find(s, child.key)
    if entry != NULL:
        child.proof, child.disproof = entry.proof, entry.disproof
        return
    n = s.game.moves(s.game, state, NULL)
    if n == 0:
        settle(s, state, child)
    else:
        child.proof, child.disproof = 1, n


cdef void search(exact_t* s, const void* state, child_t* node, uint32_t proof_limit, uint32_t disproof_limit,
                 int depth) noexcept nogil:
    """Search below an unfinished position until its numbers reach one of the limits."""
    cdef any_state_t after
    cdef move_t[MOVES_ROOM] moves
    cdef child_t* children
    cdef child_t* best
    cdef uint64_t sum, limit
    cdef uint32_t least, second
    cdef int64_t before = s.nodes
    cdef int i, n
    s.nodes += 1
    if s.nodes >= s.check_at and must_stop(s):
        return
    if depth >= MOST_DEPTH:
        s.stopped = s.too_deep = True
        return
    n = s.game.moves(s.game, state, moves)
    children = <child_t*> malloc(max(1, n) * sizeof(child_t))
    if children == NULL:
        s.stopped, s.reason = True, "memory"
        return
    node.proof, node.disproof = 1, 1
    for i in range(n):
        copy_state(s.game, &after, state)
        s.game.play(s.game, &after, moves[i])
        children[i].move = moves[i]
        look_up(s, &after, &children[i])
        drop_state(s.game, &after)
        if children[i].disproof == 0:
            n = i + 1                   # a move that settles it: the others do not matter
            break
    while True:
        # the mover needs one move whose position is disproved; its opponent must answer all of them
        best = children
        least = second = SETTLED
        sum = 0
        for i in range(n):
            sum += children[i].proof
            if children[i].disproof < least:
                second = least
                least = children[i].disproof
                best = &children[i]
            elif children[i].disproof < second:
                second = children[i].disproof
        if least == 0:
            sum = SETTLED
        node.proof = least
        node.disproof = <uint32_t> min(sum, <uint64_t> (SETTLED if least == 0 else SETTLED - 1))
        if node.proof >= proof_limit or node.disproof >= disproof_limit or least == 0 or sum == 0:
            break
        limit = <uint64_t> disproof_limit + best.proof - sum
        copy_state(s.game, &after, state)
        s.game.play(s.game, &after, best.move)
        search(s, &after, best, <uint32_t> min(limit, SETTLED),
               <uint32_t> min(proof_limit, second + second // 4 + 1), depth + 1)
        drop_state(s.game, &after)
        if s.stopped:
            break
    free(children)
    if not s.stopped:
        keep(s, node.key, node.proof, node.disproof, s.nodes - before)


cdef class ExactSolver:
    """Solves one position: what its mover can get."""

    cdef exact_t s
    cdef Position position
    cdef object failure

    def __cinit__(self, Position position not None, int64_t memory=1 << 28):
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to solve")
        self.position = position.copy()
        self.s.game = self.position.game
        self.s.owner = <void*> self
        self.s.n_buckets = 1
        while 2 * <int64_t> (self.s.n_buckets * BUCKET * sizeof(proof_t)) <= memory:
            self.s.n_buckets *= 2
        self.s.table = <proof_t*> calloc(self.s.n_buckets * BUCKET, sizeof(proof_t))
        if self.s.table == NULL:
            raise MemoryError("no memory for the table; try less with memory=")

    def __dealloc__(self):
        free(self.s.table)

    def stop(self):
        """Make `prove` return soon, from another thread."""
        store(&self.s.stop_flag, 1)

    @property
    def nodes(self):
        return self.s.nodes

    @property
    def bytes(self):
        return self.s.n_buckets * BUCKET * sizeof(proof_t)

    @property
    def draw_seen(self):
        """Whether any game so far ended with neither 0 nor 1."""
        return self.s.draw_seen

    def limit(self, seconds=None, nodes=None):
        """From now on and for all proofs together."""
        self.s.deadline = INFINITY if seconds is None else seconds_now() + <double> seconds
        self.s.node_limit = (<int64_t> 1 << 62) if nodes is None else self.s.nodes + <int64_t> nodes
        self.s.check_at = 0
        self.s.stopped = False

    def aim(self, int player, double least):
        """Set the goal: this player gets at least that result."""
        self.s.player, self.s.least = player, least
        self.s.goal_key = GOAL_KEY if least == 0.5 else 0

    def prove(self, Position position not None, int player, double least):
        """Whether the player can get at least that result; if a limit is met first, why it ended.

        The position is one that can be reached from the first.
        """
        cdef child_t root
        cdef const void* state = position.state()
        self.aim(player, least)
        with nogil:
            look_up(&self.s, state, &root)
            if root.proof and root.disproof:
                search(&self.s, state, &root, SETTLED, SETTLED, 0)
        position.check()
        self.position.check()
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        if self.s.too_deep:
            raise BadPosition(f"a line of this game is longer than {MOST_DEPTH} plies: it cannot be solved this way")
        if self.s.stopped:
            return self.s.reason.decode()
        return (root.proof == 0) == (self.s.game.turn(self.s.game, state) == player)

    def known(self, Position position not None):
        """What the table says of a position about the last goal: reached, not reached, or None."""
        cdef child_t node
        look_up(&self.s, position.state(), &node)
        if node.proof and node.disproof:
            return None
        return (node.proof == 0) == (self.s.game.turn(self.s.game, position.state()) == self.s.player)

    def work(self, Position position not None):
        """How many nodes were spent below a position for the last goal; 0 if it is not in the table."""
        cdef proof_t* entry = find(&self.s, self.s.game.key(self.s.game, position.state()) ^ self.s.goal_key)
        return 0 if entry == NULL else entry.work
