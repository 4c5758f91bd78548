"""Alpha-beta for Othello: iterative deepening, principal variation search, transposition table.

The value of a position at a depth is a fact, whatever order the moves are searched in: that of the
plain depth-limited search in `playout.reference`. All that is done here is to find it sooner:

1. the iterations: each depth starts from what the one before has learnt (`run`)
2. the root: several principal variations, ties (`search_root`, `find_ties`)
3. a position: pass, table, ordering, scouts (`search`)
4. the last ply and the leaves (`last_ply`, `leaf`)

Values are doubles and compared exactly: a scout's window (a, b) has the next double above a as b.
The root is searched in the whole window: with a narrow one around the value of the depth before
(aspiration) the three evaluations needed up to 10 % more nodes at half-widths of 5 to 25 points, and
as many at 100 and more.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, nextafter
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from mcts_core.base.atomics cimport load, store
from mcts_core.base.bits cimport count_bits
from mcts_core.base.clock cimport seconds_now
from mcts_core.base.aligned_memory cimport pages_give_back, pages_take
from mcts_core.games.othello cimport PASS, Othello, state_t
from mcts_core.games.othello_board cimport fill_rays, flips_of, moves_of
from mcts_core.evaluation.othello_eval cimport CompiledEvaluation, eval_t, evaluate, final_score
from mcts_core.minimax.othello_order cimport CHOICES_ROOM, choice_t, list_choices, take_best
from mcts_core.minimax.transposition cimport (
    AT_LEAST, AT_MOST, EXACT, NO_SQUARE, entry_t, find, keep, transpositions_t
)

import numpy as np

from mcts_core.errors import BadPosition

cdef enum:
    MOST_PLIES = 128                    # every other ply a pass, at worst
    CHECK_EVERY = 16384                 # nodes between two looks at the clock: less than a millisecond
    FIRST_BUCKETS = 4096

cdef double GROWN_IN_A_SECOND = 1 << 28  # bytes of a table that a busy machine fills again, at least

cdef uint64_t CORNERS = <uint64_t> 0x8100000000000081

cdef struct search_t:
    const eval_t* evaluation
    void* owner                         # the AlphaBetaSearch
    transpositions_t table
    int64_t nodes
    int64_t check_at                    # nodes
    int64_t node_limit
    int64_t stop_flag
    double deadline                     # on the clock
    double checked                      # when Python was last asked for signals
    bint stopped                        # unwind: what is returned is void
    bint may_stop                       # not before there is a first result
    const char* reason
    int turn                            # at the root
    uint8_t[MOST_PLIES][2] killers      # by ply: squares that cut off
    int[2][65] history                  # by side and square
    uint8_t[MOST_PLIES + 1][MOST_PLIES + 1] pv  # by ply: the line from there, its length first

fill_rays()


# The leaves

cdef double ask(search_t* s, uint64_t own, uint64_t enemy, int ply) noexcept with gil:
    """The value by a Python function; its exception ends the search."""
    cdef AlphaBetaSearch owner = <AlphaBetaSearch> s.owner
    try:
        return owner.evaluation.ask(own, enemy, s.turn ^ ply & 1)
    except BaseException as failure:
        owner.failure = failure
        s.stopped = True
        return 0.0


cdef inline double leaf(search_t* s, uint64_t own, uint64_t enemy, int ply) noexcept nogil:
    cdef uint64_t squares = s.evaluation.squares
    s.nodes += 1
    if moves_of(own, enemy, squares) == 0 and moves_of(enemy, own, squares) == 0:
        return final_score(own, enemy, squares)
    if s.evaluation.n_mixes == 0:
        return ask(s, own, enemy, ply)
    return evaluate(s.evaluation, own, enemy)


cdef double last_ply(search_t* s, uint64_t own, uint64_t enemy, uint64_t legal,
                     double alpha, double beta, int ply) noexcept nogil:
    """The best of the moves by their evaluations, the next position's mover being the enemy."""
    cdef double value, best = -INFINITY
    cdef uint64_t flips, disc
    cdef int square
    while legal:
        disc = legal & -legal
        square = count_bits(disc - 1)
        legal ^= disc
        flips = flips_of(own, enemy, square)
        value = -leaf(s, enemy ^ flips, own ^ (flips | disc), ply + 1)
        if s.stopped:
            return 0.0
        if value > best:
            best = value
            if best > alpha:
                s.pv[ply][0], s.pv[ply][1] = 1, square
                if best >= beta:
                    break
    return best


