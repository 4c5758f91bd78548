"""Any game of the contract, solved: win, draw or loss under best play.

Depth-first proof-number search (df-pn). What is to be proved is a goal: that one player gets at
least a given result. A position's `proof` is how many positions at least have still to be decided
in its mover's favour to settle the goal as the mover wants it, `disproof` the same for the other
side; 0 is settled, SETTLED cannot be. The search goes where least is left to show, and stays below
a position until another one is clearly nearer. What is known about positions is kept in one table
by their keys; where a bucket of it is full the entries that took least work give way.

A position not seen before counts as many disproofs as it has moves: all of them must fail.

The line of positions that is being searched lies on the heap: a game may be a million plies long.
"""
from cython cimport no_gc_clear
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from mcts_core.base.atomics cimport load, store
from mcts_core.base.clock cimport seconds_now
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, has_failed, is_result, move_t
from mcts_core.base.aligned_memory cimport pages_give_back, pages_take
from mcts_core.position cimport Position
from mcts_core.search.table cimport hash_of
from mcts_core.base.stack cimport stack_close, stack_open, stack_pop, stack_push, stack_t, stack_top

from mcts_core.errors import BadPosition, breach

cdef enum:
    BUCKET = 4                          # entries
    FILL = 1                            # entries a bucket, on average, before there is another one
    FIRST_BUCKETS = 1 << 10
    CHECK_EVERY = 4                     # nodes between two looks at the clock; a node of a game in Python takes 0.3 ms

cdef enum why_t:                        # a proof ended
    RUNNING
    SECONDS
    NODES
    STOPPED
    FAILED                              # the game in Python, or Ctrl-C
    NO_MEMORY
    TOO_DEEP
    BREACH                              # the game broke its contract

cdef double LISTEN_EVERY = 1e-3         # seconds between two looks for Ctrl-C

LIMITS = {SECONDS: "seconds", NODES: "nodes", STOPPED: "stopped"}

cdef uint32_t SETTLED = 1 << 30
cdef uint32_t GOAL_BIT = <uint32_t> 1 << 31

cdef struct proof_t:                    # an entry; no work: empty
    uint64_t key
    uint32_t proof                      # with GOAL_BIT where the goal is a draw
    uint32_t disproof
    uint64_t work                       # nodes spent below

cdef struct child_t:
    uint64_t key
    uint32_t proof                      # as its own mover sees it
    uint32_t disproof
    move_t move
    bint same_mover                     # as in the position before: the numbers are seen as there

cdef struct frame_t:                    # a position on the line that is being searched
    any_state_t state
    child_t node                        # the position itself
    uint32_t proof_limit                # until its numbers reach one of these, the search stays below it
    uint32_t disproof_limit
    int64_t before                      # nodes, when it was entered
    child_t* children
    int n_children
    int best                            # of the children: the one that is searched,
    uint32_t best_proof_limit           # up to these limits
    uint32_t best_disproof_limit

cdef struct exact_t:
    const game_t* game
    proof_t* table
    uint64_t n_first                    # buckets when the present round of growth began: a power of two
    uint64_t n_buckets                  # now
    uint64_t most_buckets               # that there is room for: a power of two
    uint64_t n_entries
    int player                          # the goal: this player
    double least                        # gets at least this result
    uint32_t goal_bit
    bint draw_seen                      # a game ended with neither 0 nor 1
    int64_t nodes
    int64_t node_limit
    int64_t check_at
    int64_t stop_flag
    double deadline
    double listened
    why_t why                           # not RUNNING: unwind
    stack_t line                        # of frame_t
    void* owner


# The table

# It grows by one bucket at a time (linear hashing), so that no step takes long and a small game touches
# little memory. Bucket i of the first `n_first` is divided when bucket n_first + i is added; when all are,
# `n_first` doubles.

cdef inline uint64_t bucket_number(const exact_t* s, uint64_t key) noexcept nogil:
    """Where a key belongs: by more bits of its hash where the bucket has been divided."""
    cdef uint64_t hash = hash_of(key)
    hash ^= hash >> 32                          # the high bits of a product are the good ones
    if hash & (2 * s.n_first - 1) < s.n_buckets:
        return hash & (2 * s.n_first - 1)
    return hash & (s.n_first - 1)


cdef inline proof_t* bucket_of(const exact_t* s, uint64_t key) noexcept nogil:
    return &s.table[BUCKET * bucket_number(s, key)]


