"""Alpha-beta below the root: one position (`search`), and the leaves (`quiesce`).

A score is that of the mover. A search may be plain or selective. A plain one returns the value of the position at
the depth, as the search in `playout.reference` does. A selective one looks further where much happens and less far
where little does:

- tactics: `solve` of the game proves results a few plies early, and its finisher those near the end of the game;
- quiescence: leaves are evaluated after captures and the like, and hardly ever while the opponent threatens to win;
- reverse futility: a position whose evaluation is far above beta is not searched at low depth;
- late-move reductions: quiet moves that are sorted late are searched less deep, unless they turn out good.

Proven scores are right in both: reductions and evaluations never produce one.
"""
from libc.math cimport log, round as nearest
from libc.stdint cimport int16_t, uint32_t, uint64_t

from mcts_core.evaluator cimport score_of
from mcts_core.game cimport any_state_t, copy_state, drop_state, has_failed, is_result, is_threatened
from mcts_core.minimax.alphabeta_table cimport (
    AT_LEAST, AT_MOST, EXACT, NO_MOVE, found_t, find, keep, prefetch_bucket
)
from mcts_core.minimax.finisher cimport FAR
from mcts_core.minimax.limits cimport BY_FAILURE, must_stop
from mcts_core.minimax.sharing cimport next_turn, turns_of, turns_t, unmark, wait_or_mark

cdef enum:
    FUTILE_DEPTH = 6                    # plies: reverse futility is tried up to this depth
    REDUCED_DEPTH = 2                   # plies: late moves are reduced from this depth on
    FULL_MOVES = 2                      # moves that are searched to the full depth first
    SHARED_DEPTH = 4                    # plies: threads share out moves from this depth on
    MOST_HISTORY = 1 << 14

    FIRST = 1 << 30                     # ranks of moves, best first: the table's
    NOISY = 1 << 28                     # those that change much, in the game's order
    KILLER = 1 << 26                    # killers; then the others by history

cdef double FUTILE_SHARE = 60 / 256.0    # of the scale, a ply: by how much the evaluation must exceed beta
cdef (int[64])[64] REDUCTIONS           # by depth and number of the move; written once, at import


cdef void fill_reductions() noexcept:
    cdef int depth, i
    for depth in range(1, 64):
        for i in range(1, 64):
            REDUCTIONS[depth][i] = <int> (0.8 + log(depth) * log(i) / 1.4)

fill_reductions()


# Scores

cdef int final_score(search_t* s, const void* state, int ply) noexcept nogil:
    """Return the score of an ended game for its mover: a win early is better than a win late.

    A result between a loss and a win has the score that predicts it.
    """
    cdef double result = s.game.result(s.game, state)
    if s.game.turn(s.game, state) == 1:
        result = 1.0 - result
    if not is_result(result):
        return broken(s)
    if result == 1.0:
        return WON - ply
    if result == 0.0:
        return ply - WON
    return <int> max(1.0 - PROVEN, min(PROVEN - 1.0, nearest(s.evaluator.scale * log(result / (1.0 - result)))))


cdef int broken(search_t* s) noexcept nogil:
    """End the search, because the game broke its contract. The caller that runs it raises BadGame."""
    s.breach, s.limits.ending = True, BY_FAILURE
    return 0


cdef bint proves(search_t* s, const void* state, int ply, int* score) noexcept nogil:
    """Return whether tactics or the finisher prove the result, and the score that says so."""
    cdef int plies = 0, outcome
    if s.game.solve != NULL:
        plies = s.game.solve(s.game, state)
    if s.finisher != NULL and plies == 0:
        outcome = s.finisher.finish(s.finishing, state, &plies, &s.limits.nodes)
        if outcome == FAR:
            return False
        if outcome == 0:
            score[0] = 0
            return True
        plies *= outcome
    if plies == 0:
        return False
    score[0] = WON - ply - plies if plies > 0 else ply - plies - WON
    return True


