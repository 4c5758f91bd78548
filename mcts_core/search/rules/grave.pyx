"""GRAVE: RAVE with the AMAF statistics of the nearest entry above that has seen enough (Cazenave 2015)."""
from libc.stdint cimport uint32_t
from libc.string cimport memset

from mcts_core.game cimport MOVES_ROOM
from mcts_core.position cimport Position
from mcts_core.rule cimport RULE_ABI, Rule, rule_t
from mcts_core.search.amaf cimport count_path_in_blocks, own_visits_of, own_wins_of
from mcts_core.search.amaf_block cimport block_read
from mcts_core.search.amaf_simd cimport AMAF_SIMD_PLANS
from mcts_core.search.node cimport (
    AMAF_OF_CODES, codes_of, layout_t, node_t, room_of, turn_of, visits_of, wins_of
)
from mcts_core.search.rules.blend cimport blend_mse, explore, ln_visits
from mcts_core.search.select cimport beta_mse
from mcts_core.search.table cimport table_t
from mcts_core.search.walk cimport walk_t, worker_t

cdef struct grave_t:
    rule_t rule
    double bias
    double c                            # weight of the exploration term; 0: there is none


cdef void score(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                double* scores) noexcept nogil:
    cdef const grave_t* grave = <const grave_t*> rule
    cdef const double* w = wins_of(node)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef double[MOVES_ROOM] amaf_n, amaf_w
    cdef double bias = grave.bias, c = grave.c, ln_t = ln_visits(node.t, c)
    cdef int i
    read_amaf(layout, node, reference, amaf_n, amaf_w)
    if c == 0.0:
        for i in range(room_of(node)):
            scores[i] = blend_mse(w[i], n[i], amaf_w[i], amaf_n[i], bias)
    else:
        for i in range(room_of(node)):
            scores[i] = blend_mse(w[i], n[i], amaf_w[i], amaf_n[i], bias) + explore(ln_t, n[i], c)


cdef inline void read_amaf(const layout_t* layout, const node_t* node, const node_t* reference, double* visits,
                           double* wins) noexcept nogil:
    """What the reference knows of an entry's moves."""
    cdef const double* own_wins = own_wins_of(node) if node == reference else NULL
    cdef const uint32_t* own_visits
    cdef int i
    if own_wins == NULL:
        block_read(reference.amaf.block, layout.n_codes, codes_of(layout, node), room_of(node), turn_of(node),
                   visits, wins)
        return
    own_visits = own_visits_of(node)
    for i in range(room_of(node)):
        visits[i], wins[i] = own_visits[i], own_wins[i]


cdef double weight(const rule_t* rule, const node_t* node, int code, double w, double n, double amaf_w,
                   double amaf_n) noexcept nogil:
    """Return beta, the weight of the AMAF mean: 1 for an untried move, 0 for one without AMAF results."""
    if n == 0.0:
        return 1.0
    return beta_mse(n, amaf_n, (<const grave_t*> rule).bias) if amaf_n else 0.0


cdef void plan(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil:
    """`count_codes`, and the choice of the next move of each entry that is its own reference."""
    count_path_in_blocks(table, worker, walk, &(<const grave_t*> rule).bias)


cdef class GRAVE(Rule):
    """GRAVE with its settings, for the game of a position."""

    cdef grave_t grave

    def __cinit__(self, dict options not None, Position position not None):
        cdef grave_t* grave = &self.grave
        cdef rule_t* rule = &grave.rule
        memset(grave, 0, sizeof(grave_t))
        rule.abi, rule.amaf, rule.ref = RULE_ABI, AMAF_OF_CODES, options["ref"]
        rule.score, rule.weight = score, weight
        grave.bias, grave.c = options["bias"][0], options["c"]
        if (AMAF_SIMD_PLANS and grave.c == 0.0 and position.game.max_moves <= 64
                and position.game.n_codes <= 1024):
            rule.plan = plan
        self.c = rule
