"""RAVE: a move's mean blended with its AMAF mean in the same entry (Gelly and Silver 2011), by one of four betas."""
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memset

from mcts_core.position cimport Position
from mcts_core.rule cimport RULE_ABI, Rule, rule_t
from mcts_core.search.amaf cimport count_path
from mcts_core.search.amaf_simd cimport AMAF_SIMD_PLANS
from mcts_core.search.node cimport (
    AMAF_OF_MOVES, amaf_visits_of, amaf_wins_of, codes_of, layout_t, node_t, phase_of, room_of, visits_of, wins_of
)
from mcts_core.search.rules.blend cimport blend, blend_mse, explore, ln_visits
from mcts_core.search.select cimport beta_hand, beta_heuristic, beta_mse, beta_variance
from mcts_core.search.table cimport table_t
from mcts_core.search.walk cimport walk_t, worker_t

from mcts_core.errors import BadMethod, breach

cdef enum beta_t:
    MSE
    HAND
    HEURISTIC
    VARIANCE

BETAS = {"mse": MSE, "heuristic": HEURISTIC, "hand": HAND, "variance": VARIANCE}

cdef struct rave_t:
    rule_t rule
    beta_t beta
    double c                            # weight of the exploration term; 0: there is none
    double k                            # HAND: visits of the entry at which both means weigh the same
    double min_samples                  # VARIANCE: results of each mean from which on the bias is estimated
    double* bias                        # MSE: one for each phase
    double* bias_of_code                # MSE: one for each code; NULL: biases go by phase


cdef inline double bias_at(const rave_t* rave, const node_t* node, int code) noexcept nogil:
    return rave.bias_of_code[code] if rave.bias_of_code != NULL else rave.bias[phase_of(node)]


cdef double weight(const rule_t* rule, const node_t* node, int code, double w, double n, double amaf_w,
                   double amaf_n) noexcept nogil:
    """Return beta, the weight of the AMAF mean: 1 for an untried move, 0 for one without AMAF results."""
    cdef const rave_t* rave = <const rave_t*> rule
    if n == 0.0:
        return 1.0
    if amaf_n == 0.0:
        return 0.0
    if rave.beta == MSE:
        return beta_mse(n, amaf_n, bias_at(rave, node, code))
    if rave.beta == HAND:
        return beta_hand(node.t, rave.k)
    if rave.beta == HEURISTIC:
        return beta_heuristic(n, amaf_n)
    return beta_variance(w, n, amaf_w, amaf_n, rave.min_samples)


cdef void score_mse(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                    double* scores) noexcept nogil:
    """Score with MSE and one bias, or one for each phase: the default, in loops without calls."""
    cdef const rave_t* rave = <const rave_t*> rule
    cdef const double* w = wins_of(node)
    cdef const double* amaf_w = amaf_wins_of(node)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef const uint32_t* amaf_n = amaf_visits_of(layout, node)
    cdef double c = rave.c, ln_t = ln_visits(node.t, c), bias = rave.bias[phase_of(node)]
    cdef int i
    if c > 0.0:
        for i in range(room_of(node)):
            scores[i] = blend_mse(w[i], n[i], amaf_w[i], amaf_n[i], bias) + explore(ln_t, n[i], c)
    else:
        for i in range(room_of(node)):
            scores[i] = blend_mse(w[i], n[i], amaf_w[i], amaf_n[i], bias)


cdef inline double blend_any(const rave_t* rave, const node_t* node, int code, double w, double n, double amaf_w,
                             double amaf_n) noexcept nogil:
    if rave.beta == MSE:
        return blend_mse(w, n, amaf_w, amaf_n, bias_at(rave, node, code))
    return blend(w, n, amaf_w, amaf_n, weight(&rave.rule, node, code, w, n, amaf_w, amaf_n))


cdef void score(const rule_t* rule, const layout_t* layout, const node_t* node, const node_t* reference,
                double* scores) noexcept nogil:
    """Score with any beta, and with MSE and a bias for each code."""
    cdef const rave_t* rave = <const rave_t*> rule
    cdef const double* w = wins_of(node)
    cdef const double* amaf_w = amaf_wins_of(node)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef const uint32_t* amaf_n = amaf_visits_of(layout, node)
    cdef const uint16_t* codes = codes_of(layout, node)
    cdef double c = rave.c, ln_t = ln_visits(node.t, c)
    cdef int i
    for i in range(node.n_moves):
        scores[i] = blend_any(rave, node, codes[i], w[i], n[i], amaf_w[i], amaf_n[i]) + explore(ln_t, n[i], c)


cdef void plan(const rule_t* rule, table_t* table, worker_t* worker, walk_t* walk) noexcept nogil:
    """Do as `count_moves`, and choose each entry's next move."""
    count_path(table, &worker.cursor, walk, (<const rave_t*> rule).bias)


cdef class RAVE(Rule):
    """RAVE with its settings, for the game of a position."""

    cdef rave_t rave

    def __cinit__(self, dict options not None, Position position not None):
        cdef rave_t* rave = &self.rave
        cdef rule_t* rule = &rave.rule
        memset(rave, 0, sizeof(rave_t))
        rule.abi, rule.amaf, rule.weight = RULE_ABI, AMAF_OF_MOVES, weight
        rave.beta, rave.c, rave.k = BETAS[options["beta"]], options["c"], options["k"]
        rave.min_samples = options["min_samples"]
        self.set_biases(options["bias"], options["scale"], position)
        if rave.beta != MSE or rave.bias_of_code != NULL:
            rule.score = score
        else:
            rule.score = score_mse
            if (AMAF_SIMD_PLANS and rave.c == 0.0 and position.game.max_moves <= 64
                    and position.game.n_codes <= 1024):
                rule.plan = plan
        self.c = rule

    def __dealloc__(self):
        PyMem_RawFree(self.rave.bias)
        PyMem_RawFree(self.rave.bias_of_code)

    cdef int set_biases(self, biases, scale, Position position) except -1:
        """Set one bias, or one for each phase of the game, or one for each kind of move."""
        cdef int i
        if not biases:
            raise BadMethod("bias needs one number at least")
        if scale is None and len(biases) != 1:
            raise BadMethod(f"{len(biases)} biases need scale='kind' or scale='phase'")
        self.rave.bias = numbers(len(biases))
        for i in range(len(biases)):
            self.rave.bias[i] = biases[i]
        if scale == "kind":
            self.spread_over_codes(len(biases), position)
        elif scale == "phase":
            if position.game.progress == NULL:
                raise BadMethod("scale='phase' needs a game that tells its progress, and this one does not")
            self.rave.rule.n_phases = len(biases)
        return 0

    cdef int spread_over_codes(self, int n_kinds, Position position) except -1:
        cdef int code, kind
        if position.game.kind == NULL or position.game.n_kinds != n_kinds:
            raise BadMethod(f"scale='kind' needs one bias for each of this game's {position.game.n_kinds} kinds "
                            f"of moves, not {n_kinds}")
        self.rave.bias_of_code = numbers(position.game.n_codes)
        for code in range(position.game.n_codes):
            kind = position.game.kind(position.game, code)
            if not 0 <= kind < n_kinds:
                raise breach(f"the kind of code {code} is {kind}, and it has {n_kinds}")
            self.rave.bias_of_code[code] = self.rave.bias[kind]
        return 0


cdef double* numbers(int n) except NULL:
    cdef double* made = <double*> PyMem_RawCalloc(max(n, 1), sizeof(double))
    if made == NULL:
        raise MemoryError("no memory for the settings of a search")
    return made