cdef inline int to_table(int score, int ply) noexcept nogil:
    """Return a score as seen from the position itself."""
    return score + ply if score >= PROVEN else score - ply if score <= -PROVEN else score


cdef inline int from_table(int score, int ply) noexcept nogil:
    return score - ply if score >= PROVEN else score + ply if score <= -PROVEN else score


cdef inline move_t* moves_at(search_t* s, int ply) noexcept nogil:
    return s.moves + ply * s.game.max_moves


# The leaves

cdef int evaluate(search_t* s, const void* state, int ply) noexcept nogil:
    if s.game.moves(s.game, state, NULL) == 0:
        return final_score(s, state, ply)
    return score_of(s.evaluator, s.game, state)


cdef inline int static_score(search_t* s, const void* state, int known) noexcept nogil:
    """Return the evaluation of a position, which may be known."""
    return score_of(s.evaluator, s.game, state) if known == UNKNOWN else known


cdef int quiesce(search_t* s, const void* state, int alpha, int beta, int ply, int left, int known) noexcept nogil:
    """Return the score after the noisy moves. The mover may decline them, unless the opponent threatens to win."""
    cdef move_t* moves = moves_at(s, ply)
    cdef any_state_t after
    cdef int best = -INFINITE, score, n, i
    s.limits.nodes += 1
    if s.limits.nodes >= s.limits.check_at and must_stop(&s.limits):
        return 0
    n = s.game.moves(s.game, state, NULL)
    if not 0 < n <= s.game.max_moves:
        return final_score(s, state, ply) if n == 0 else broken(s)
    if proves(s, state, ply, &score):
        return score
    if left == 0 or ply >= MOST_LINE - 2:
        return static_score(s, state, known)
    if is_threatened(s.game, state):
        n = s.game.moves(s.game, state, moves)
    else:
        best = static_score(s, state, known)
        if best >= beta or s.game.noisy == NULL:
            return best
        alpha = max(alpha, best)
        n = s.game.noisy(s.game, state, moves)
    for i in range(n):
        copy_state(s.game, &after, state)
        s.game.play(s.game, &after, moves[i])
        score = -quiesce(s, &after, -beta, -alpha, ply + 1, left - 1, UNKNOWN)
        drop_state(s.game, &after)
        if s.limits.ending:
            return 0
        if score > best:
            best = score
            if best >= beta:
                break
            alpha = max(alpha, best)
    return best


# The order of moves

cdef inline uint32_t row_of(move_t move) noexcept nogil:
    """Return a move's row in the history. Moves of up to 12 bits have rows of their own."""
    return (move ^ move >> 12) & HISTORY - 1


cdef void age_history(search_t* s) noexcept nogil:
    """Halve the history, at the start of a search."""
    cdef int side, row
    for side in range(2):
        for row in range(HISTORY):
            s.history[side][row] //= 2


cdef inline bint put_first(move_t* moves, int n, move_t move) noexcept nogil:
    """Swap a move into the first place. Returns whether it is one of the moves."""
    cdef int i
    for i in range(n):
        if moves[i] == move:
            moves[i], moves[0] = moves[0], move
            return True
    return False


cdef void rank_by_score(search_t* s, const void* state, const move_t* moves, int* ranks, int n,
                        int depth) noexcept nogil:
    """Rank each move by the score of the position after it. Prefetches the bucket of each of these positions."""
    cdef any_state_t after
    cdef int i
    for i in range(n):
        copy_state(s.game, &after, state)
        s.game.play(s.game, &after, moves[i])
        if depth > 1:                           # leaves do not look into the table
            prefetch_bucket(s.table, s.game.key(s.game, &after))
        ranks[i] = -score_of(s.evaluator, s.game, &after)
        drop_state(s.game, &after)


