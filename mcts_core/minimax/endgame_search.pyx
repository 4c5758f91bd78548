"""Exact Othello endgames, in one thread: the disc difference under best play. Empty squares go to the winner.

Alpha-beta to the end of the game:

1. the root (`search_root`), and the moves of best play (`best_choice`)
2. 8 empty squares and more: table, stability cutoff, moves with few replies first (`endgame_deep.pxi`)
3. fewer empty squares: `endgame_shallow.pxi`, which also explains `parity`
4. what an evaluation adds, the "guide": `endgame_guide.pxi`
5. the same for the leaves of an alpha-beta search (`OTHELLO_FINISHER`)

Scores are those of the side to move.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from mcts_core.base.atomics cimport load
from mcts_core.base.bits cimport count_bits, first_bit
from mcts_core.evaluation.othello_eval cimport around
from mcts_core.evaluator cimport score_of
from mcts_core.games.othello_board cimport diagonal, fill_rays, flips_in_vectors, moves_of
from mcts_core.games.othello_rules cimport PASS
from mcts_core.games.othello_stability cimport stable_discs
from mcts_core.minimax.endgame_table cimport CERTAIN, NO_SQUARE, WORST, bounds_t, find, keep, prefetch_bucket
from mcts_core.minimax.endgame_thread cimport NOWHERE, ROOT, open_t
from mcts_core.minimax.finisher cimport FAR
from mcts_core.minimax.limits cimport must_stop
from mcts_core.minimax.othello_order cimport CHOICES_ROOM, list_choices, take_best
from mcts_core.minimax.sharing cimport next_turn, turns_of, turns_t, unmark, wait_or_mark
from mcts_core.minimax.transposition cimport close_buckets, open_buckets

cdef enum:
    NEAR_END = 8                        # empty squares up to which positions are in the small table: most of them
    NEAR_END_BUCKETS = 1 << 12          # of a solver's small table: 192 KiB, which the second-level cache has room for
    FINISHED = NEAR_END                 # empty squares from which alpha-beta calls the finisher; it has no other table
    FINISHER_BUCKETS = 1 << 10          # of its small table: 48 KiB, because many threads of alpha-beta have one

fill_rays()

include "endgame_shallow.pxi"
include "endgame_guide.pxi"
include "endgame_deep.pxi"


cdef endgame_t* open_endgame(const state_t* state, buckets_t* table, const game_t* game,
                             const evaluator_t* guide) noexcept:
    """Return the memory of a thread, for a position; NULL if there is none. `guide` may be NULL."""
    cdef endgame_t* e = open_thread(NEAR_END_BUCKETS)
    if e == NULL:
        return NULL
    e.squares, e.size, e.n_squares = state.squares, state.size, state.size * state.size
    e.own, e.enemy, e.state, e.table = state.own, state.enemy, state[0], table
    if guide != NULL:
        e.guide, e.game, e.point, e.shallow = guide, game, <int> guide.point, GUIDED_SHALLOW
    return e


cdef endgame_t* open_thread(uint64_t near_end_buckets) noexcept nogil:
    """Return the memory of a thread with its small table; NULL if there is none."""
    cdef endgame_t* e = <endgame_t*> calloc(1, sizeof(endgame_t))
    if e == NULL:
        return NULL
    if not open_buckets(&e.near_end, near_end_buckets, BUCKET_SIZE):
        free(e)
        return NULL
    e.shallow, e.certainty, e.settled = SHALLOW, CERTAIN, NOWHERE
    return e


cdef void close_endgame(endgame_t* e) noexcept nogil:
    if e != NULL:
        close_buckets(&e.near_end)
    free(e)


# The root

cdef void search_root(endgame_t* e, int low, int high) noexcept nogil:
    """Search the root's moves between these scores, the best so far first.

    Sets `score`, or WORST if the thread must return. A move becomes the best only by a score above `low`: bounds
    below it do not tell which move is better.
    """
    cdef choice_t[CHOICES_ROOM] choices
    cdef uint64_t empty = e.squares & ~(e.own | e.enemy)
    cdef uint64_t legal = moves_of(e.own, e.enemy, e.squares)
    cdef int n, score, best = NO_SQUARE, n_empty = count_bits(empty), parity = parity_of(empty)
    e.score = WORST
    if legal == 0:
        e.square = PASS
        score = -deep(e, e.enemy, e.own, -high, -low, n_empty, parity)
    else:
        n = list_choices(choices, e.own, e.enemy, legal & e.among)
        if is_guided(e, n_empty):
            order_by_looks(e, choices, n, e.own, e.enemy, n_empty, parity, e.square)
        else:
            order(e, choices, n, e.own, e.enemy, parity, e.square)
        if e.square == NO_SQUARE:
            e.square = take_best(choices, 0, n).square
        score = search_moves(e, choices, n, e.own, e.enemy, low, high, n_empty, parity, e.shared != NULL, &best)
        if score > low:
            e.square = best
    if not must_return(e):
        e.score = score


cdef choice_t best_choice(endgame_t* e, uint64_t own, uint64_t enemy, int target) noexcept nogil:
    """Return a move that keeps the score of a position, `target`. If a limit is met, it may be any move.

    The position has a move.
    """
    cdef choice_t[CHOICES_ROOM] choices
    cdef choice_t* choice = NULL
    cdef bounds_t known
    cdef uint64_t empty = e.squares & ~(own | enemy)
    cdef int i, n, score, parity = parity_of(empty)
    if not find(table_for(e, count_bits(empty)), own, enemy, &known):
        known.square = NO_SQUARE
    n = list_choices(choices, own, enemy, moves_of(own, enemy, e.squares))
    order(e, choices, n, own, enemy, parity, known.square)
    for i in range(n):
        choice = take_best(choices, i, n)
        if target == -e.n_squares:      # every move will do
            break
        score = -deep(e, enemy ^ choice.flips, own ^ (choice.flips | choice.disc), -target, -target + 1,
                      count_bits(empty) - 1, parity ^ quadrant(choice.square))
        if e.limits.ending or score >= target:
            break
    return choice[0]


# The finisher of alpha-beta

cdef void* open_finisher() noexcept nogil:
    cdef endgame_t* e = open_thread(FINISHER_BUCKETS)
    if e == NULL:
        return NULL
    e.limits.deadline = e.limits.listened = INFINITY        # a call is too short to be stopped
    e.limits.node_limit = <int64_t> 1 << 62
    return e


cdef void close_finisher(void* memory) noexcept nogil:
    close_endgame(<endgame_t*> memory)


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


OTHELLO_FINISHER.open, OTHELLO_FINISHER.close = open_finisher, close_finisher
OTHELLO_FINISHER.finish = finish
