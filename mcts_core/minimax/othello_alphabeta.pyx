"""Alpha-beta for Othello: iterative deepening, principal variation search, transposition table.

The value of a position at a depth is that of the plain depth-limited search in `playout.reference`.
It does not depend on the order of the moves, which only makes the search faster:

1. the iterations: each depth starts from the table and the move order of the one before (`run`)
2. the root: several principal variations, ties (`search_root`, `find_ties`)
3. a position, the last ply, the leaves: `othello_search.pyx`

The root is searched in the full window. Aspiration (narrow windows around the value of the depth before) took up
to 10 % more nodes at half-widths of 5 to 25 points, and as many at 100 and more, with every evaluation.
"""
from libc.math cimport INFINITY, nextafter
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from mcts_core.base.bits cimport count_bits
from mcts_core.base.clock cimport seconds_now
from mcts_core.evaluation.othello_eval cimport CompiledEvaluation
from mcts_core.games.othello cimport Othello
from mcts_core.games.othello_board cimport fill_rays, moves_of
from mcts_core.games.othello_rules cimport PASS, state_t
from mcts_core.minimax.limits cimport LimitedSearch, must_stop
from mcts_core.minimax.multi_pv cimport nth_best
from mcts_core.minimax.othello_search cimport MOST_PLIES, search, search_t
from mcts_core.minimax.othello_table cimport BUCKET, NO_SQUARE, entry_t, keep_bucket
from mcts_core.minimax.othello_order cimport CHOICES_ROOM, choice_t, list_choices
from mcts_core.minimax.transposition cimport (
    buckets_bytes, buckets_t, buckets_within, close_buckets, grow_buckets, open_buckets
)

import numpy as np

from mcts_core.errors import BadPosition

cdef enum:
    CHECK_EVERY = 16384                 # nodes between two checks of the limits: less than a millisecond
    FIRST_BUCKETS = 4096                # of a new table, 256 KiB; more would slow short searches, which clear them
    BUCKET_SIZE = BUCKET * sizeof(entry_t)      # bytes

# Bytes of a table that even a busy machine clears and fills again in a second. A larger number lets a table
# grow closer to the deadline, which the search may then miss.
cdef double GROWN_IN_A_SECOND = 1 << 28

fill_rays()


cdef struct root_move_t:
    uint64_t own                        # discs after the move; `own` are the opponent's, who moves next
    uint64_t enemy
    int square                          # or PASS
    bint exact                          # `value` is exact; otherwise it is an upper bound
    double value                        # for the root's mover
    int64_t nodes                       # searched for it at the last depth
    uint8_t[MOST_PLIES + 1] pv          # its length, then the squares


cdef void copy_line(root_move_t* move, const search_t* s) noexcept nogil:
    """Set the line of a move of the root: the move, and the principal variation after it."""
    cdef int i, n = s.pv[1][0]
    move.pv[0], move.pv[1] = n + 1, move.square
    for i in range(n):
        move.pv[i + 2] = s.pv[1][i + 1]