cdef void rank_by_history(search_t* s, const void* state, const move_t* moves, int* ranks, int n, move_t first,
                          int ply) noexcept nogil:
    """Rank the first move, then those that change much, killers, and the others by history."""
    cdef move_t* noisy = moves_at(s, ply + 1)       # not in use yet
    cdef const int16_t* history = s.history[s.game.turn(s.game, state)]
    cdef int n_noisy = s.game.noisy(s.game, state, noisy) if s.game.noisy != NULL else 0, i, j
    for i in range(n):
        ranks[i] = history[row_of(moves[i])]
        if moves[i] == s.killers[ply][0]:
            ranks[i] = KILLER + 1
        elif moves[i] == s.killers[ply][1]:
            ranks[i] = KILLER
        for j in range(n_noisy):
            if noisy[j] == moves[i]:
                ranks[i] = NOISY - j
                break
        if moves[i] == first:
            ranks[i] = FIRST


cdef inline int64_t with_place(int rank, int i) noexcept nogil:
    """Return a number that is higher for a higher rank, and of equals for the first place."""
    return rank * (<int64_t> 1 << 32) + ~<uint32_t> i


cdef inline void take_best(move_t* moves, int* ranks, int i, int n) noexcept nogil:
    """Swap the move of the highest rank from i on, the first of equals, into place i.

    It is found without branches, which no processor could predict: alpha-beta is a tenth faster.
    """
    cdef int64_t found = with_place(ranks[i], i)
    cdef int j, best, rank
    cdef move_t move
    for j in range(i + 1, n):
        found = max(found, with_place(ranks[j], j))
    best = <int> ~<uint32_t> found
    rank = ranks[best]
    move = moves[best]
    ranks[best], moves[best] = ranks[i], moves[i]
    ranks[i], moves[i] = rank, move


