"""Exact Othello endgames: the disc difference under best play. Empty squares go to the winner.

Alpha-beta to the end of the game:

1. the root: principal variation search over its moves, then the line (`EndgameSolver`)
2. 8 empty squares and more: table, stability cutoff, moves with few replies first (`deep`)
3. up to 7 empty squares: `endgame_shallow.pxi`, which also explains `parity`
4. the same for the leaves of an alpha-beta search (`FINISHER`)

Scores are those of the side to move.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from mcts_core.base.bits cimport count_bits, first_bit
from mcts_core.evaluation.othello_eval cimport around
from mcts_core.games.othello cimport Othello
from mcts_core.games.othello_rules cimport PASS, state_t
from mcts_core.games.othello_board cimport fill_rays, flips_of, moves_of
from mcts_core.games.othello_stability cimport stable_discs
from mcts_core.minimax.endgame_table cimport BUCKET, NO_SQUARE, WORST, bounds_t, find, keep
from mcts_core.minimax.finisher cimport FAR, Finisher, finisher_t
from mcts_core.minimax.limits cimport LimitedSearch, limits_t, must_stop
from mcts_core.minimax.othello_order cimport CHOICES_ROOM, choice_t, list_choices, take_best
from mcts_core.minimax.transposition cimport buckets_bytes, buckets_t, buckets_within, close_buckets, open_buckets

from mcts_core.errors import BadPosition

cdef enum:
    # Nodes of `deep` between two checks of the limits: about a millisecond. Shallow nodes do not check, because a
    # check would take a large part of their time.
    CHECK_EVERY = 1024
    FINISHED = 8                        # empty squares from which alpha-beta calls the finisher
    FINISHER_BUCKETS = 1 << 10          # of its table: 48 KiB

fill_rays()

include "endgame_shallow.pxi"


# A position

cdef void order(endgame_t* e, choice_t* choices, int n, uint64_t own, uint64_t enemy,
                int parity, int table_square) noexcept nogil:
    """Score the moves: the table's move first, then by replies (corners count twice), empty squares beside the own
    discs, corners and odd quadrants."""
    cdef uint64_t next_own, next_enemy, replies
    cdef uint64_t corners = (<uint64_t> 1 | <uint64_t> 1 << e.size - 1) * (1 | <uint64_t> 1 << 8 * (e.size - 1))
    cdef int i, x
    for i in range(n):
        x = choices[i].square
        if x == table_square:
            choices[i].score = 1 << 28
            continue
        next_own = enemy ^ choices[i].flips
        next_enemy = own ^ (choices[i].flips | choices[i].disc)
        replies = moves_of(next_own, next_enemy, e.squares)
        choices[i].score = -36 * (count_bits(replies) + count_bits(replies & corners))
        choices[i].score -= 6 * count_bits(around(next_enemy) & e.squares & ~(next_own | next_enemy))
        if choices[i].disc & corners:
            choices[i].score += 40
        if parity & quadrant(x):
            choices[i].score += 12


cdef int deep(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
              int n_empty, int parity) noexcept nogil:
    """Return the score if it lies between alpha and beta, otherwise a bound that is at most alpha or at least beta."""
    cdef choice_t[CHOICES_ROOM] choices
    cdef choice_t* choice
    cdef bounds_t* entry
    cdef uint64_t legal, next_own, next_enemy
    cdef int i, n, score, high, floor = alpha, best = WORST, best_square = NO_SQUARE

    if n_empty <= SHALLOW:
        return shallow(e, own, enemy, alpha, beta, n_empty, parity)
    e.limits.nodes += 1
    e.deep_nodes += 1
    if e.deep_nodes & CHECK_EVERY - 1 == 0 and must_stop(&e.limits):
        return 0

    # 1. The score cannot exceed what the enemy's stable discs leave
    if alpha >= e.n_squares - 2 * count_bits(enemy):
        high = e.n_squares - 2 * count_bits(stable_discs(enemy, own, e.squares, e.size))
        if high <= alpha:
            return high

    # 2. The table's bounds
    entry = find(&e.table, own, enemy)
    if entry != NULL:
        if entry.low >= beta or entry.low == entry.high:
            return entry.low
        if entry.high <= alpha:
            return entry.high
        best_square = entry.square

    # 3. A pass, the end of the game
    legal = moves_of(own, enemy, e.squares)
    if legal == 0:
        if moves_of(enemy, own, e.squares) == 0:
            return final_difference(e.n_squares, own, enemy)
        return -deep(e, enemy, own, -beta, -alpha, n_empty, parity)

    # 4. Enhanced transposition cutoff: a move leads to a position whose bound is good enough
    n = list_choices(choices, own, enemy, legal)
    if n_empty > SHALLOW + 1:
        for i in range(n):
            entry = find(&e.table, enemy ^ choices[i].flips, own ^ (choices[i].flips | choices[i].disc))
            if entry != NULL and -entry.high >= beta:
                return -entry.high

    # 5. The moves, best first: the first in the full window, the others in a scout window until one is better
    order(e, choices, n, own, enemy, parity, best_square)
    for i in range(n):
        choice = take_best(choices, i, n)
        next_own, next_enemy = enemy ^ choice.flips, own ^ (choice.flips | choice.disc)
        if i == 0 or beta - alpha == 1:
            score = -deep(e, next_own, next_enemy, -beta, -alpha, n_empty - 1, parity ^ quadrant(choice.square))
        else:
            score = -deep(e, next_own, next_enemy, -alpha - 1, -alpha, n_empty - 1, parity ^ quadrant(choice.square))
            if alpha < score < beta:
                score = -deep(e, next_own, next_enemy, -beta, -score, n_empty - 1, parity ^ quadrant(choice.square))
        if e.limits.ending:
            return 0
        if score > best:
            best, best_square = score, choice.square
            if best > alpha:
                alpha = best
                if alpha >= beta:
                    break
    keep(&e.table, own, enemy, n_empty, floor, beta, best, best_square)
    return best


# The root

cdef class EndgameSolver(LimitedSearch):
    """A solver of one Othello position."""

    cdef endgame_t* e
    cdef readonly Othello position
    cdef readonly int score
    cdef readonly int square            # of the best move, or PASS
    cdef uint64_t own
    cdef uint64_t enemy

    def __cinit__(self, Othello position not None, int64_t memory=1 << 28):
        cdef const state_t* state = <const state_t*> position.state()
        cdef int n_empty = count_bits(state.squares & ~(state.own | state.enemy))
        cdef int64_t bucket_size = BUCKET * sizeof(bounds_t)
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to solve")
        self.position = position.copy()
        self.own, self.enemy = state.own, state.enemy
        self.e = <endgame_t*> calloc(1, sizeof(endgame_t))
        if self.e == NULL:
            raise MemoryError("no memory for the solver")
        self.own_limits(&self.e.limits, 1)     # `deep` decides when to check
        self.e.squares, self.e.size, self.e.n_squares = state.squares, state.size, state.size * state.size
        # buckets grow with the number of positions, so that small endgames clear little memory
        if not open_buckets(&self.e.table, min(buckets_within(memory, bucket_size), <uint64_t> 1 << n_empty),
                            bucket_size):
            raise MemoryError("no memory for the table; try less with memory=")

    def __dealloc__(self):
        if self.e != NULL:
            close_buckets(&self.e.table)
        free(self.e)

    @property
    def bytes(self):
        """Bytes that the table takes."""
        return buckets_bytes(&self.e.table)

    def run(self, int low, int high, seconds=None, nodes=None, only=None):
        """Search the root's moves between these scores. Returns why it ended: solved, seconds, nodes or stopped.

        `nodes` counts all nodes of this solver so far, `seconds` runs from this call. Sets `square`, the best move
        (or PASS), and `score`, which is only a bound if it is not between low and high. With `only`, the square of
        a legal move, no other move is searched.
        """
        cdef uint64_t among = ~<uint64_t> 0
        if only is not None:
            among = <uint64_t> 1 << <int> only
        self.begin()
        try:
            self.set_limits(seconds, nodes, 0)
            with nogil:
                self.search_root(low, high, among)
            self.raise_failure()
        finally:
            self.end()
        return self.reason() if self.limits.ending else "solved"

    cdef void search_root(self, int low, int high, uint64_t among) noexcept nogil:
        """Search the root's moves among these squares as `deep` does, but keep the best so far if a limit is met."""
        cdef endgame_t* e = self.e
        cdef choice_t[CHOICES_ROOM] choices
        cdef choice_t* choice
        cdef uint64_t empty = e.squares & ~(self.own | self.enemy)
        cdef uint64_t legal = moves_of(self.own, self.enemy, e.squares)
        cdef int i, n, score, alpha = low, n_empty = count_bits(empty), parity = parity_of(empty)
        self.score, self.square = WORST, PASS
        if legal == 0:
            score = -deep(e, self.enemy, self.own, -high, -low, n_empty, parity)
            if not self.limits.ending:
                self.score = score
            return
        n = list_choices(choices, self.own, self.enemy, legal & among)
        order(e, choices, n, self.own, self.enemy, parity, NO_SQUARE)
        for i in range(n):
            choice = take_best(choices, i, n)
            if i == 0:
                self.square = choice.square
            score = self.score_of(choice, alpha, high, n_empty, parity, i > 0)
            if self.limits.ending:
                return
            if score > self.score:
                self.score = score
                self.square = choice.square
                alpha = max(alpha, score)
                if alpha >= high:
                    return

    cdef int score_of(self, const choice_t* choice, int alpha, int high,
                      int n_empty, int parity, bint scout) noexcept nogil:
        cdef endgame_t* e = self.e
        cdef uint64_t own = self.enemy ^ choice.flips, enemy = self.own ^ (choice.flips | choice.disc)
        cdef int score
        parity ^= quadrant(choice.square)
        if scout:
            score = -deep(e, own, enemy, -alpha - 1, -alpha, n_empty - 1, parity)
            if self.limits.ending or not alpha < score < high:
                return score
        return -deep(e, own, enemy, -high, -alpha, n_empty - 1, parity)

    def line(self, int score, bint outcome_only):
        """Return the moves of best play from the root, whose score is known, until a limit of the last run is met.

        With outcome_only the score is 1, 0 or -1 for a win, draw or loss, and each move need only keep that.
        """
        self.begin()
        try:
            return self.follow(score, outcome_only)
        finally:
            self.end()

    cdef list follow(self, int score, bint outcome_only):
        cdef endgame_t* e = self.e
        cdef choice_t[CHOICES_ROOM] choices
        cdef choice_t* choice
        cdef bounds_t* entry
        cdef uint64_t own = self.own, enemy = self.enemy, legal, empty, flips
        cdef int i, n, found, parity, target
        moves = []
        while not self.limits.ending:
            legal = moves_of(own, enemy, e.squares)
            if legal == 0:
                if moves_of(enemy, own, e.squares) == 0:
                    break
                moves.append(PASS)
                own, enemy, score = enemy, own, -score
                continue
            empty = e.squares & ~(own | enemy)
            parity = parity_of(empty)
            entry = find(&e.table, own, enemy)
            n = list_choices(choices, own, enemy, legal)
            order(e, choices, n, own, enemy, parity, NO_SQUARE if entry == NULL else entry.square)
            found = -1
            target = -e.n_squares if outcome_only and score < 0 else score      # a lost game: any move
            for i in range(n):
                choice = take_best(choices, i, n)
                flips = choice.flips
                if target > -e.n_squares:
                    with nogil:
                        found = deep(e, enemy ^ flips, own ^ (flips | choice.disc), -target, -target + 1,
                                     count_bits(empty) - 1, parity ^ quadrant(choice.square))
                if self.limits.ending or target == -e.n_squares or found <= -target:
                    break
            self.raise_failure()
            if self.limits.ending:
                break
            moves.append(choice.square)
            own, enemy, score = enemy ^ flips, own ^ (flips | choice.disc), -score
        return moves


