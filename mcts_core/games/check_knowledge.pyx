"""The check of what a game knows about its positions: the wins of `solve` by plain search, and `fold`."""
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, move_t

from mcts_core.errors import place
from mcts_core.games.check_rules import fault_at, moves_along

cdef enum:
    MOST_PLIES = 3                      # of a claim that is checked; each more takes about 30 times as long


cdef int check_solve(const game_t* game, State state) except -1:
    """Check by plain search what `solve` says of an unfinished game."""
    cdef int plies, winner
    if game.solve == NULL:
        return 0
    before = state.bytes
    plies = game.solve(game, state.words)
    if before is not None and state.bytes != before or not state.is_intact():
        raise fault_at(state, "solve has changed the state", "only play may do that")
    winner = game.turn(game, state.words)
    if plies < 0:
        winner = 1 - winner
    if 0 < abs(plies) <= MOST_PLIES and not wins_within(game, state.words, winner, abs(plies)):
        raise fault_at(state, f"solve gives {plies}, and player {winner} cannot force a win in as many plies",
                       "it must give only what is proven")
    return 0


cdef bint wins_within(const game_t* game, const void* state, int player, int plies) noexcept nogil:
    """Return whether a player can force a win within some plies."""
    cdef move_t[MOVES_ROOM] moves
    cdef any_state_t after
    cdef int i, n = game.moves(game, state, moves)
    cdef bint own_turn, wins
    if n == 0:
        return game.result(game, state) == 1.0 - player
    if plies == 0:
        return False
    own_turn = game.turn(game, state) == player
    for i in range(n):
        copy_state(game, &after, state)
        game.play(game, &after, moves[i])
        wins = wins_within(game, &after, player, plies - 1)
        drop_state(game, &after)
        if wins == own_turn:
            return own_turn
    return not own_turn


cdef int check_fold(const game_t* game, State state, int n_moves, dict known) except -1:
    """Check that positions that share a key by `fold` have the same mover and equally many moves.

    `known` has the mover, the moves and the path by key. Positions with the same best result may well differ in
    their numbers of moves, but images of each other do not.
    """
    if game.fold == NULL:
        return 0
    before = state.bytes
    facts = game.turn(game, state.words), n_moves
    other, path = known.setdefault(game.fold(game, state.words), (facts, state.path))
    if before is not None and state.bytes != before or not state.is_intact():
        raise fault_at(state, "fold has changed the state", "only play may do that")
    if facts != other:
        raise fault_at(state, f"fold gives the key of another position, {place(moves_along(path))}, in which the "
                              "mover or the number of moves differs", "only images of each other may share a key")
    return 0
