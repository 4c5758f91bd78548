"""Exact Othello endgames with more empty squares than `shallow`: one position. Included by `endgame_search.pyx`.

Threads share the table, search the same position and share out its moves (`sharing.pxd`). About every millisecond
a thread checks whether another has settled a position of its line, and if so returns there.
"""
cdef enum:
    # Nodes of `deep` between two checks of the limits: about a millisecond. Shallow nodes do not check, because a
    # check would take a large part of their time.
    CHECK_EVERY = 1024
    SHARED = 13                         # empty squares from which threads share out moves


# Moves

cdef inline uint64_t corners_of(const endgame_t* e) noexcept nogil:
    return (<uint64_t> 1 | <uint64_t> 1 << e.size - 1) * (1 | <uint64_t> 1 << 8 * (e.size - 1))


cdef void order(endgame_t* e, choice_t* choices, int n, uint64_t own, uint64_t enemy,
                int parity, int table_square) noexcept nogil:
    """Score the moves: the table's move first, then by replies (corners count twice), empty squares beside the own
    discs, corners and odd quadrants."""
    cdef uint64_t next_own, next_enemy, replies, corners = corners_of(e)
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


cdef inline bint is_guided(const endgame_t* e, int n_empty) noexcept nogil:
    """Return whether looks order the moves: there is a guide, and enough is left to search."""
    return e.guide != NULL and n_empty >= GUIDED


# Other threads

cdef inline uint64_t key_of(uint64_t own, uint64_t enemy) noexcept nogil:
    """Return the number under which a position is marked."""
    return own ^ enemy * <uint64_t> 0xC2B2AE3D27D4EB4F


cdef bint is_settled_above(endgame_t* e) noexcept nogil:
    """Look for a position of this thread's line that another thread has settled: the first one into `settled`."""
    cdef bounds_t known
    cdef const open_t* position
    cdef int i
    if e.shared == NULL:
        return False
    if load(&e.shared.finished):
        e.settled = ROOT
        return True
    for i in range(e.n_path):
        position = &e.path[i]
        if find(e.table, position.own, position.enemy, &known) and settles(e, &known, position.alpha, position.beta):
            e.settled = i
            return True
    return False


# A position

cdef inline buckets_t* table_for(endgame_t* e, int n_empty) noexcept nogil:
    return e.table if n_empty > NEAR_END else &e.near_end


cdef inline bint settles(const endgame_t* e, const bounds_t* known, int alpha, int beta) noexcept nogil:
    """Return whether a position's bounds are as good as a search between alpha and beta."""
    return known.certainty >= e.certainty and (known.low >= beta or known.high <= alpha or known.low == known.high)


cdef inline int search_moves(endgame_t* e, choice_t* choices, int n, uint64_t own, uint64_t enemy, int alpha, int beta,
                             int n_empty, int parity, bint is_shared, int* square) noexcept nogil:
    """Search moves that are ordered. Returns the best score, and the square of that move if there is one.

    The first is searched in the full window, the others in a scout window until one is better. If the thread must
    return, the score is that of the moves searched before.
    """
    cdef choice_t* choice
    cdef turns_t turns = turns_of(n)
    cdef uint64_t next_own, next_enemy
    cdef int next_parity, score, best = WORST
    cdef bint is_scout
    while next_turn(&turns):
        choice = &choices[turns.i] if turns.is_late else take_best(choices, turns.i, n)
        next_own, next_enemy = enemy ^ choice.flips, own ^ (choice.flips | choice.disc)
        if is_shared and wait_or_mark(&turns, &e.shared.marks, key_of(next_own, next_enemy)):
            continue
        next_parity = parity ^ quadrant(choice.square)
        is_scout = turns.i > 0 and beta - alpha > 1
        score = -deep(e, next_own, next_enemy, -alpha - 1 if is_scout else -beta, -alpha, n_empty - 1, next_parity)
        if is_scout and alpha < score < beta and not must_return(e):
            score = -deep(e, next_own, next_enemy, -beta, -score, n_empty - 1, next_parity)
        if is_shared:
            unmark(&e.shared.marks, key_of(next_own, next_enemy))
        if must_return(e):
            break
        if score > best:
            best, square[0] = score, choice.square
            if best > alpha:
                alpha = best
                if alpha >= beta:
                    break
    return best


