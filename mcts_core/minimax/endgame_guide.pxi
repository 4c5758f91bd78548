"""What an evaluation adds to exact Othello endgames. Included by `endgame_search.pyx`.

1. a look: the score that the evaluation predicts, some plies ahead (`look`)
2. the order of moves, by looks (`order_by_looks`)
3. selective passes: a position counts as settled if a look is far enough outside the window (`predicts`)
4. the score around which the first pass searches (`predicted_score`)

The evaluation, the "guide", reads planes only, and its scores are discs times `point`.
"""
cdef enum:
    PREDICTED = 11                      # empty squares from which selective passes trust looks
    PREDICTED_DEPTH = 2                 # plies of these looks

# By certainty: how far outside the window a look must be, in discs
cdef double[2] SPREADS
SPREADS[:] = [5.0, 11.0]


cdef int look(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta, int depth) noexcept nogil:
    """Return the guide's score some plies ahead, by plain alpha-beta."""
    cdef choice_t[CHOICES_ROOM] choices
    cdef choice_t* choice
    cdef uint64_t next_own, next_enemy, legal = moves_of(own, enemy, e.squares)
    cdef int i, n, score, best = -FAR_BEYOND
    if legal == 0:
        if moves_of(enemy, own, e.squares) == 0:
            return e.point * final_difference(e.n_squares, own, enemy)
        return -look(e, enemy, own, -beta, -alpha, depth)
    if depth == 0:
        e.state.own, e.state.enemy = own, enemy
        return score_of(e.guide, e.game, &e.state)
    n = list_choices(choices, own, enemy, legal)
    for i in range(n):
        choices[i].score = 0
        if depth > 1:                   # moves with few replies first
            next_own, next_enemy = enemy ^ choices[i].flips, own ^ (choices[i].flips | choices[i].disc)
            choices[i].score = -count_bits(moves_of(next_own, next_enemy, e.squares))
    for i in range(n):
        choice = take_best(choices, i, n)
        next_own, next_enemy = enemy ^ choice.flips, own ^ (choice.flips | choice.disc)
        score = -look(e, next_own, next_enemy, -beta, -max(alpha, best), depth - 1)
        if score > best:
            best = score
            if best >= beta:
                break
    return best


cdef inline int look_depth(int n_empty) noexcept nogil:
    """Return how many plies to look ahead to order moves: a ply more for each three empty squares from 15."""
    return max(0, min((n_empty - 12) // 3, 4))


cdef void order_by_looks(endgame_t* e, choice_t* choices, int n, uint64_t own, uint64_t enemy,
                         int n_empty, int parity, int table_square) noexcept nogil:
    """Score the moves: the table's move first, then by looks, replies (corners count twice), empty squares beside
    the own discs and odd quadrants. A reply weighs as much as 1.5 discs."""
    cdef uint64_t next_own, next_enemy, replies, corners = corners_of(e)
    cdef int i, depth = look_depth(n_empty)
    for i in range(n):
        if choices[i].square == table_square:
            choices[i].score = 1 << 28
            continue
        next_own, next_enemy = enemy ^ choices[i].flips, own ^ (choices[i].flips | choices[i].disc)
        replies = moves_of(next_own, next_enemy, e.squares)
        choices[i].score = -look(e, next_own, next_enemy, -FAR_BEYOND, FAR_BEYOND, depth)
        choices[i].score -= 3 * e.point * (count_bits(replies) + count_bits(replies & corners)) // 2
        choices[i].score -= e.point * count_bits(around(next_enemy) & e.squares & ~(next_own | next_enemy)) // 4
        if parity & quadrant(choices[i].square):
            choices[i].score += e.point // 4


cdef bint predicts(endgame_t* e, uint64_t own, uint64_t enemy, int beta, int* score) noexcept nogil:
    """Return whether a look settles a position in a selective pass, and the bound that it gives.

    A look at the position itself decides which bound is worth a deeper look.
    """
    cdef int spread = <int> (SPREADS[e.certainty] * e.point)
    cdef int middle = e.point * (beta - 1)      # scores are even: if beta is, they lie a disc below or above
    cdef int seen = look(e, own, enemy, -FAR_BEYOND, FAR_BEYOND, 0)
    if seen >= middle + spread // 2:
        spread += middle
        if look(e, own, enemy, spread - 1, spread, PREDICTED_DEPTH) >= spread:
            score[0] = beta
            return True
    elif seen <= middle - spread // 2:
        spread = middle - spread
        if look(e, own, enemy, spread, spread + 1, PREDICTED_DEPTH) <= spread:
            score[0] = beta - 1
            return True
    return False


cdef int predicted_score(endgame_t* e) noexcept nogil:
    """Return the score of the root that a look at its moves predicts."""
    cdef choice_t[CHOICES_ROOM] choices
    cdef uint64_t flips, legal = moves_of(e.own, e.enemy, e.squares) & e.among
    cdef int i, score, best = -FAR_BEYOND
    if legal == 0:
        best = look(e, e.own, e.enemy, -FAR_BEYOND, FAR_BEYOND, 3)
    for i in range(list_choices(choices, e.own, e.enemy, legal)):
        flips = choices[i].flips
        score = -look(e, e.enemy ^ flips, e.own ^ (flips | choices[i].disc), -FAR_BEYOND, -best, 3)
        best = max(best, score)
    return even(best // e.point)