# A position

cdef bint must_stop(search_t* s) noexcept nogil:
    """Look at the limits, and about every millisecond for Ctrl-C."""
    cdef double now = seconds_now()
    if load(&s.stop_flag):
        s.stopped, s.reason = True, "stopped"
    if s.may_stop and now >= s.deadline:
        s.stopped, s.reason = True, "seconds"
    if s.may_stop and s.nodes >= s.node_limit:
        s.stopped, s.reason = True, "nodes"
    if now - s.checked >= 1e-3 and not s.stopped:
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException as failure:
                (<AlphaBetaSearch> s.owner).failure = failure
                s.stopped = True
        s.checked = seconds_now()               # another thread of Python may have kept this one waiting
    plan_check(s)
    return s.stopped


cdef void plan_check(search_t* s) noexcept nogil:
    s.check_at = s.nodes + (CHECK_EVERY if s.evaluation.n_mixes else 1)
    if s.may_stop:
        s.check_at = min(s.check_at, max(s.node_limit, s.nodes + 1))


cdef void note_pv(search_t* s, int ply, int square) noexcept nogil:
    """The principal variation from here: this move and the one from the next ply."""
    cdef int i, n = s.pv[ply + 1][0]
    s.pv[ply][0], s.pv[ply][1] = n + 1, square
    for i in range(n):
        s.pv[ply][i + 2] = s.pv[ply + 1][i + 1]


cdef inline void order(search_t* s, choice_t* choices, int n, uint64_t own, uint64_t enemy,
                       int ply, int hash_square) noexcept nogil:
    """Scores: the table's move, then few replies (corners twice), then what cut off before.

    Counting replies at the last ply but one as well saves 12 % of the nodes and 5 % of the time.
    """
    cdef uint64_t squares = s.evaluation.squares, replies, next_own, next_enemy
    cdef int i, square, score, side = ply & 1
    for i in range(n):
        square = choices[i].square
        if square == hash_square:
            choices[i].score = 1 << 28
            continue
        score = min(s.history[side][square], 1 << 20) >> 8
        if s.killers[ply][0] == square:
            score += 1 << 11
        elif s.killers[ply][1] == square:
            score += 1 << 10
        next_own = enemy ^ choices[i].flips
        next_enemy = own ^ (choices[i].flips | choices[i].disc)
        replies = moves_of(next_own, next_enemy, squares)
        choices[i].score = score - ((count_bits(replies) + count_bits(replies & CORNERS)) << 11)


