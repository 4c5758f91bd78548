"""How a policy plays games to their end: for the searches, and for modules with a policy of their own."""
from mcts_core.game cimport game_t, playout_t, trace_t
from mcts_core.position cimport Position
from mcts_core.rng cimport rng_t

cdef struct rollout_t:
    playout_t playout
    const game_t* game                  # what `playout` gets: the game, or a struct of the policy that begins with it
    bint has_batch                      # the game's own `batch` plays the same games


cdef inline double roll_out(const rollout_t* rollout, const void* state, rng_t* rng, trace_t* trace) noexcept nogil:
    """Play a game to its end. Returns the first player's result; nan if the policy has failed."""
    return rollout.playout(rollout.game, state, rng, trace)


cdef class Rollout:
    """A policy in use for one game, and what keeps its memory alive."""

    cdef rollout_t c

    cdef int start(self, Position position, const game_t* game) except -1


cdef const game_t* rewarded(Position position, object rewards) except NULL
cdef Rollout rollout_of(Position position, const game_t* game, object policy)
cdef object playout_capsule(playout_t playout)