cdef class OthelloSearch(LimitedSearch):
    """A search of an Othello position, depth by depth."""

    cdef search_t* s
    cdef CompiledEvaluation evaluation
    cdef readonly Othello position
    cdef root_move_t* moves             # of the depth under way, in the order of the search
    cdef root_move_t* found             # of the last completed depth, best first
    cdef int n_moves
    cdef int n_exact                    # moves that get their exact value (multi-PV)
    cdef bint exact_ties                # the first in legal order of equally good moves is found
    cdef readonly int depth             # the last completed
    cdef uint64_t most_buckets          # that the table may grow to
    cdef uint64_t own
    cdef uint64_t enemy

    def __cinit__(self, Othello position not None, CompiledEvaluation evaluation not None, int n_exact=1,
                  bint exact_ties=False, int64_t memory=1 << 26):
        cdef const state_t* state = <const state_t*> position.state()
        cdef int n_legal = count_bits(moves_of(state.own, state.enemy, state.squares))
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to search")
        self.position = position.copy()
        self.evaluation = evaluation
        self.exact_ties = exact_ties
        self.own, self.enemy = state.own, state.enemy
        self.n_moves = max(1, n_legal)
        self.n_exact = min(n_exact, self.n_moves)
        self.s = <search_t*> calloc(1, sizeof(search_t))
        self.moves = <root_move_t*> calloc(self.n_moves, sizeof(root_move_t))
        self.found = <root_move_t*> calloc(self.n_moves, sizeof(root_move_t))
        if self.s == NULL or self.moves == NULL or self.found == NULL:
            raise MemoryError("no memory for the search")
        self.own_limits(&self.s.limits, CHECK_EVERY if evaluation.c.n_mixes else 1)
        self.s.evaluation = &evaluation.c
        self.s.owner = <void*> evaluation
        self.s.turn = state.turn
        self.list_moves()
        self.most_buckets = buckets_within(memory, BUCKET_SIZE)
        if not open_buckets(&self.s.table.buckets, min(self.most_buckets, <uint64_t> FIRST_BUCKETS), BUCKET_SIZE):
            raise MemoryError("no memory for the table")

    def __dealloc__(self):
        if self.s != NULL:
            close_buckets(&self.s.table.buckets)
        free(self.s)
        free(self.moves)
        free(self.found)

    cdef void list_moves(self) noexcept:
        """List the moves of the root, squares ascending, or the pass."""
        cdef choice_t[CHOICES_ROOM] choices
        cdef uint64_t legal = moves_of(self.own, self.enemy, self.evaluation.c.squares)
        cdef int i
        list_choices(choices, self.own, self.enemy, legal)
        for i in range(self.n_moves):
            if legal:
                self.moves[i].own = self.enemy ^ choices[i].flips
                self.moves[i].enemy = self.own ^ (choices[i].flips | choices[i].disc)
                self.moves[i].square = choices[i].square
            else:
                self.moves[i].own, self.moves[i].enemy, self.moves[i].square = self.enemy, self.own, PASS
            self.found[i] = self.moves[i]

    @property
    def bytes(self):
        """Bytes that the table takes."""
        return buckets_bytes(&self.s.table.buckets)

    def run(self, int depth, seconds=None, nodes=None):
        """Search deeper until that depth is done or a limit is met. Returns why it ended.

        The reasons are depth, proven, seconds, nodes and stopped. `nodes` counts all nodes of this search so far,
        `seconds` runs from this call. Neither ends depth 1, so that there is always a move.
        """
        self.begin()
        try:
            self.set_limits(seconds, nodes, 0)
            if self.depth == 0 < depth:
                self.search_first_depth()
            while self.depth < depth and not self.limits.ending and not self.is_settled():
                if not must_stop(self.limits):
                    self.search_next_depth()
            self.raise_failure()
        finally:
            self.end()
        if self.limits.ending:
            return self.reason()
        return "proven" if self.is_settled() else "depth"

    cdef void search_first_depth(self):
        """Search depth 1, which only `stop`, Ctrl-C or an exception of the evaluation can end."""
        cdef double deadline = self.limits.deadline
        cdef int64_t node_limit = self.limits.node_limit
        self.limits.deadline, self.limits.node_limit = INFINITY, <int64_t> 1 << 62
        self.search_next_depth()
        self.limits.deadline, self.limits.node_limit = deadline, node_limit

    cdef void search_next_depth(self):
        with nogil:
            self.grow_table()
            self.begin_iteration()
            self.search_root(self.depth + 1)
            if self.exact_ties and not self.limits.ending:
                self.find_ties(self.depth + 1)
        if not self.limits.ending:
            self.depth += 1
            self.sort_moves()

    cdef bint is_settled(self):
        """Return whether every line reaches the end of the game: two passes in a row are the end."""
        cdef int empty = count_bits(self.evaluation.c.squares & ~(self.own | self.enemy))
        return self.depth >= 2 * empty + 1

    cdef void begin_iteration(self) noexcept nogil:
        """Forget the killers of the last depth, and divide its history by four."""
        cdef int side, square
        self.s.table.iteration = <uint8_t> (self.depth + 1)
        memset(self.s.killers, NO_SQUARE, sizeof(self.s.killers))
        for side in range(2):
            for square in range(65):
                self.s.history[side][square] >>= 2

    cdef void grow_table(self) noexcept nogil:
        """Double the table until there is an entry for every four nodes. So short searches clear little memory.

        If there is not enough time or memory, the table stays as it is.
        """
        cdef buckets_t* table = &self.s.table.buckets
        cdef uint64_t n_buckets = table.n_buckets
        while 8 * <int64_t> n_buckets < self.limits.nodes and 2 * n_buckets <= self.most_buckets:
            n_buckets *= 2
        if (n_buckets > table.n_buckets
                and seconds_now() + n_buckets * BUCKET_SIZE / GROWN_IN_A_SECOND <= self.limits.deadline):
            grow_buckets(table, n_buckets, keep_bucket, &self.limits.stop)

    cdef void search_root(self, int depth) noexcept nogil:
        """Search all moves. The n_exact best ones get their exact value and their line."""
        cdef search_t* s = self.s
        cdef root_move_t* move
        cdef double value, alpha
        cdef int64_t nodes
        cdef int i
        for i in range(self.n_moves):
            self.moves[i].exact = False
        for i in range(self.n_moves):
            move = &self.moves[i]
            alpha = self.alpha_at(i)
            nodes = s.limits.nodes
            if i >= self.n_exact:
                value = -search(s, move.own, move.enemy, depth - 1, -nextafter(alpha, INFINITY), -alpha, 1, False)
            if i < self.n_exact or (not s.limits.ending and value > alpha):
                value = -search(s, move.own, move.enemy, depth - 1, -INFINITY, -alpha, 1, True)
            if s.limits.ending:
                return
            move.value = value
            move.exact = value > alpha
            move.nodes = s.limits.nodes - nodes
            if move.exact:
                copy_line(move, s)

    cdef double alpha_at(self, int i) noexcept nogil:
        """Return the value that move i must exceed to get its exact value: the n_exact-th best so far."""
        cdef double[CHOICES_ROOM] values
        cdef int j, n = 0
        for j in range(i):
            if self.moves[j].exact:
                values[n] = self.moves[j].value
                n += 1
        return nth_best(values, n, self.n_exact)

    cdef void find_ties(self, int depth) noexcept nogil:
        """Find moves that are as good as the best one and come before it in legal order. Searches those that may be."""
        cdef search_t* s = self.s
        cdef root_move_t* best = &self.moves[0]
        cdef root_move_t* move
        cdef double value
        cdef int i
        for i in range(self.n_moves):
            if self.moves[i].exact and (not best.exact or self.moves[i].value > best.value):
                best = &self.moves[i]
        for i in range(self.n_moves):
            move = &self.moves[i]
            if move.square < best.square and not move.exact and move.value == best.value:
                value = nextafter(best.value, -INFINITY)
                value = -search(s, move.own, move.enemy, depth - 1, -INFINITY, -value, 1, True)
                if s.limits.ending:
                    return
                if value == best.value:
                    move.exact = True
                    copy_line(move, s)

    cdef void sort_moves(self) noexcept:
        """Sort the moves: exact values first, the best first; then the others, the most nodes to refute first."""
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
        """Return the root's moves, best first, as columns, and their lines. An inexact value is an upper bound."""
        cdef root_move_t* move
        cdef int i, j
        columns = {
            "value": np.full(self.n_moves, np.nan),
            "exact": np.zeros(self.n_moves, np.bool_),
            "nodes": np.zeros(self.n_moves, np.int64),
        }
        lines = []
        for i in range(self.n_moves):
            move = &self.found[i]
            if self.depth:
                columns["value"][i] = move.value + 0.0
                columns["exact"][i] = move.exact
                columns["nodes"][i] = move.nodes
            lines.append([move.pv[j + 1] for j in range(move.pv[0])] if move.exact else [move.square])
        return columns, lines
