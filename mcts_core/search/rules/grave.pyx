"""GRAVE: RAVE with the AMAF statistics of the nearest entry above that has seen enough (Cazenave 2015)."""
from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memset

from mcts_core.position cimport Position
from mcts_core.rule cimport RULE_ABI, Rule, rule_t
from mcts_core.search.node cimport (
    AMAF_OF_CODES, block_of, block_visits, codes_of, layout_t, node_t, turn_of, visits_of, wins_of
)
from mcts_core.search.rules.blend cimport blend_mse, explore, ln_visits
from mcts_core.search.select cimport beta_mse

cdef struct grave_t:
    rule_t rule
    double bias
    double c                            # weight of the exploration term; 0: there is none


cdef void score(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                double* scores) noexcept nogil:
    cdef const grave_t* grave = <const grave_t*> rule
    cdef const double* w = wins_of(node)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef const uint16_t* codes = codes_of(layout, node)
    cdef const double* amaf_w = block_of(reference)
    cdef const uint32_t* amaf_n = block_visits(layout, reference)
    cdef double bias = grave.bias, c = grave.c, ln_t = ln_visits(node.t, c), wins, visits
    cdef int i
    for i in range(node.n_moves):
        visits = amaf_n[codes[i]]
        wins = amaf_w[codes[i]] if turn_of(node) == 0 else visits - amaf_w[codes[i]]
        scores[i] = blend_mse(w[i], n[i], wins, visits, bias) + explore(ln_t, n[i], c)


cdef double weight(const rule_t* rule, const node_t* node, int code, double w, double n, double amaf_w,
                   double amaf_n) noexcept nogil:
    """Return beta, the weight of the AMAF mean: 1 for an untried move, 0 for one without AMAF results."""
    if n == 0.0:
        return 1.0
    return beta_mse(n, amaf_n, (<const grave_t*> rule).bias) if amaf_n else 0.0


cdef class GRAVE(Rule):
    """GRAVE with its settings."""

    cdef grave_t grave

    def __cinit__(self, dict options not None, Position position not None):
        memset(&self.grave, 0, sizeof(grave_t))
        self.grave.rule.abi = RULE_ABI
        self.grave.rule.amaf, self.grave.rule.ref = AMAF_OF_CODES, options["ref"]
        self.grave.rule.score, self.grave.rule.weight = score, weight
        self.grave.bias, self.grave.c = options["bias"][0], options["c"]
        self.c = &self.grave.rule
