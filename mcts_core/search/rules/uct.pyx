"""UCT: upper confidence bounds in every entry of the tree (Kocsis and Szepesvari 2006)."""
from libc.math cimport INFINITY, log, sqrt
from libc.stdint cimport uint32_t
from libc.string cimport memset

from mcts_core.position cimport Position
from mcts_core.rule cimport RULE_ABI, Rule, rule_t
from mcts_core.search.node cimport layout_t, node_t, room_of, visits_of, wins_of

cdef struct uct_t:
    rule_t rule
    double c                            # weight of the exploration term
    double untried                      # the score of a move without a visit


cdef void score(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                double* scores) noexcept nogil:
    """Score a move as w / n + c * sqrt(ln t / n), or as `untried` without a visit."""
    cdef const uct_t* uct = <const uct_t*> rule
    cdef const double* w = wins_of(node)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef double c = uct.c, untried = uct.untried, ln_t = log(<double> node.t) if node.t else 0.0, visits
    cdef int i
    for i in range(room_of(node)):
        visits = n[i]
        scores[i] = w[i] / visits + c * sqrt(ln_t / visits) if n[i] else untried


cdef class UCT(Rule):
    """UCT with the constant `c`, and `fpu` as the score of an untried move (None: untried moves come first)."""

    cdef uct_t uct

    def __cinit__(self, dict options not None, Position position not None):
        fpu = options["fpu"]
        memset(&self.uct, 0, sizeof(uct_t))
        self.uct.rule.abi = RULE_ABI
        self.uct.rule.score = score
        self.uct.rule.untried_first = fpu is None
        self.uct.c = options["c"]
        self.uct.untried = INFINITY if fpu is None else fpu
        self.c = &self.uct.rule
