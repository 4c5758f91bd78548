"""UCB1-Tuned in every entry of a tree (Auer, Cesa-Bianchi and Fischer 2002): a whole rule outside the package."""
from libc.math cimport INFINITY, log, sqrt
from libc.string cimport memset

from mcts_core.rule cimport RULE_ABI, rule_capsule, rule_t
from mcts_core.search.node cimport layout_t, node_t, sums_of, visits_of, wins_of

cdef rule_t ucb1_tuned


cdef void score(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                double* scores) noexcept nogil:
    """Q + sqrt(ln t / n * min(1/4, V)), where V is the variance of the results + sqrt(2 ln t / n)."""
    cdef double n, mean, variance, share
    cdef int i
    for i in range(node.n_moves):
        n = visits_of(layout, node)[i]
        if n == 0.0:
            scores[i] = INFINITY
            continue
        share = log(<double> node.t) / n
        mean = wins_of(node)[i] / n
        variance = sums_of(node, 1)[i] / n - mean * mean + sqrt(2.0 * share)
        scores[i] = mean + sqrt(share * min(0.25, variance))


cdef void learn(const rule_t* rule, const layout_t* layout, node_t* node, int move, double result) noexcept nogil:
    """Sum the squares of the results."""
    sums_of(node, 1)[move] += result * result


memset(&ucb1_tuned, 0, sizeof(rule_t))
ucb1_tuned.abi = RULE_ABI
ucb1_tuned.n_sums = 1
ucb1_tuned.untried_first = True
ucb1_tuned.score, ucb1_tuned.learn = score, learn
RULE = rule_capsule(&ucb1_tuned)
