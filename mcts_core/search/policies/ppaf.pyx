"""PPAF: playout policy adaptation with move features (Cazenave 2015, 2016).

The winner's moves become more likely. Each code has a weight w, 0 at first, and the odds exp(w). After a
simulation, at each of the winner's plies of the whole game, with p(m) the chance that a playout had to
play the legal move m there:

    w[played] += ALPHA              w[m] -= ALPHA * p(m)  for each legal move m

All chances are those before the simulation. The features of a move are what its AMAF code tells:
Breakthrough's codes tell captures apart, as PPAF wants; with codes of player and square alone it is PPA.
"""
from libc.math cimport exp
from libc.stdint cimport int32_t

from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, move_t
from mcts_core.position cimport Position
from mcts_core.search.policy cimport Policy, policy_t, weigh

cdef double ALPHA = 0.32                # of the paper; larger: learns faster, and forgets faster
cdef double MOST = 500.0                # weights stay within +-MOST, so that no odds are 0 or infinite

cdef struct ppaf_t:
    policy_t policy
    double* weights                     # of each code, after the plies learned so far
    int32_t* touched                    # the codes whose odds are to be computed again
    int n_touched
    char* is_touched                    # of each code


cdef class PPAF(Policy):
    """PPAF for the game of a position."""

    def __cinit__(self, Position position not None):
        cdef const game_t* game = position.game
        cdef int n = game.n_codes
        cdef ppaf_t* ppaf
        cdef double* rest = <double*> self.room(sizeof(ppaf_t), n * (sizeof(double) + sizeof(int32_t) + 1),
                                                game.max_plies, n)
        ppaf = <ppaf_t*> self.c
        ppaf.weights = self.learned = rest
        self.n_learned = n
        ppaf.touched = <int32_t*> (ppaf.weights + n)
        ppaf.is_touched = <char*> (ppaf.touched + n)
        self.c.learn = learn


cdef void learn(policy_t* policy, const game_t* game, const void* root, double result) noexcept nogil:
    """Make the winner's moves more likely. Nobody learns from a draw."""
    cdef any_state_t state
    cdef int ply, winner = 1 if result < 0.5 else 0
    if result == 0.5:
        return
    copy_state(game, &state, root)
    for ply in range(policy.plies):
        if game.turn(game, &state) == winner:
            learn_ply(<ppaf_t*> policy, game, &state, policy.moves[ply])
        game.play(game, &state, policy.moves[ply])
    drop_state(game, &state)
    update_odds(<ppaf_t*> policy)


cdef inline void learn_ply(ppaf_t* ppaf, const game_t* game, const void* state, move_t played) noexcept nogil:
    """Change the weights of the moves of a position by the one that was played."""
    cdef move_t[MOVES_ROOM] moves
    cdef int32_t[MOVES_ROOM] codes
    cdef double[MOVES_ROOM] sums
    cdef const double* odds = ppaf.policy.odds
    cdef int n = weigh(odds, game, state, moves, codes, sums)
    cdef double step
    cdef int i
    if n <= 0:
        return
    step = ALPHA / sums[n - 1]
    for i in range(n):
        if moves[i] == played:
            ppaf.weights[codes[i]] += ALPHA
    for i in range(n):
        ppaf.weights[codes[i]] -= step * odds[codes[i]]
        if not ppaf.is_touched[codes[i]]:
            ppaf.is_touched[codes[i]] = 1
            ppaf.touched[ppaf.n_touched] = codes[i]
            ppaf.n_touched += 1


cdef inline void update_odds(ppaf_t* ppaf) noexcept nogil:
    """Compute the odds of all codes whose weights have changed."""
    cdef int i, code
    for i in range(ppaf.n_touched):
        code = ppaf.touched[i]
        ppaf.weights[code] = max(-MOST, min(MOST, ppaf.weights[code]))
        ppaf.policy.odds[code] = exp(ppaf.weights[code])
        ppaf.is_touched[code] = 0
    ppaf.n_touched = 0
