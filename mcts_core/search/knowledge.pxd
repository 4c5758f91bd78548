"""What a tree search knows of a position besides results of playouts: the game's tactics, and an evaluation.

Each part may be on or off, with any rule (`prior` not with one that has a `learn` of its own):

    tactics     a new position whose result the game's `solve` proves counts as a finished game
    cut         a playout ends after this number of plies, and its position is evaluated
    minimax     new positions are evaluated, and scores mix in the minimax of these values (minimax_values.pxd)
    prior       a move begins with visits that have the result which an evaluation one ply ahead expects
    proof       a move's score gets a bonus if it looks easy to prove (proof_numbers.pxd)

A position is evaluated by the quiescence search of alpha-beta, because an evaluation is not made for positions with
captures pending. Its result is a proof where tactics decide.
"""
from libc.math cimport floor

from mcts_core.evaluator cimport Evaluator, evaluator_t, expected
from mcts_core.game cimport game_t, move_t, trace_t
from mcts_core.minimax.alphabeta_search cimport INFINITE, MOST_QUIET, PROVEN, UNKNOWN, quiesce
from mcts_core.minimax.alphabeta_search cimport search_t as quiet_t
from mcts_core.rng cimport rng_t

cdef enum:
    NO_CUT = -1
    GRAINS = 1 << 20

cdef struct knowledge_t:
    bint tactics
    int cut                             # plies of a playout; NO_CUT: to the end of the game
    double minimax                      # the weight of minimax values in scores; 0: none are kept
    int prior                           # visits that each move begins with; 0: none
    double proof                        # the weight of the proof bonus; 0: no proof numbers are kept


cdef inline bint evaluates(const knowledge_t* knowledge) noexcept nogil:
    """Return whether each new position is evaluated."""
    return knowledge.cut == 0 or knowledge.minimax > 0.0


cdef inline int quiet_score(quiet_t* quiet, const void* state) noexcept nogil:
    """Return the score of a position after its noisy moves, for the side to move. The game may be over."""
    return quiesce(quiet, state, -INFINITE, INFINITE, 0, MOST_QUIET, UNKNOWN)


cdef inline bint is_certain(int score) noexcept nogil:
    return score >= PROVEN or score <= -PROVEN


cdef inline double worth(const quiet_t* quiet, int score) noexcept nogil:
    """Return the result that a score predicts, from 0 to 1, for the side to move.

    It is a multiple of 1 / GRAINS, so that sums are exact: they do not depend on the order of the results.
    """
    if is_certain(score):
        return 1.0 if score > 0 else 0.0
    return floor(expected(quiet.evaluator, score) * GRAINS + 0.5) / GRAINS


cdef class QuietSearch:
    """The working memory of a thread that evaluates positions."""

    cdef quiet_t* c
    cdef Evaluator evaluator


cdef double cut_playout(quiet_t* quiet, const game_t* game, const void* state, int plies, rng_t* rng,
                        trace_t* trace) noexcept nogil
cdef void expect(quiet_t* quiet, const void* state, const move_t* moves, int n, double* results) noexcept nogil
