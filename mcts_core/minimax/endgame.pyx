"""Exact Othello endgames: the disc difference under best play, empty squares going to the winner.

Alpha-beta to the very end, by the number of empty squares left:

1. the root: principal variation search over its moves, then the line (`EndgameSolver`)
2. many: table, stability cutoff, moves that leave few replies first (`deep`)
3. 5 to 7: no table, squares of quadrants with an odd number of empty squares first (`shallow`)
4. 4 to 1: no move generation, the squares by name (`last_four` ... `last_one`)

Scores are seen by the side to move. `parity` has a bit for each quadrant of the board, set if its
empty squares are odd in number: playing there first tends to get the last move of the quadrant.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from mcts_core.base.atomics cimport load, store
from mcts_core.base.bits cimport count_bits, first_bit
from mcts_core.base.clock cimport seconds_now
from mcts_core.base.aligned_memory cimport pages_give_back, pages_take
from mcts_core.games.othello cimport PASS, Othello, state_t
from mcts_core.games.othello_board cimport fill_rays, flips_of, moves_of
from mcts_core.evaluation.othello_eval cimport around
from mcts_core.minimax.othello_order cimport CHOICES_ROOM, choice_t, list_choices, take_best
from mcts_core.games.othello_stability cimport stable_discs

from mcts_core.errors import BadPosition

cdef enum:
    SHALLOW = 7                         # empty squares from which on there is no table
    CHECK_EVERY = 1024                  # deep nodes between two looks at the clock: about a millisecond
    NO_SQUARE = 255
    WORST = -127

cdef struct bounds_t:                   # an entry of the table
    uint64_t own
    uint64_t enemy
    int8_t low                          # on the score
    int8_t high
    uint8_t square                      # of the best move
    uint8_t empties

cdef struct endgame_t:
    uint64_t squares                    # of the board
    int n_squares
    int size
    bounds_t* table
    uint64_t n_buckets                  # of two entries; a power of two
    int64_t nodes
    int64_t node_limit
    int64_t until_check                 # deep nodes
    int64_t stop_flag
    double deadline
    double checked
    bint stopped                        # unwind: what is returned is void
    const char* reason
    void* owner

cdef uint64_t[16] ODD                   # by parity: the squares of the odd quadrants
cdef uint8_t[64] QUADRANT               # the bit of a square's quadrant
cdef uint64_t[64] NEAR                  # the squares next to a square

fill_rays()


cdef void fill_tables() noexcept:
    """The quadrants of 8x8 serve the smaller boards too: parity is a hint, not a rule."""
    cdef int square, parity
    for square in range(64):
        QUADRANT[square] = 1 << (square >> 5 & 1) * 2 + (square >> 2 & 1)
        NEAR[square] = around(<uint64_t> 1 << square) & ~(<uint64_t> 1 << square)
        for parity in range(16):
            if parity & QUADRANT[square]:
                ODD[parity] |= <uint64_t> 1 << square

fill_tables()


# The last squares

cdef inline int final_difference(int n_squares, uint64_t own, uint64_t enemy) noexcept nogil:
    cdef int n_own = count_bits(own), n_enemy = count_bits(enemy), lead = n_own - n_enemy
    cdef int empty = n_squares - n_own - n_enemy
    return lead + empty if lead > 0 else lead - empty if lead < 0 else 0


cdef inline int last_one(endgame_t* e, uint64_t own, uint64_t enemy, int x) noexcept nogil:
    cdef int lead = 2 * count_bits(own) - e.n_squares + 1       # with x empty
    cdef int flipped
    e.nodes += 1
    flipped = count_bits(flips_of(own, enemy, x))
    if flipped:
        return lead + 2 * flipped + 1
    flipped = count_bits(flips_of(enemy, own, x))
    if flipped:
        return lead - 2 * flipped - 1
    return lead + 1 if lead > 0 else lead - 1


cdef int last_two(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta, int x, int y) noexcept nogil:
    cdef uint64_t flips
    cdef int score, best = WORST
    e.nodes += 1
    if NEAR[x] & enemy:
        flips = flips_of(own, enemy, x)
        if flips:
            best = -last_one(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, y)
            if best >= beta:
                return best
    if NEAR[y] & enemy:
        flips = flips_of(own, enemy, y)
        if flips:
            score = -last_one(e, enemy ^ flips, own | flips | <uint64_t> 1 << y, x)
            return max(best, score)
    if best > WORST:
        return best
    best = -WORST                                               # own passes
    flips = flips_of(enemy, own, x)
    if flips:
        best = last_one(e, own ^ flips, enemy | flips | <uint64_t> 1 << x, y)
        if best <= alpha:
            return best
    flips = flips_of(enemy, own, y)
    if flips:
        score = last_one(e, own ^ flips, enemy | flips | <uint64_t> 1 << y, x)
        return min(best, score)
    return best if best < -WORST else final_difference(e.n_squares, own, enemy)


cdef int last_three(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
                    int x, int y, int z, bint passed) noexcept nogil:
    """The square that is alone in its quadrant first."""
    cdef uint64_t flips
    cdef int score, best = WORST
    e.nodes += 1
    if QUADRANT[x] == QUADRANT[z]:
        x, y = y, x
    elif QUADRANT[x] == QUADRANT[y]:
        x, z = z, x
    if NEAR[x] & enemy:
        flips = flips_of(own, enemy, x)
        if flips:
            best = -last_two(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, -beta, -alpha, y, z)
            if best >= beta:
                return best
    if NEAR[y] & enemy:
        flips = flips_of(own, enemy, y)
        if flips:
            score = -last_two(e, enemy ^ flips, own | flips | <uint64_t> 1 << y, -beta, -max(alpha, best), x, z)
            if score >= beta:
                return score
            best = max(best, score)
    if NEAR[z] & enemy:
        flips = flips_of(own, enemy, z)
        if flips:
            score = -last_two(e, enemy ^ flips, own | flips | <uint64_t> 1 << z, -beta, -max(alpha, best), x, y)
            best = max(best, score)
    if best > WORST:
        return best
    if passed:
        return -final_difference(e.n_squares, enemy, own)
    return -last_three(e, enemy, own, -beta, -alpha, x, y, z, True)


cdef int last_four(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
                   uint64_t empty, int parity, bint passed) noexcept nogil:
    """Squares of odd quadrants first."""
    cdef int[4] squares
    cdef uint64_t flips, part = empty & ODD[parity]
    cdef int i, x, score, best = WORST
    e.nodes += 1
    for i in range(4):
        if part == 0:
            part = empty & ~ODD[parity]
        squares[i] = first_bit(part)
        part &= part - 1
        if part == 0 and i < 3 and ODD[parity] >> squares[i] & 1:
            part = empty & ~ODD[parity]
    for _ in range(4):
        x = squares[0]
        if NEAR[x] & enemy:
            flips = flips_of(own, enemy, x)
            if flips:
                score = -last_three(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, -beta, -max(alpha, best),
                                    squares[1], squares[2], squares[3], False)
                if score > best:
                    best = score
                    if best >= beta:
                        return best
        squares[0], squares[1], squares[2], squares[3] = squares[1], squares[2], squares[3], x
    if best > WORST:
        return best
    if passed:
        return -final_difference(e.n_squares, enemy, own)
    return -last_four(e, enemy, own, -beta, -alpha, empty, parity, True)


cdef int shallow(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
                 int n_empty, int parity) noexcept nogil:
    """Five to seven empty squares."""
    cdef uint64_t flips, legal, part, empty = e.squares & ~(own | enemy)
    cdef int half, x, score, best = WORST
    if n_empty <= 4:
        return small(e, own, enemy, alpha, beta, n_empty, parity)
    e.nodes += 1
    legal = moves_of(own, enemy, e.squares)
    if legal == 0:
        if moves_of(enemy, own, e.squares) == 0:
            return final_difference(e.n_squares, own, enemy)
        return -shallow(e, enemy, own, -beta, -alpha, n_empty, parity)
    for half in range(2):
        part = legal & (~ODD[parity] if half else ODD[parity])
        while part:
            x = first_bit(part)
            part &= part - 1
            flips = flips_of(own, enemy, x)
            if n_empty == 5:
                score = -last_four(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, -beta, -max(alpha, best),
                                   empty ^ <uint64_t> 1 << x, parity ^ QUADRANT[x], False)
            else:
                score = -shallow(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, -beta, -max(alpha, best),
                                 n_empty - 1, parity ^ QUADRANT[x])
            if score > best:
                best = score
                if best >= beta:
                    return best
    return best


cdef int small(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
               int n_empty, int parity) noexcept nogil:
    """Four empty squares or fewer."""
    cdef uint64_t empty = e.squares & ~(own | enemy)
    cdef int x, y
    if n_empty == 4:
        return last_four(e, own, enemy, alpha, beta, empty, parity, False)
    if n_empty == 0:
        return final_difference(e.n_squares, own, enemy)
    x = first_bit(empty)
    empty &= empty - 1
    if n_empty == 1:
        return last_one(e, own, enemy, x)
    y = first_bit(empty)
    if n_empty == 2:
        return last_two(e, own, enemy, alpha, beta, x, y)
    return last_three(e, own, enemy, alpha, beta, x, y, first_bit(empty & empty - 1), False)


# The table

cdef inline bounds_t* bucket_of(const endgame_t* e, uint64_t own, uint64_t enemy) noexcept nogil:
    cdef uint64_t mixed = (own * <uint64_t> 0x9E3779B97F4A7C15) ^ ((enemy ^ own >> 29) * <uint64_t> 0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ mixed >> 32) * <uint64_t> 0x9E3779B97F4A7C15
    return &e.table[2 * (mixed >> 32 & e.n_buckets - 1)]


cdef inline bounds_t* find(const endgame_t* e, uint64_t own, uint64_t enemy) noexcept nogil:
    cdef bounds_t* entry = bucket_of(e, own, enemy)
    if entry.own == own and entry.enemy == enemy:
        return entry
    entry += 1
    return entry if entry.own == own and entry.enemy == enemy else NULL


cdef void keep(endgame_t* e, uint64_t own, uint64_t enemy, int n_empty, int alpha, int beta,
               int score, int square) noexcept nogil:
    """The first entry of a bucket keeps the larger subtree, the second takes what is new."""
    cdef bounds_t* entry = bucket_of(e, own, enemy)
    if entry.own != own or entry.enemy != enemy:
        if entry.empties > n_empty or (entry[1].own == own and entry[1].enemy == enemy):
            entry += 1
        else:
            entry[1] = entry[0]
    if entry.own != own or entry.enemy != enemy:
        entry.own, entry.enemy, entry.empties = own, enemy, n_empty
        entry.low, entry.high = WORST, -WORST
        entry.square = NO_SQUARE
    if score > alpha:
        entry.low = score
        entry.square = square
    if score < beta:
        entry.high = score
    if entry.square == NO_SQUARE:
        entry.square = square


# Many squares

cdef bint must_stop(endgame_t* e) noexcept nogil:
    """Look at the limits, and about every millisecond for Ctrl-C."""
    cdef double now = seconds_now()
    e.until_check = CHECK_EVERY
    if load(&e.stop_flag):
        e.stopped, e.reason = True, "stopped"
    if now >= e.deadline:
        e.stopped, e.reason = True, "seconds"
    if e.nodes >= e.node_limit:
        e.stopped, e.reason = True, "nodes"
    if now - e.checked >= 1e-3 and not e.stopped:
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException as failure:
                (<EndgameSolver> e.owner).failure = failure
                e.stopped = True
        e.checked = seconds_now()               # another thread of Python may have kept this one waiting
    return e.stopped


cdef void order(endgame_t* e, choice_t* choices, int n, uint64_t own, uint64_t enemy,
                int parity, int table_square) noexcept nogil:
    """The table's move, then few replies (corners twice), stable corners, odd quadrants."""
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
        if parity & QUADRANT[x]:
            choices[i].score += 12


