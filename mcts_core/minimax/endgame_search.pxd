"""Exact Othello endgames, in one thread: what the solver and alpha-beta call."""
from libc.stdint cimport uint64_t

from mcts_core.evaluator cimport evaluator_t
from mcts_core.game cimport game_t
from mcts_core.games.othello_rules cimport state_t
from mcts_core.minimax.endgame_table cimport BUCKET, entry_t
from mcts_core.minimax.endgame_thread cimport NOWHERE, endgame_t
from mcts_core.minimax.finisher cimport finisher_t
from mcts_core.minimax.limits cimport RUNNING
from mcts_core.minimax.othello_order cimport choice_t
from mcts_core.minimax.transposition cimport buckets_t

cdef enum:
    BUCKET_SIZE = BUCKET * sizeof(entry_t)      # bytes
    GUIDED = 13                         # empty squares from which the guide orders moves; below, looks cost too much
    FAR_BEYOND = 30000                  # above every score of the guide

cdef finisher_t OTHELLO_FINISHER


cdef inline int even(int score) noexcept nogil:
    """Return the even score at or above this one: exact scores are even."""
    return score + (score & 1)


cdef inline bint must_return(endgame_t* e) noexcept nogil:
    """Return whether what is being searched does not matter any more."""
    return e.limits.ending != RUNNING or e.settled != NOWHERE


cdef endgame_t* open_endgame(const state_t* state, buckets_t* table, const game_t* game,
                             const evaluator_t* guide) noexcept
cdef void close_endgame(endgame_t* e) noexcept nogil
cdef void search_root(endgame_t* e, int low, int high) noexcept nogil
cdef int predicted_score(endgame_t* e) noexcept nogil
cdef choice_t best_choice(endgame_t* e, uint64_t own, uint64_t enemy, int target) noexcept nogil
