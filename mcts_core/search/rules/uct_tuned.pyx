"""UCT with UCB1-Tuned's bound (Auer, Cesa-Bianchi and Fischer 2002), as MoGo had it (Gelly and Wang 2006)."""
from libc.math cimport log
from libc.stdint cimport uint32_t

from mcts_core.position cimport Position
from mcts_core.rule cimport rule_t
from mcts_core.search.node cimport layout_t, node_t, room_of, sums_of, visits_of, wins_of
from mcts_core.search.rules.uct cimport UCT, uct_t
from mcts_core.search.select cimport ucb_tuned

cdef enum:
    SQUARES = 1                         # the column of sums that holds the squared results


cdef void score(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                double* scores) noexcept nogil:
    """Score a move by `ucb_tuned`, or as `untried` without a visit."""
    cdef const uct_t* uct = <const uct_t*> rule
    cdef const double* w = wins_of(node)
    cdef const double* squares = sums_of(node, SQUARES)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef double c = uct.c, untried = uct.untried, ln_t = log(<double> node.t) if node.t else 0.0, visits
    cdef int i
    for i in range(room_of(node)):
        visits = n[i]
        scores[i] = ucb_tuned(w[i] / visits, squares[i] / visits, visits, ln_t, c) if n[i] else untried


cdef void learn(const rule_t* rule, const layout_t* layout, node_t* node, int move, double result) noexcept nogil:
    """Add the square of a result."""
    sums_of(node, SQUARES)[move] += result * result


cdef class UCTTuned(UCT):
    """UCT's settings with the bound of UCB1-Tuned."""

    def __cinit__(self, dict options not None, Position position not None):
        self.uct.rule.n_sums = 1
        self.uct.rule.score, self.uct.rule.learn = score, learn