# The finisher

cdef int64_t NEVER = 0                  # a count of `stop` that nobody changes


cdef void* open_finisher() noexcept nogil:
    cdef endgame_t* e = <endgame_t*> calloc(1, sizeof(endgame_t))
    if e == NULL:
        return NULL
    if not open_buckets(&e.table, FINISHER_BUCKETS, BUCKET * sizeof(bounds_t)):
        free(e)
        return NULL
    e.limits.deadline = e.limits.listened = INFINITY        # a call is too short to be stopped
    e.limits.node_limit, e.limits.stops = <int64_t> 1 << 62, &NEVER
    return e


cdef void close_finisher(void* memory) noexcept nogil:
    if memory != NULL:
        close_buckets(&(<endgame_t*> memory).table)
    free(memory)


cdef int finish(void* memory, const void* s, int* plies, int64_t* nodes) noexcept nogil:
    cdef endgame_t* e = <endgame_t*> memory
    cdef const state_t* state = <const state_t*> s
    cdef uint64_t empty = state.squares & ~(state.own | state.enemy)
    cdef int n_empty = count_bits(empty), score
    if n_empty > FINISHED:
        return FAR
    e.squares, e.size, e.n_squares = state.squares, state.size, state.size * state.size
    e.limits.nodes = 0
    score = deep(e, state.own, state.enemy, -1, 1, n_empty, parity_of(empty))
    nodes[0] += e.limits.nodes
    plies[0] = 2 * n_empty              # after each disc a pass
    return (score > 0) - (score < 0)


cdef finisher_t OTHELLO
OTHELLO.open, OTHELLO.close, OTHELLO.finish = open_finisher, close_finisher, finish

cdef Finisher made = Finisher()
made.c = &OTHELLO
FINISHER = made
