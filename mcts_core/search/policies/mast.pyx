"""MAST: the move-average sampling technique (Finnsson and Björnsson 2008).

Each code has the mean result, as its mover sees it, of all moves with this code in all simulations, in
the tree and in playouts. Its odds are exp(mean / TAU).
"""
from libc.math cimport exp

from mcts_core.game cimport any_state_t, copy_state, drop_state, game_t
from mcts_core.position cimport Position
from mcts_core.search.amaf cimport seen_by
from mcts_core.search.policy cimport Policy, policy_t

cdef double TAU = 0.1                   # larger: moves are closer to equally likely
cdef double FIRST = 1.0                 # the mean of a code without results: it is tried soon

cdef struct mast_t:
    policy_t policy
    double* wins                        # of each code
    double* visits


cdef class MAST(Policy):
    """MAST for the game of a position."""

    def __cinit__(self, Position position not None):
        cdef int n = position.game.n_codes, code
        cdef double* rest = <double*> self.room(sizeof(mast_t), 2 * n * sizeof(double), position.game.max_plies, n)
        cdef mast_t* mast = <mast_t*> self.c
        mast.wins, mast.visits = rest, rest + n
        self.learned, self.n_learned = rest, 2 * n
        for code in range(n):
            self.c.odds[code] = exp(FIRST / TAU)
        self.c.learn = learn


cdef void learn(policy_t* policy, const game_t* game, const void* root, double result) noexcept nogil:
    """Count the result for each move of the game."""
    cdef mast_t* mast = <mast_t*> policy
    cdef any_state_t state
    cdef int ply, code
    copy_state(game, &state, root)
    for ply in range(policy.plies):
        code = game.code(game, &state, policy.moves[ply])
        if 0 <= code < game.n_codes:
            mast.wins[code] += seen_by(game.turn(game, &state), result)
            mast.visits[code] += 1.0
            policy.odds[code] = exp(mast.wins[code] / mast.visits[code] / TAU)
        game.play(game, &state, policy.moves[ply])
    drop_state(game, &state)