cdef proof_t* find(const exact_t* s, uint64_t key) noexcept nogil:
    cdef proof_t* bucket = bucket_of(s, key)
    cdef int i
    for i in range(BUCKET):
        if bucket[i].work and bucket[i].key == key and bucket[i].proof & GOAL_BIT == s.goal_bit:
            return &bucket[i]
    return NULL


cdef void keep(exact_t* s, uint64_t key, uint32_t proof, uint32_t disproof, uint64_t work) noexcept nogil:
    cdef proof_t* bucket = bucket_of(s, key)
    cdef proof_t* entry = find(s, key)
    cdef int i
    if entry != NULL:
        work += entry.work
    else:
        entry = bucket
        for i in range(1, BUCKET):
            if bucket[i].work < entry.work:
                entry = &bucket[i]
    s.n_entries += entry.work == 0
    entry.key, entry.proof, entry.disproof, entry.work = key, proof | s.goal_bit, disproof, work
    while s.n_entries > s.n_buckets * FILL and s.n_buckets < s.most_buckets:
        add_bucket(s)


cdef void add_bucket(exact_t* s) noexcept nogil:
    """Split the next bucket: entries that hash to the new one move there."""
    cdef proof_t* bucket = &s.table[BUCKET * (s.n_buckets - s.n_first)]
    cdef proof_t* added = &s.table[BUCKET * s.n_buckets]
    cdef int i
    s.n_buckets += 1
    for i in range(BUCKET):
        if bucket[i].work and bucket_of(s, bucket[i].key) == added:
            added[i] = bucket[i]
            bucket[i].work = 0
    if s.n_buckets == 2 * s.n_first:
        s.n_first *= 2


# Proofs

cdef bint must_stop(exact_t* s) noexcept nogil:
    """Look at the limits, and every now and then for Ctrl-C."""
    cdef double now = seconds_now()
    s.check_at = min(s.nodes + CHECK_EVERY, max(s.node_limit, s.nodes + 1))
    if load(&s.stop_flag):
        s.why = STOPPED
    elif s.nodes >= s.node_limit:
        s.why = NODES
    elif now >= s.deadline:
        s.why = SECONDS
    elif now - s.listened >= LISTEN_EVERY:
        with gil:
            try:
                (<ExactSolver> s.owner).position.check()
                PyErr_CheckSignals()
            except BaseException as failure:
                (<ExactSolver> s.owner).failure = failure
                s.why = FAILED
        s.listened = seconds_now()
    return s.why != RUNNING


cdef void settle(exact_t* s, const void* state, child_t* child) noexcept nogil:
    """A finished game settles the goal."""
    cdef double result = s.game.result(s.game, state)
    cdef bint is_reached
    if not is_result(result):
        s.why = BREACH
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
    child.key = s.game.key(s.game, state)
    entry = find(s, child.key)
    if entry != NULL:
        child.proof, child.disproof = entry.proof & ~GOAL_BIT, entry.disproof
        return
    n = s.game.moves(s.game, state, NULL)
    if n == 0:
        settle(s, state, child)
    else:
        child.proof, child.disproof = 1, n


cdef void search(exact_t* s, const void* state, child_t* root) noexcept nogil:
    """Search below an unfinished position until it is settled, or a limit is met."""
    cdef any_state_t start
    copy_state(s.game, &start, state)
    enter(s, &start, root, SETTLED, SETTLED)
    while s.line.depth and s.why == RUNNING:
        if count_up(s, <frame_t*> stack_top(&s.line)):
            go_on(s, <frame_t*> stack_top(&s.line))
        else:
            root[0] = leave(s)
    while s.line.depth:
        drop_frame(s)


cdef void enter(exact_t* s, any_state_t* state, const child_t* node, uint32_t proof_limit,
                uint32_t disproof_limit) noexcept nogil:
    """Put a position at the end of the line, which takes its state over, and look its moves up."""
    cdef frame_t* frame
    s.nodes += 1
    if s.nodes >= s.check_at and must_stop(s):
        drop_state(s.game, state)
        return
    frame = <frame_t*> stack_push(&s.line)
    if frame == NULL:
        s.why = NO_MEMORY
        drop_state(s.game, state)
        return
    frame.state, frame.node = state[0], node[0]
    frame.proof_limit, frame.disproof_limit, frame.before = proof_limit, disproof_limit, s.nodes - 1
    if s.line.depth > s.game.max_plies:
        frame.children = NULL
        s.why = TOO_DEEP
        return
    list_children(s, frame)


cdef inline uint32_t to_win(const child_t* child) noexcept nogil:
    """What is left to show after a move so that it wins, for the player who makes it."""
    return child.proof if child.same_mover else child.disproof


