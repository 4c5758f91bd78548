"""Rules that break the contract, or need what a game may lack."""
from libc.string cimport memset

from mcts_core.rule cimport MOST_COLUMNS, MOST_PHASES, RULE_ABI, rule_capsule, rule_t
from mcts_core.search.node cimport AMAF_OF_CODES, AMAF_OF_MOVES, amaf_t, layout_t, node_t
from mcts_core.search.table cimport table_t
from mcts_core.search.walk cimport walk_t, worker_t

cdef rule_t old, scoreless, wide, unknown_amaf, planless, phases, needs_codes, needs_progress


cdef void score(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                double* scores) noexcept nogil:
    cdef int i
    for i in range(node.n_moves):
        scores[i] = 0.0


cdef void plan(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil:
    pass


cdef object made(rule_t* rule):
    memset(rule, 0, sizeof(rule_t))
    rule.abi, rule.score = RULE_ABI, score
    return rule_capsule(rule)


OLD, SCORELESS, WIDE, UNKNOWN_AMAF = made(&old), made(&scoreless), made(&wide), made(&unknown_amaf)
PLANLESS, PHASES = made(&planless), made(&phases)
NEEDS_CODES, NEEDS_PROGRESS = made(&needs_codes), made(&needs_progress)
old.abi = 0
scoreless.score = NULL
wide.n_sums = MOST_COLUMNS + 1
unknown_amaf.amaf = <amaf_t> (AMAF_OF_CODES + 1)
planless.plan = plan
phases.n_phases = MOST_PHASES + 1
needs_codes.amaf = AMAF_OF_MOVES
needs_progress.n_phases = 2