cdef int deep(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
              int n_empty, int parity) noexcept nogil:
    """The score if it lies between alpha and beta; else a bound on it beyond the one it passes."""
    cdef choice_t[CHOICES_ROOM] choices
    cdef choice_t* choice
    cdef bounds_t* entry
    cdef uint64_t legal, next_own, next_enemy
    cdef int i, n, score, high, floor = alpha, best = WORST, best_square = NO_SQUARE

    if n_empty <= SHALLOW:
        return shallow(e, own, enemy, alpha, beta, n_empty, parity)
    e.nodes += 1
    e.until_check -= 1
    if e.until_check <= 0 and must_stop(e):
        return 0

    # 1. Not more than is left when the enemy's stable discs are counted
    if alpha >= e.n_squares - 2 * count_bits(enemy):
        high = e.n_squares - 2 * count_bits(stable_discs(enemy, own, e.squares, e.size))
        if high <= alpha:
            return high

    # 2. The table answers
    entry = find(e, own, enemy)
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

    # 4. A move into a position that is known to be good enough
    n = list_choices(choices, own, enemy, legal)
    if n_empty > SHALLOW + 1:
        for i in range(n):
            entry = find(e, enemy ^ choices[i].flips, own ^ (choices[i].flips | choices[i].disc))
            if entry != NULL and -entry.high >= beta:
                return -entry.high

    # 5. The moves, best first; others than the first to show they are no better
    order(e, choices, n, own, enemy, parity, best_square)
    for i in range(n):
        choice = take_best(choices, i, n)
        next_own, next_enemy = enemy ^ choice.flips, own ^ (choice.flips | choice.disc)
        if i == 0 or beta - alpha == 1:
            score = -deep(e, next_own, next_enemy, -beta, -alpha, n_empty - 1, parity ^ QUADRANT[choice.square])
        else:
            score = -deep(e, next_own, next_enemy, -alpha - 1, -alpha, n_empty - 1, parity ^ QUADRANT[choice.square])
            if alpha < score < beta:
                score = -deep(e, next_own, next_enemy, -beta, -score, n_empty - 1, parity ^ QUADRANT[choice.square])
        if e.stopped:
            return 0
        if score > best:
            best, best_square = score, choice.square
            if best > alpha:
                alpha = best
                if alpha >= beta:
                    break
    keep(e, own, enemy, n_empty, floor, beta, best, best_square)
    return best