cdef int deep(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
              int n_empty, int parity) noexcept nogil:
    """Return the score if it lies between alpha and beta, otherwise a bound that is at most alpha or at least beta."""
    cdef choice_t[CHOICES_ROOM] choices
    cdef bounds_t known
    cdef buckets_t* table
    cdef uint64_t legal
    cdef int i, n, score, high, best_square = NO_SQUARE
    cdef bint has_looks, is_shared

    if n_empty <= e.shallow:
        return shallow(e, own, enemy, alpha, beta, n_empty, parity)
    e.limits.nodes += 1
    e.deep_nodes += 1
    if e.deep_nodes & CHECK_EVERY - 1 == 0 and (must_stop(&e.limits) or is_settled_above(e)):
        return 0

    # 1. The score cannot exceed what the enemy's stable discs leave
    if alpha >= e.n_squares - 2 * count_bits(enemy):
        high = e.n_squares - 2 * count_bits(stable_discs(enemy, own, e.squares, e.size))
        if high <= alpha:
            return high

    # 2. The table's bounds
    table = table_for(e, n_empty)
    if find(table, own, enemy, &known):
        if settles(e, &known, alpha, beta):
            return known.low if known.low >= beta or known.low == known.high else known.high
        best_square = known.square

    # 3. A pass, the end of the game
    legal = moves_of(own, enemy, e.squares)
    if legal == 0:
        if moves_of(enemy, own, e.squares) == 0:
            return final_difference(e.n_squares, own, enemy)
        return -deep(e, enemy, own, -beta, -alpha, n_empty, parity)

    # 4. Enhanced transposition cutoff: a move leads to a position whose bound is good enough. The moves are ordered
    #    while the processor fetches the buckets; but not by looks, which take longer
    n = list_choices(choices, own, enemy, legal)
    has_looks = is_guided(e, n_empty)
    if n_empty > NEAR_END + 1:
        for i in range(n):
            prefetch_bucket(table, enemy ^ choices[i].flips, own ^ (choices[i].flips | choices[i].disc))
    if not has_looks:
        order(e, choices, n, own, enemy, parity, best_square)
    if n_empty > NEAR_END + 1:
        for i in range(n):
            if (find(table, enemy ^ choices[i].flips, own ^ (choices[i].flips | choices[i].disc), &known)
                    and known.certainty >= e.certainty and -known.high >= beta):
                return -known.high

    # 5. A selective pass: the guide predicts a score far outside the window
    if e.certainty < CERTAIN and n_empty >= PREDICTED and beta - alpha == 1 and predicts(e, own, enemy, beta, &score):
        return score

    # 6. The moves, best first
    if has_looks and n > 1:
        order_by_looks(e, choices, n, own, enemy, n_empty, parity, best_square)
    is_shared = e.shared != NULL and n_empty >= SHARED and n > 1
    if is_shared:
        e.path[e.n_path].own, e.path[e.n_path].enemy = own, enemy
        e.path[e.n_path].alpha, e.path[e.n_path].beta = alpha, beta
        e.n_path += 1
    score = search_moves(e, choices, n, own, enemy, alpha, beta, n_empty, parity, is_shared, &best_square)
    if is_shared:
        e.n_path -= 1
        if e.settled == e.n_path:       # here: the table has the score
            e.settled = NOWHERE
            return deep(e, own, enemy, alpha, beta, n_empty, parity)
    if must_return(e):
        return 0
    keep(table, own, enemy, n_empty, alpha, beta, score, best_square, e.certainty)
    return score