cdef inline void learn(int16_t* history, int bonus) noexcept nogil:
    """Add a bonus or a malus to a row of the history; the nearer it is to the limit, the less."""
    history[0] += <int16_t> (bonus - history[0] * (bonus if bonus > 0 else -bonus) // MOST_HISTORY)


cdef void note_cutoff(search_t* s, const void* state, const move_t* moves, const int* ranks, int i, int depth,
                      int ply) noexcept nogil:
    """Note that quiet move i caused a cutoff, and that those before it did not.

    With several threads a few of those before it may be left to another thread; they count as the others.
    """
    cdef int16_t* history = s.history[s.game.turn(s.game, state)]
    cdef int bonus = min(16 * depth * depth, 1 << 11), j
    if s.killers[ply][0] != moves[i]:
        s.killers[ply][1] = s.killers[ply][0]
        s.killers[ply][0] = moves[i]
    learn(&history[row_of(moves[i])], bonus)
    for j in range(i):
        learn(&history[row_of(moves[j])], -bonus)


# A position

cdef inline void note_line(search_t* s, move_t move, int ply) noexcept nogil:
    """Set the principal variation from here: this move, and the line from the next ply."""
    cdef int i, n = s.lengths[ply + 1]
    s.lines[ply][0], s.lengths[ply] = move, n + 1
    for i in range(n):
        s.lines[ply][i + 1] = s.lines[ply + 1][i]


cdef int search(search_t* s, const void* state, int depth, int alpha, int beta, int ply, bint is_pv,
                int known) noexcept nogil:
    """Return the value if it lies between alpha and beta, otherwise a bound that is at most alpha or at least beta.

    `known` is the evaluation of the position, if the caller has it, or UNKNOWN.
    """
    cdef move_t* moves = moves_at(s, ply)
    cdef int* ranks = s.ranks + ply * s.game.max_moves
    cdef any_state_t after
    cdef found_t found
    cdef turns_t turns
    cdef uint64_t key, key_after
    cdef move_t best_move = NO_MOVE
    cdef int score, best = -INFINITE, floor = alpha, n, n_first, i, reduction, known_after
    cdef bint threatened = False, by_score, is_shared

    # 1. Leaves, limits, the end of the game, tactics
    if is_pv:
        s.lengths[ply] = 0
    if depth <= 0 or ply >= MOST_LINE - 2:
        if s.is_selective:
            return quiesce(s, state, alpha, beta, ply, MOST_QUIET, known)
        s.limits.nodes += 1
        return evaluate(s, state, ply)
    s.limits.nodes += 1
    if s.limits.nodes >= s.limits.check_at and must_stop(&s.limits):
        return 0
    n = s.game.moves(s.game, state, moves)
    if not 0 < n <= s.game.max_moves:
        return final_score(s, state, ply) if n == 0 else broken(s)
    if s.is_selective and proves(s, state, ply, &score):
        return score

    # 2. The table's value, but not on the principal variation, whose line would be cut short
    key = s.game.key(s.game, state)
    found.move = NO_MOVE
    if find(s.table, key, &found) and not is_pv and (found.depth >= depth if s.is_selective else found.depth == depth):
        score = from_table(found.score, ply)
        if found.bound & AT_LEAST and score >= beta or found.bound & AT_MOST and score <= alpha:
            return score

    # 3. Reverse futility
    if s.is_selective:
        threatened = is_threatened(s.game, state)
        if not is_pv and not threatened and depth <= FUTILE_DEPTH and -PROVEN < beta < PROVEN:
            score = static_score(s, state, known)
            if score - <int> (FUTILE_SHARE * s.evaluator.scale) * depth >= beta:
                return score

    # 4. The moves, best first: the first in the full window, the others in an empty one until one is better
    by_score = s.evaluator.order_depth > 0 and depth >= s.evaluator.order_depth
    n_first = 0
    if not by_score:
        rank_by_history(s, state, moves, ranks, n, found.move, ply)
    elif put_first(moves, n, found.move):
        n_first, ranks[0] = 1, FIRST            # the others are ranked if it causes no cutoff
    else:
        rank_by_score(s, state, moves, ranks, n, depth)
    is_shared = s.marks != NULL and depth >= SHARED_DEPTH and n > 1
    turns = turns_of(n)
    while next_turn(&turns):
        i = turns.i
        if i >= n_first and not turns.is_late:
            if i == 1 and n_first == 1:
                rank_by_score(s, state, moves + 1, ranks + 1, n - 1, depth)
            take_best(moves, ranks, i, n)
        known_after = -ranks[i] if by_score and ranks[i] < FIRST else UNKNOWN
        copy_state(s.game, &after, state)
        s.game.play(s.game, &after, moves[i])
        if depth > 1:
            key_after = s.game.key(s.game, &after)
            prefetch_bucket(s.table, key_after)
            if is_shared and wait_or_mark(&turns, s.marks, key_after):
                drop_state(s.game, &after)
                continue
        if i == 0:
            score = -search(s, &after, depth - 1, -beta, -alpha, ply + 1, is_pv, known_after)
        else:
            reduction = 0
            if s.is_selective and i >= FULL_MOVES and depth >= REDUCED_DEPTH and ranks[i] < KILLER and not threatened:
                reduction = max(0, min(REDUCTIONS[min(depth, 63)][min(i, 63)] - is_pv, depth - 1))
            score = -search(s, &after, depth - 1 - reduction, -alpha - 1, -alpha, ply + 1, False, known_after)
            if score > alpha and reduction > 0:
                score = -search(s, &after, depth - 1, -alpha - 1, -alpha, ply + 1, False, known_after)
            if score > alpha and score < beta:
                score = -search(s, &after, depth - 1, -beta, -alpha, ply + 1, True, known_after)
        drop_state(s.game, &after)
        if is_shared:
            unmark(s.marks, key_after)
        if s.limits.ending:
            return 0
        if score > best:
            best = score
            if best > alpha:
                alpha, best_move = best, moves[i]
                if is_pv:
                    note_line(s, best_move, ply)
                if alpha >= beta:
                    if ranks[i] <= KILLER + 1:
                        note_cutoff(s, state, moves, ranks, i, depth, ply)
                    break

    # 5. Store the value and the best move
    if not has_failed(s.game):
        keep(s.table, key, best_move, to_table(best, ply), min(depth, 255),
             AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST, s.age)
    return best
