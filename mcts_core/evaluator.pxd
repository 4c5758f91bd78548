"""THE CONTRACT OF AN EVALUATION: what a position is worth, without playing it out.

An evaluator is an `evaluator_t`: a function that scores a position as a whole number, and the scale that turns a
score into an expected result. Alpha-beta and the tree methods take any evaluator that suits their game. The
functions run without the GIL and cannot raise.

To add an evaluation: write `score`, fill an `evaluator_t` (or a struct that begins with one and holds your
weights), and pass it to `playout.Evaluator` in a capsule made by `evaluator_capsule`.
`tests/minimax/material.pyx` is a complete example.
"""
from libc.math cimport exp

from mcts_core.game cimport game_t
from mcts_core.position cimport Position

cdef enum:
    EVALUATOR_ABI = 2                   # changes when the struct below changes
    MOST_SCORE = 25000                  # scores lie between -MOST_SCORE and MOST_SCORE; proven results lie beyond

cdef struct evaluator_t:
    int abi                             # EVALUATOR_ABI
    double scale                        # a score of this much means that a win is e = 2.7 times as likely as a loss
    double point                        # a score of this much is a point of the game's margin, a disc; 0: unknown
    bint needs_planes                   # `score` calls the game's `planes`, which may be NULL: refuse such games
    # The score of a position for the side to move; the game is not over.
    int (*score)(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil
    # Alpha-beta sorts moves by the scores of the positions after them where it looks at least this many plies ahead;
    # 0: nowhere. For evaluations that are right without a look at captures.
    int order_depth


cdef inline int score_of(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil:
    """Return the score of a position, within its limits."""
    return max(-MOST_SCORE, min(<int> MOST_SCORE, evaluator.score(evaluator, game, state)))


cdef inline double expected(const evaluator_t* evaluator, int score) noexcept nogil:
    """Return the result that a score predicts, from 0 to 1."""
    return 1.0 / (1.0 + exp(-score / evaluator.scale))


cdef class Evaluator:
    """An evaluator in use, and what keeps its memory alive."""

    cdef const evaluator_t* c
    cdef const game_t* game             # the only game that it evaluates; NULL: any
    cdef object owner

    cdef int check_for(self, const game_t* game) except -1
    cdef int score_at(self, Position position) except? -1


cdef object evaluator_capsule(const evaluator_t* evaluator)
