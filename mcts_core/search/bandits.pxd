"""The contract of a bandit rule: which arm gets the next playout. The rules are in bandits.pyx."""
from mcts_core.rng cimport rng_t
from mcts_core.search.root cimport arm_t

cdef struct pull_t:                     # what a rule knows besides the arms' results
    double log_i                        # natural logarithm of the playout's number, counted from 1
    double c                            # weight of exploration
    rng_t* rng

ctypedef double (*score_t)(const arm_t* arm, const pull_t* pull) noexcept nogil

cdef struct bandit_t:
    const char* name
    score_t score                       # the arm with the highest score is played, the first if equal
    bint tries_all_first                # plays each arm once first, because the score needs a playout
    bint explores_at_random             # plays a random arm with probability epsilon
    bint shows_score                    # results show the score; false: it is drawn at random

cdef const bandit_t* bandit_of(object name) except NULL
