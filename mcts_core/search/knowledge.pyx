"""Evaluating positions for a tree search. The map is knowledge.pxd."""
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport NAN
from libc.stdint cimport int64_t

from mcts_core.game cimport any_state_t, copy_state, drop_state, random_plies
from mcts_core.position cimport Position

MOST_CUT = 10**6                        # plies of a cut playout
MOST_PRIOR = 10**6                      # visits that a move may begin with


cdef class QuietSearch:
    """Evaluates positions of the game of a position."""

    def __cinit__(self, Position position not None, Evaluator evaluator not None):
        cdef int64_t moves = <int64_t> (MOST_QUIET + 1) * position.game.max_moves * sizeof(move_t)
        evaluator.check_for(position.game)
        self.evaluator = evaluator
        self.c = <quiet_t*> PyMem_RawCalloc(1, sizeof(quiet_t) + moves)
        if self.c == NULL:
            raise MemoryError("no memory to evaluate positions")
        self.c.moves = <move_t*> (self.c + 1)
        self.c.game, self.c.evaluator = position.game, evaluator.c
        self.c.limits.check_at = (<int64_t> 1 << 63) - 1    # the search of one position is short

    def __dealloc__(self):
        PyMem_RawFree(self.c)


cdef double cut_playout(quiet_t* quiet, const game_t* game, const void* state, int plies, rng_t* rng,
                        trace_t* trace) noexcept nogil:
    """Play random moves, one number each, and evaluate. Returns the first player's result; nan from a broken game."""
    cdef any_state_t current
    cdef int n
    cdef double result = NAN
    copy_state(game, &current, state)
    n = random_plies(game, &current, rng, trace, plies)
    if n == 0:
        result = game.result(game, &current)
    elif n > 0:
        result = worth(quiet, quiet_score(quiet, &current))
        if quiet.breach:
            result = NAN
        elif game.turn(game, &current) == 1:
            result = 1.0 - result
    drop_state(game, &current)
    return result


cdef void expect(quiet_t* quiet, const void* state, const move_t* moves, int n, double* results) noexcept nogil:
    """Write the result that each move promises its mover: the other side's, turned round, after the move."""
    cdef const game_t* game = quiet.game
    cdef any_state_t after
    cdef int i
    for i in range(n):
        copy_state(game, &after, state)
        game.play(game, &after, moves[i])
        if game.turn(game, &after) == game.turn(game, state):
            results[i] = worth(quiet, quiet_score(quiet, &after))
        else:
            results[i] = 1.0 - worth(quiet, quiet_score(quiet, &after))
        drop_state(game, &after)
