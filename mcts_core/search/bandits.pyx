"""The bandit rules: a score for each, and a line in the table at the end."""
from mcts_core.search.root cimport arm_t
from mcts_core.search.select cimport beta_draw, kl_ucb, ucb1, ucb_bayes, ucb_tuned


cdef double ucb1_score(const arm_t* arm, const pull_t* pull) noexcept nogil:
    return ucb1(arm.w / arm.n, arm.n, pull.log_i, pull.c)


cdef double tuned_score(const arm_t* arm, const pull_t* pull) noexcept nogil:
    return ucb_tuned(arm.w / arm.n, arm.squares / arm.n, arm.n, pull.log_i)


cdef double bayes_score(const arm_t* arm, const pull_t* pull) noexcept nogil:
    return ucb_bayes(arm.w, arm.n, pull.log_i, pull.c)


cdef double thompson_score(const arm_t* arm, const pull_t* pull) noexcept nogil:
    return beta_draw(pull.rng, 1.0 + arm.w, 1.0 + (arm.n - arm.w))


cdef double kl_score(const arm_t* arm, const pull_t* pull) noexcept nogil:
    return kl_ucb(arm.w / arm.n, arm.n, pull.log_i, pull.c)


cdef double mean_score(const arm_t* arm, const pull_t* pull) noexcept nogil:
    return arm.w / arm.n


cdef enum:
    N_RULES = 6

# name, score, tries_all_first, explores_at_random, shows_score
cdef bandit_t[N_RULES] TABLE = [
    bandit_t(b"ucb1", ucb1_score, True, False, True),
    bandit_t(b"tuned", tuned_score, True, False, True),
    bandit_t(b"bayes", bayes_score, False, False, True),
    bandit_t(b"kl", kl_score, True, False, True),
    bandit_t(b"thompson", thompson_score, False, False, False),
    bandit_t(b"greedy", mean_score, True, True, True),
]

RULES = tuple([TABLE[i].name.decode() for i in range(N_RULES)])


cdef const bandit_t* bandit_of(object name) except NULL:
    """Return the rule with this name; ValueError if there is none."""
    return &TABLE[<int> RULES.index(name)]
