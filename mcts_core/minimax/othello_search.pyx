"""Alpha-beta for Othello below the root: one position (`search`), the last ply and the leaves.

Values are doubles and compared exactly: the window of a scout search is alpha and the next double above it.
"""
from libc.math cimport INFINITY, nextafter
from libc.stdint cimport uint64_t

from mcts_core.base.bits cimport count_bits
from mcts_core.evaluation.othello_eval cimport CompiledEvaluation, evaluate, final_score
from mcts_core.games.othello_rules cimport PASS
from mcts_core.games.othello_board cimport fill_rays, flips_of, moves_of
from mcts_core.minimax.othello_table cimport AT_LEAST, AT_MOST, EXACT, NO_SQUARE, entry_t, find, keep
from mcts_core.minimax.limits cimport fail, must_stop
from mcts_core.minimax.othello_order cimport CHOICES_ROOM, choice_t, list_choices, take_best

cdef uint64_t CORNERS = <uint64_t> 0x8100000000000081

fill_rays()


cdef double ask(search_t* s, uint64_t own, uint64_t enemy, int ply) noexcept with gil:
    """Return the value by a Python function. An exception ends the search."""
    try:
        return (<CompiledEvaluation> s.owner).ask(own, enemy, s.turn ^ ply & 1)
    except BaseException as failure:
        fail(&s.limits, failure)
        return 0.0


cdef inline double leaf(search_t* s, uint64_t own, uint64_t enemy, int ply) noexcept nogil:
    """Return the evaluation of a position, or the score of a finished game."""
    cdef uint64_t squares = s.evaluation.squares
    s.limits.nodes += 1
    if moves_of(own, enemy, squares) == 0 and moves_of(enemy, own, squares) == 0:
        return final_score(own, enemy, squares)
    if s.evaluation.n_mixes == 0:
        return ask(s, own, enemy, ply)
    return evaluate(s.evaluation, own, enemy)


cdef double last_ply(search_t* s, uint64_t own, uint64_t enemy, uint64_t legal,
                     double alpha, double beta, int ply) noexcept nogil:
    """Return the value of the best move, by the evaluations of the positions after the moves."""
    cdef double value, best = -INFINITY
    cdef uint64_t flips, disc
    cdef int square
    while legal:
        disc = legal & -legal
        square = count_bits(disc - 1)
        legal ^= disc
        flips = flips_of(own, enemy, square)
        value = -leaf(s, enemy ^ flips, own ^ (flips | disc), ply + 1)
        if s.limits.ending:
            return 0.0
        if value > best:
            best = value
            if best > alpha:
                s.pv[ply][0], s.pv[ply][1] = 1, square
                if best >= beta:
                    break
    return best


cdef void note_pv(search_t* s, int ply, int square) noexcept nogil:
    """Set the principal variation from here: this move, and the line from the next ply."""
    cdef int i, n = s.pv[ply + 1][0]
    s.pv[ply][0], s.pv[ply][1] = n + 1, square
    for i in range(n):
        s.pv[ply][i + 2] = s.pv[ply + 1][i + 1]


cdef inline void order(search_t* s, choice_t* choices, int n, uint64_t own, uint64_t enemy,
                       int ply, int hash_square) noexcept nogil:
    """Score the moves: first the table's move, then few replies (corners count twice), then earlier cutoffs.

    Replies are counted also at depth 2, which saves 12 % of the nodes and 5 % of the time.
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
    """Return the value if it lies between alpha and beta, otherwise a bound that is at most alpha or at least beta."""
    cdef choice_t[CHOICES_ROOM] choices
    cdef choice_t* choice
    cdef entry_t* entry
    cdef uint64_t legal, next_own, next_enemy
    cdef double value, best = -INFINITY, floor = alpha
    cdef int i, n, best_square = NO_SQUARE, turn = s.turn ^ ply & 1

    # 1. Leaves, limits, the end of the game, a pass (which is a ply)
    if is_pv:
        s.pv[ply][0] = 0
    if depth == 0:
        return leaf(s, own, enemy, ply)
    s.limits.nodes += 1
    if s.limits.nodes >= s.limits.check_at and must_stop(&s.limits):
        return 0.0
    legal = moves_of(own, enemy, s.evaluation.squares)
    if legal == 0:
        if moves_of(enemy, own, s.evaluation.squares) == 0:
            return final_score(own, enemy, s.evaluation.squares)
        value = -search(s, enemy, own, depth - 1, -beta, -alpha, ply + 1, is_pv)
        if is_pv and not s.limits.ending:
            note_pv(s, ply, PASS)
        return value
    if depth == 1:
        return last_ply(s, own, enemy, legal, alpha, beta, ply)

    # 2. The table's value, but not on the principal variation, whose line would be cut short
    entry = find(&s.table, own, enemy, turn)
    if entry != NULL:
        best_square = entry.square
        if entry.depth == depth and not is_pv:
            if entry.bound & AT_LEAST and entry.value >= beta:
                return entry.value
            if entry.bound & AT_MOST and entry.value <= alpha:
                return entry.value

    # 3. Enhanced transposition cutoff: a move leads to a position whose bound is good enough
    n = list_choices(choices, own, enemy, legal)
    if depth >= 3 and not is_pv:
        for i in range(n):
            entry = find(&s.table, enemy ^ choices[i].flips, own ^ (choices[i].flips | choices[i].disc), turn ^ 1)
            if entry != NULL and entry.depth == depth - 1 and entry.bound & AT_MOST and -entry.value >= beta:
                return -entry.value

    # 4. The moves, best first: the first in the full window, the others in a scout window until one is better
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
        if s.limits.ending:
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

    # 5. Store the value and the best move
    keep(&s.table, own, enemy, turn, depth,
         AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST, best, best_square)
    return best


cdef void note_cutoff(search_t* s, int square, int depth, int ply) noexcept nogil:
    """Note a cutoff for the order of moves: as a killer of this ply, and in the history of its side."""
    if s.killers[ply][0] != square:
        s.killers[ply][1] = s.killers[ply][0]
        s.killers[ply][0] = square
    s.history[ply & 1][square] += depth * depth
