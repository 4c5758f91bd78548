"""The contract of a bandit rule: which arm gets the next playout. The rules are in bandits.pyx."""
from mcts_core.rng cimport rng_t
from mcts_core.search.root cimport arm_t

cdef struct pull_t:                     # what a rule knows beside the arms' results
    double log_i                        # logarithm of the playout's number, counted from 1
    double c                            # weight of exploration
    rng_t* rng

ctypedef double (*score_t)(const arm_t* arm, const pull_t* pull) noexcept nogil

cdef struct bandit_t:
    const char* name
    score_t score                       # the arm with the highest score is played, the first if equal
    bint tries_all_first                # each arm once, in order: the score needs a playout
    bint explores_at_random             # with probability epsilon any arm is played
    bint shows_score                    # the score is a function of the arm; false: it is drawn

cdef const bandit_t* bandit_of(object name) except NULL