cdef int parity_of(uint64_t empty) noexcept nogil:
    cdef int parity = 0
    while empty:
        parity ^= QUADRANT[first_bit(empty)]
        empty &= empty - 1
    return parity


# The root

cdef inline int64_t table_bytes(const endgame_t* e) noexcept nogil:
    return 2 * e.n_buckets * sizeof(bounds_t)


cdef class EndgameSolver:
    """Solves one position."""

    cdef endgame_t* e
    cdef readonly Othello position
    cdef readonly int score
    cdef readonly int square            # of the best move, or PASS
    cdef uint64_t own
    cdef uint64_t enemy
    cdef object failure

    def __cinit__(self, Othello position not None, int64_t memory=1 << 28):
        cdef const state_t* state = <const state_t*> position.state()
        cdef int n_empty = count_bits(state.squares & ~(state.own | state.enemy))
        cdef uint64_t wanted = 1
        if position.is_over:
            raise BadPosition("this game is over, so there is nothing to solve")
        self.position = position.copy()
        self.own, self.enemy = state.own, state.enemy
        self.e = <endgame_t*> calloc(1, sizeof(endgame_t))
        if self.e == NULL:
            raise MemoryError("no memory for the solver")
        self.e.squares, self.e.size, self.e.n_squares = state.squares, state.size, state.size * state.size
        self.e.owner = <void*> self
        # about as many as there are positions to keep, so that small endgames clear little memory
        while 2 * 2 * wanted * sizeof(bounds_t) <= <uint64_t> memory and wanted < <uint64_t> 1 << max(0, n_empty):
            wanted *= 2
        self.e.n_buckets = wanted
        self.e.table = <bounds_t*> pages_take(table_bytes(self.e))
        if self.e.table == NULL:
            raise MemoryError("no memory for the table; try less with memory=")

    def __dealloc__(self):
        if self.e != NULL and self.e.table != NULL:
            pages_give_back(self.e.table, table_bytes(self.e))
        free(self.e)

    def stop(self):
        """Make `run` return soon, from another thread."""
        store(&self.e.stop_flag, 1)

    @property
    def nodes(self):
        return self.e.nodes

    @property
    def bytes(self):
        return table_bytes(self.e)

    def run(self, int low, int high, seconds=None, nodes=None):
        """Search the root's moves between these scores; tells why it ended: solved, seconds, nodes, stopped.

        What it found is in `score`, which is a bound where it is not between low and high, and in
        `square`, the best move (or PASS).
        """
        cdef endgame_t* e = self.e
        e.stopped = False
        e.deadline = INFINITY if seconds is None else seconds_now() + <double> seconds
        e.node_limit = (<int64_t> 1 << 62) if nodes is None else <int64_t> nodes
        e.checked = seconds_now()
        e.until_check = CHECK_EVERY
        with nogil:
            self.search_root(low, high)
        self.raise_failure()
        return e.reason.decode() if e.stopped else "solved"

    cdef int raise_failure(self) except -1:
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        return 0

    cdef void search_root(self, int low, int high) noexcept nogil:
        """As `deep`, but what was found before a limit was met is kept."""
        cdef endgame_t* e = self.e
        cdef choice_t[CHOICES_ROOM] choices
        cdef choice_t* choice
        cdef uint64_t empty = e.squares & ~(self.own | self.enemy)
        cdef uint64_t legal = moves_of(self.own, self.enemy, e.squares)
        cdef int i, n, score, alpha = low, n_empty = count_bits(empty), parity = parity_of(empty)
        self.score, self.square = WORST, PASS
        if legal == 0:
            score = -deep(e, self.enemy, self.own, -high, -low, n_empty, parity)
            if not e.stopped:
                self.score = score
            return
        n = list_choices(choices, self.own, self.enemy, legal)
        order(e, choices, n, self.own, self.enemy, parity, NO_SQUARE)
        for i in range(n):
            choice = take_best(choices, i, n)
            if i == 0:
                self.square = choice.square
            score = self.score_of(choice, alpha, high, n_empty, parity, i > 0)
            if e.stopped:
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
        parity ^= QUADRANT[choice.square]
        if scout:
            score = -deep(e, own, enemy, -alpha - 1, -alpha, n_empty - 1, parity)
            if e.stopped or not alpha < score < high:
                return score
        return -deep(e, own, enemy, -high, -alpha, n_empty - 1, parity)

    def line(self, int score, bint outcome_only):
        """The moves of best play from the root, whose score is known, until a limit is met.

        With outcome_only the score is 1, 0 or -1 for a win, draw or loss, and each move keeps that.
        """
        cdef endgame_t* e = self.e
        cdef choice_t[CHOICES_ROOM] choices
        cdef choice_t* choice
        cdef bounds_t* entry
        cdef uint64_t own = self.own, enemy = self.enemy, legal, empty, flips
        cdef int i, n, found, parity, target
        moves = []
        while not e.stopped:
            legal = moves_of(own, enemy, e.squares)
            if legal == 0:
                if moves_of(enemy, own, e.squares) == 0:
                    break
                moves.append(PASS)
                own, enemy, score = enemy, own, -score
                continue
            empty = e.squares & ~(own | enemy)
            parity = parity_of(empty)
            entry = find(e, own, enemy)
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
                                     count_bits(empty) - 1, parity ^ QUADRANT[choice.square])
                if e.stopped or target == -e.n_squares or found <= -target:
                    break
            self.raise_failure()
            if e.stopped:
                break
            moves.append(choice.square)
            own, enemy, score = enemy ^ flips, own ^ (flips | choice.disc), -score
        return moves