cdef double search(search_t* s, uint64_t own, uint64_t enemy, int depth,
                   double alpha, double beta, int ply, bint is_pv) noexcept nogil:
    """The value if it lies between alpha and beta; else a bound on it beyond the one it passes."""
    cdef choice_t[CHOICES_ROOM] choices
    cdef choice_t* choice
    cdef entry_t* entry
    cdef uint64_t legal, next_own, next_enemy
    cdef double value, best = -INFINITY, floor = alpha
    cdef int i, n, best_square = NO_SQUARE, turn = s.turn ^ ply & 1

    # 1. Limits; leaves; the end of the game; a pass, which is a ply
    if is_pv:
        s.pv[ply][0] = 0
    if depth == 0:
        return leaf(s, own, enemy, ply)
    s.nodes += 1
    if s.nodes >= s.check_at and must_stop(s):
        return 0.0
    legal = moves_of(own, enemy, s.evaluation.squares)
    if legal == 0:
        if moves_of(enemy, own, s.evaluation.squares) == 0:
            return final_score(own, enemy, s.evaluation.squares)
        value = -search(s, enemy, own, depth - 1, -beta, -alpha, ply + 1, is_pv)
        if is_pv and not s.stopped:
            note_pv(s, ply, PASS)
        return value
    if depth == 1:
        return last_ply(s, own, enemy, legal, alpha, beta, ply)

    # 2. The table answers, except on the principal variation, which is to be complete
    entry = find(&s.table, own, enemy, turn)
    if entry != NULL:
        best_square = entry.square
        if entry.depth == depth and not is_pv:
            if entry.bound & AT_LEAST and entry.value >= beta:
                return entry.value
            if entry.bound & AT_MOST and entry.value <= alpha:
                return entry.value

    # 3. Enhanced transposition cutoff: a move into a position that is known to be good enough
    n = list_choices(choices, own, enemy, legal)
    if depth >= 3 and not is_pv:
        for i in range(n):
            entry = find(&s.table, enemy ^ choices[i].flips, own ^ (choices[i].flips | choices[i].disc), turn ^ 1)
            if entry != NULL and entry.depth == depth - 1 and entry.bound & AT_MOST and -entry.value >= beta:
                return -entry.value

    # 4. The moves, best first: the first with the whole window, others to show they are no better
    order(s, choices, n, own, enemy, ply, best_square)
    for i in range(n):
        choice = take_best(choices, i, n)
        next_own, next_enemy = enemy ^ choice.flips, own ^ (choice.flips | choice.disc)
        if i == 0 or not is_pv:
            value = -search(s, next_own, next_enemy, depth - 1, -beta, -alpha, ply + 1, is_pv)
        else:
            value = -search(s, next_own, next_enemy, depth - 1, -nextafter(alpha, INFINITY), -alpha, ply + 1, False)
            if value > alpha and value < beta:
                value = -search(s, next_own, next_enemy, depth - 1, -beta, -alpha, ply + 1, True)
        if s.stopped:
            return 0.0
        if value > best:
            best = value
            if best > alpha:
                alpha = best
                best_square = choice.square
                if is_pv:
                    note_pv(s, ply, best_square)
                if alpha >= beta:
                    note_cutoff(s, best_square, depth, ply)
                    break

    # 5. What was learnt
    keep(&s.table, own, enemy, turn, depth,
         AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST, best, best_square)
    return best


cdef void note_cutoff(search_t* s, int square, int depth, int ply) noexcept nogil:
    if s.killers[ply][0] != square:
        s.killers[ply][1] = s.killers[ply][0]
        s.killers[ply][0] = square
    s.history[ply & 1][square] += depth * depth


# The root

cdef struct root_move_t:
    uint64_t own                        # after it, as the opponent sees the board
    uint64_t enemy
    int square                          # or PASS
    bint exact                          # `value` is its value; else the value is no higher
    double value
    int64_t nodes
    uint8_t[MOST_PLIES + 1] pv          # its length first


cdef inline int64_t table_bytes(const transpositions_t* table) noexcept nogil:
    return 2 * table.n_buckets * sizeof(entry_t)


