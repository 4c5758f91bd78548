"""THE CONTRACT of a playout policy that learns while a tree search runs.

A policy has the odds of each AMAF code: a playout draws each move in proportion to the odds of its code.
After each simulation `learn` changes them by the moves of the whole game and its result. Every thread has
a policy of its own. Each search begins with a fresh one, and keeps it when its root moves on.

To add a policy: derive a class from `Policy`, set `learn`, and name the class in `LEARNERS` of `growing.pyx`.
"""
from libc.stdint cimport int32_t

from mcts_core.game cimport game_t, move_t, trace_t
from mcts_core.rng cimport rng_t

cdef struct policy_t:
    double* odds                        # of each code: above 0 and finite
    move_t* moves                       # of the simulation under way, from the root on: room for 2 * max_plies
    int plies                           # how many there are
    # Learns from `moves`, which begin at the state `root`; `result` is the first player's.
    # Codes were not checked: `weigh` does it.
    void (*learn)(policy_t* policy, const game_t* game, const void* root, double result) noexcept nogil


cdef class Policy:
    """The base class: memory for the odds, all 1, and the moves."""

    cdef policy_t* c                    # the start of a block of memory
    cdef double* learned                # what the odds were made of, for a file: `n_learned` numbers
    cdef Py_ssize_t n_learned

    cdef void* room(self, Py_ssize_t header, Py_ssize_t more, int max_plies, int n_codes) except NULL


cdef double policy_playout(policy_t* policy, const game_t* game, const void* state, rng_t* rng,
                           trace_t* trace) noexcept nogil
cdef int weigh(const double* odds, const game_t* game, const void* state, move_t* moves, int32_t* codes,
               double* sums) noexcept nogil