cdef inline uint32_t to_lose(const child_t* child) noexcept nogil:
    return child.disproof if child.same_mover else child.proof


cdef void list_children(exact_t* s, frame_t* frame) noexcept nogil:
    """What is known of the positions after each move, up to the first that settles this one."""
    cdef any_state_t after
    cdef move_t[MOVES_ROOM] moves
    cdef child_t* child
    cdef int i, n = s.game.moves(s.game, &frame.state, moves), turn = s.game.turn(s.game, &frame.state)
    frame.n_children, frame.children = 0, NULL
    if has_failed(s.game):
        s.why = FAILED
    elif not 0 < n <= s.game.max_moves:
        s.why = BREACH
    if s.why != RUNNING:
        return
    frame.children = <child_t*> malloc(n * sizeof(child_t))
    if frame.children == NULL:
        s.why = NO_MEMORY
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
    """A position's numbers from those of its children, and the child to search; false: its limits are met.

    The mover needs one move that wins; all of them must lose to refute it.
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
    """Keep what was found of the last position of the line, and tell the one before."""
    cdef frame_t* frame = <frame_t*> stack_top(&s.line)
    cdef child_t node = frame.node
    if has_failed(s.game):
        s.why = FAILED                          # what it has said since is void
    else:
        keep(s, node.key, node.proof, node.disproof, s.nodes - frame.before)
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
        stack_open(&self.s.line, sizeof(frame_t))
        self.limit()
        self.s.most_buckets = 1
        while 2 * <int64_t> (self.s.most_buckets * BUCKET * sizeof(proof_t)) <= memory:
            self.s.most_buckets *= 2
        self.s.n_first = self.s.n_buckets = min(self.s.most_buckets, <uint64_t> FIRST_BUCKETS)
        self.s.table = <proof_t*> pages_take(self.s.most_buckets * BUCKET * sizeof(proof_t))
        if self.s.table == NULL:
            raise MemoryError("no memory for the table; try less with memory=")

    def __dealloc__(self):
        stack_close(&self.s.line)
        if self.s.table != NULL:
            pages_give_back(self.s.table, self.s.most_buckets * BUCKET * sizeof(proof_t))

    def stop(self):
        """Make `prove` return soon, from another thread."""
        store(&self.s.stop_flag, 1)

    @property
    def nodes(self):
        return self.s.nodes

    @property
    def bytes(self):
        """Memory that the table has come to take."""
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

    def aim(self, int player, double least):
        """Set the goal: this player gets at least that result."""
        self.s.player, self.s.least = player, least
        self.s.goal_bit = GOAL_BIT if least == 0.5 else 0

    def prove(self, Position position not None, int player, double least):
        """Whether the player can get at least that result; if a limit is met first, why it ended.

        The position is one that can be reached from the first.
        """
        cdef child_t root
        cdef const void* state = self.state_of(position)
        self.aim(player, least)
        self.s.why = RUNNING
        with nogil:
            look_up(&self.s, state, &root)
            if root.proof and root.disproof:
                search(&self.s, state, &root)
        position.check()
        self.position.check()
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        if self.s.why == BREACH:
            raise breach("a number of moves or a result is out of range")
        if self.s.why == NO_MEMORY:
            raise MemoryError("no memory for the positions of a line of moves")
        if self.s.why == TOO_DEEP:
            raise BadPosition(f"a line of moves went on for more than {self.s.game.max_plies} plies, the most that "
                              "this game can last: no game may come back to a position")
        if self.s.why != RUNNING:
            return LIMITS[self.s.why]
        return (root.proof == 0) == (self.s.game.turn(self.s.game, state) == player)

    cdef const void* state_of(self, Position position) except NULL:
        if position.game != self.s.game:
            raise BadPosition("this position is of another game or size than the one that is solved")
        return position.state()

    def known(self, Position position not None):
        """What the table says of a position about the last goal: reached, not reached, or None."""
        cdef child_t node
        cdef const void* state = self.state_of(position)
        look_up(&self.s, state, &node)
        position.check()
        if node.proof and node.disproof:
            return None
        return (node.proof == 0) == (self.s.game.turn(self.s.game, state) == self.s.player)

    def work(self, Position position not None):
        """How many nodes were spent below a position for the last goal; 0 if it is not in the table."""
        cdef proof_t* entry = find(&self.s, self.s.game.key(self.s.game, self.state_of(position)))
        position.check()
        return 0 if entry == NULL else entry.work