cdef class AlphaBetaSearch:
    """A search of an Othello position, depth by depth."""

    cdef search_t* s
    cdef CompiledEvaluation evaluation
    cdef readonly Othello position
    cdef object failure
    cdef root_move_t* moves             # best first
    cdef root_move_t* found             # the same, of the last depth that was completed
    cdef int n_moves
    cdef int n_exact                    # how many get their exact value (multi-PV)
    cdef bint exact_ties
    cdef readonly int depth             # completed
    cdef int64_t most_buckets
    cdef uint64_t own
    cdef uint64_t enemy

    def __cinit__(self, Othello position not None, CompiledEvaluation evaluation not None, int n_exact=1,
                  bint exact_ties=False, int64_t memory=1 << 26):
        cdef const state_t* state = <const state_t*> position.state()
        cdef uint64_t legal = moves_of(state.own, state.enemy, state.squares)
        cdef choice_t[CHOICES_ROOM] choices
        cdef int i
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to search")
        self.position = position.copy()
        self.evaluation = evaluation
        self.exact_ties = exact_ties
        self.own, self.enemy = state.own, state.enemy
        self.n_moves = max(1, list_choices(choices, state.own, state.enemy, legal))
        self.n_exact = min(n_exact, self.n_moves)
        self.s = <search_t*> calloc(1, sizeof(search_t))
        self.moves = <root_move_t*> calloc(self.n_moves, sizeof(root_move_t))
        self.found = <root_move_t*> calloc(self.n_moves, sizeof(root_move_t))
        if self.s == NULL or self.moves == NULL or self.found == NULL:
            raise MemoryError("no memory for the search")
        if legal:
            for i in range(self.n_moves):
                self.moves[i].own = self.enemy ^ choices[i].flips
                self.moves[i].enemy = self.own ^ (choices[i].flips | choices[i].disc)
                self.moves[i].square = choices[i].square
        else:
            self.moves[0].own, self.moves[0].enemy, self.moves[0].square = self.enemy, self.own, PASS
        for i in range(self.n_moves):
            self.found[i] = self.moves[i]
        self.s.evaluation = &evaluation.c
        self.s.owner = <void*> self
        self.s.turn = state.turn
        self.most_buckets = memory // (2 * <int64_t> sizeof(entry_t))
        self.s.table.n_buckets = FIRST_BUCKETS
        while self.s.table.n_buckets > 1 and <int64_t> self.s.table.n_buckets > self.most_buckets:
            self.s.table.n_buckets //= 2
        self.s.table.entries = <entry_t*> pages_take(table_bytes(&self.s.table))
        if self.s.table.entries == NULL:
            raise MemoryError("no memory for the table")

    def __dealloc__(self):
        if self.s != NULL and self.s.table.entries != NULL:
            pages_give_back(self.s.table.entries, table_bytes(&self.s.table))
        free(self.s)
        free(self.moves)
        free(self.found)

    def stop(self):
        """Make `run` return soon, from another thread."""
        store(&self.s.stop_flag, 1)

    @property
    def nodes(self):
        """Positions visited so far."""
        return self.s.nodes

    @property
    def bytes(self):
        """What the table takes."""
        return 2 * self.s.table.n_buckets * sizeof(entry_t)

    def run(self, int depth, seconds=None, nodes=None):
        """Search deeper until that depth is done or a limit is met: depth, proven, seconds, nodes, stopped.

        `nodes` counts all nodes of this search so far, `seconds` runs from this call. Depth 1 is
        always completed.
        """
        cdef search_t* s = self.s
        store(&s.stop_flag, 0)
        s.stopped = False
        s.deadline = INFINITY if seconds is None else seconds_now() + <double> seconds
        s.node_limit = (<int64_t> 1 << 62) if nodes is None else nodes
        s.checked = seconds_now()
        while self.depth < depth:
            if self.is_settled():
                return "proven"
            s.may_stop = self.depth > 0
            plan_check(s)
            if s.may_stop and must_stop(s):
                break
            self.grow_table()
            self.begin_iteration()
            with nogil:
                self.search_root(self.depth + 1)
                if self.exact_ties and not s.stopped:
                    self.find_ties(self.depth + 1)
            if s.stopped:
                break
            self.depth += 1
            self.sort_moves()
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        if s.stopped:
            return s.reason.decode()
        return "proven" if self.is_settled() else "depth"

    cdef bint is_settled(self):
        """Whether every line was followed to the end of the game: a pass is followed by a disc."""
        cdef int empty = count_bits(self.evaluation.c.squares & ~(self.own | self.enemy))
        return self.depth >= 2 * empty + 1

    cdef void begin_iteration(self) noexcept:
        cdef int side, square
        self.s.table.iteration = <uint8_t> (self.depth + 1)
        memset(self.s.killers, NO_SQUARE, sizeof(self.s.killers))
        for side in range(2):
            for square in range(65):
                self.s.history[side][square] >>= 2

    cdef int grow_table(self) except -1:
        """Between two depths: as large as the nodes ask for, so that short searches clear little memory."""
        cdef transpositions_t old = self.s.table, new = self.s.table
        cdef uint64_t i
        cdef entry_t* entry
        while 8 * <int64_t> new.n_buckets < self.s.nodes and 2 * <int64_t> new.n_buckets <= self.most_buckets:
            new.n_buckets *= 2
        if new.n_buckets == old.n_buckets:
            return 0
        if seconds_now() + table_bytes(&new) / GROWN_IN_A_SECOND > self.s.deadline:
            return 0                    # the time would end before the larger table is of use
        new.entries = <entry_t*> pages_take(table_bytes(&new))
        if new.entries == NULL:         # then the old one has to do
            return 0
        new.iteration = 0
        for i in range(2 * old.n_buckets):
            entry = &old.entries[i]
            if entry.own | entry.enemy:
                keep(&new, entry.own, entry.enemy, entry.turn, entry.depth, entry.bound, entry.value, entry.square)
        self.s.table = new
        pages_give_back(old.entries, table_bytes(&old))
        return 0

    cdef void search_root(self, int depth) noexcept nogil:
        """The n_exact best moves get their values, by scouting whether each is among them."""
        cdef search_t* s = self.s
        cdef root_move_t* move
        cdef double value, alpha
        cdef int64_t nodes
        cdef int i, j, n
        for i in range(self.n_moves):
            move = &self.moves[i]
            move.exact = False
        for i in range(self.n_moves):
            move = &self.moves[i]
            alpha = self.alpha_at(i)
            nodes = s.nodes
            if i >= self.n_exact:
                value = -search(s, move.own, move.enemy, depth - 1, -nextafter(alpha, INFINITY), -alpha, 1, False)
            if i < self.n_exact or (not s.stopped and value > alpha):
                value = -search(s, move.own, move.enemy, depth - 1, -INFINITY, -alpha, 1, True)
            if s.stopped:
                return
            move.value = value
            move.exact = value > alpha
            move.nodes = s.nodes - nodes
            if move.exact:
                n = s.pv[1][0]
                move.pv[0], move.pv[1] = n + 1, move.square
                for j in range(n):
                    move.pv[j + 2] = s.pv[1][j + 1]

    cdef double alpha_at(self, int i) noexcept nogil:
        """What a move must surpass to be listed with its exact value: the n_exact-th best so far."""
        cdef int j, k, better
        cdef double nth = -INFINITY
        for j in range(i):
            if self.moves[j].exact and self.moves[j].value > nth:
                better = 0
                for k in range(i):
                    better += self.moves[k].exact and self.moves[k].value >= self.moves[j].value
                if better >= self.n_exact:
                    nth = self.moves[j].value
        return nth

    cdef void find_ties(self, int depth) noexcept nogil:
        """Which moves before the best one, in legal order, are as good: their bounds leave it open."""
        cdef search_t* s = self.s
        cdef root_move_t* best = &self.moves[0]
        cdef root_move_t* move
        cdef double value
        cdef int i, j
        for i in range(self.n_moves):
            if self.moves[i].exact and (not best.exact or self.moves[i].value > best.value):
                best = &self.moves[i]
        for i in range(self.n_moves):
            move = &self.moves[i]
            if move.square < best.square and not move.exact and move.value == best.value:
                value = nextafter(best.value, -INFINITY)
                value = -search(s, move.own, move.enemy, depth - 1, -INFINITY, -value, 1, True)
                if s.stopped:
                    return
                if value == best.value:
                    move.exact = True
                    move.pv[0], move.pv[1] = s.pv[1][0] + 1, move.square
                    for j in range(s.pv[1][0]):
                        move.pv[j + 2] = s.pv[1][j + 1]

    cdef void sort_moves(self) noexcept:
        """Exact values first, the best first; the others by the work they took to refute."""
        cdef root_move_t move
        cdef int i, j
        for i in range(1, self.n_moves):
            move = self.moves[i]
            j = i
            while j > 0 and self.comes_before(&move, &self.moves[j - 1]):
                self.moves[j] = self.moves[j - 1]
                j -= 1
            self.moves[j] = move
        for i in range(self.n_moves):
            self.found[i] = self.moves[i]

    cdef bint comes_before(self, const root_move_t* a, const root_move_t* b) noexcept:
        if a.exact != b.exact:
            return a.exact
        if not a.exact:
            return a.nodes > b.nodes
        if a.value != b.value:
            return a.value > b.value
        return self.exact_ties and a.square < b.square

    def root(self):
        """The root's moves, best first: raw move, value, whether it is exact (else: at most), nodes, line."""
        cdef root_move_t* move
        cdef int i, j
        columns = {
            "raw": np.zeros(self.n_moves, np.uint32),
            "value": np.full(self.n_moves, np.nan),
            "exact": np.zeros(self.n_moves, np.bool_),
            "nodes": np.zeros(self.n_moves, np.int64),
        }
        lines = []
        for i in range(self.n_moves):
            move = &self.found[i]
            columns["raw"][i] = move.square
            if self.depth:
                columns["value"][i] = move.value + 0.0
                columns["exact"][i] = move.exact
                columns["nodes"][i] = move.nodes
            lines.append([move.pv[j + 1] for j in range(move.pv[0])] if move.exact else [move.square])
        return columns, lines
