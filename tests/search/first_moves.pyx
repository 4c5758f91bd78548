"""A policy compiled outside the package: it plays the first legal move, or the second one where there are more."""
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, move_t, note, trace_t
from mcts_core.playouts cimport playout_capsule
from mcts_core.rng cimport below, rng_t


cdef double first_moves(const game_t* game, const void* state, rng_t* rng, trace_t* trace) noexcept nogil:
    cdef any_state_t current
    cdef move_t[MOVES_ROOM] moves
    cdef double result
    cdef int i, n
    copy_state(game, &current, state)
    trace.plies = 0
    while True:
        n = game.moves(game, &current, moves)
        if n == 0 or trace.plies == game.max_plies:
            break
        i = <int> below(rng, min(n, 2))
        note(trace, trace.plies, moves[i], game.code(game, &current, moves[i]) if game.n_codes else 0)
        game.play(game, &current, moves[i])
        trace.plies += 1
    result = game.result(game, &current)
    drop_state(game, &current)
    return result


POLICY = playout_capsule(first_moves)
