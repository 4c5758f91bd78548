"""Gumbel search: sequential halving at the root, a deterministic choice below (Danihelka et al. 2022).

The means of untried moves are completed by `mixed_value`. Means are then scaled to 0..1 and weighed against logits:

    s(q) = (maxvisit_init + most visits of a move) * value_scale * (q - least) / (most - least)

- At the root, with noise g: the best `g + logit + s(q)` of the moves that have as many visits as the schedule says.
  At first these are the `num_considered` moves with the best `g + logit`; half of them stay in each phase.
- Below: the best `softmax(logit + s(q)) - n / (1 + sum of n)`, so that visits come to follow that policy.
- What a network should learn: `softmax(logit + s(q))` of the root.
"""
from libc.math cimport INFINITY, exp
from libc.stdint cimport int64_t
from libc.string cimport memset

from mcts_core.batched.chooser cimport Chooser, chooser_t
from mcts_core.batched.noise cimport gumbel_draw
from mcts_core.batched.tree cimport edge_t, edges_of, logits_of, mean_of, node_at, node_t, tree_t

from mcts_core.errors import BadMethod

cdef double LEAST_SCORE = -1e9          # of a considered move
cdef double NOT_CONSIDERED = 4e9        # subtracted: such a move is chosen only if the solver has struck out the others
cdef double LEAST_RANGE = 1e-8          # of means
cdef double LEAST_PRIOR = 1e-300        # of a tried move, so that its mean counts

cdef struct gumbel_t:
    chooser_t chooser
    int num_considered
    double scale                        # of the noise
    double value_scale
    double maxvisit_init
    int64_t budget                      # simulations of each tree

cdef struct scale_t:                    # of the means at a node
    double mixed                        # the mean of an untried move
    double least
    double range
    double factor


cdef void begin(const chooser_t* chooser, tree_t* tree) noexcept nogil:
    """Draw the noise of the root's moves."""
    cdef double* noise = <double*> node_at(tree, tree.noise)
    cdef int i
    for i in range(node_at(tree, tree.root).n_moves):
        noise[i] = (<const gumbel_t*> chooser).scale * gumbel_draw(&tree.rng)


cdef double mixed_value(const node_t* node, const edge_t* edges) noexcept nogil:
    """Return the mean of the evaluation and of the visits, where each tried move counts by its prior."""
    cdef double total = 0.0, weighted = 0.0, visits = node.visits - 1.0, prior
    cdef int e
    for e in range(node.n_edges):
        if edges[e].visits:
            prior = max(edges[e].prior, LEAST_PRIOR)
            total += prior
            weighted += prior * mean_of(&edges[e], 0.0)
    return (node.value + visits * (weighted / total)) / (visits + 1.0) if total > 0.0 else node.value


cdef scale_t scale_for(const gumbel_t* gumbel, const tree_t* tree, const node_t* node) noexcept nogil:
    """Return how the means of a node are scaled. Actions that are not legal count as untried."""
    cdef const edge_t* edges = edges_of(tree, node)
    cdef scale_t scale
    cdef double mean, least, most, most_visits = 0.0
    cdef int e
    scale.mixed = mixed_value(node, edges)
    least, most = INFINITY, -INFINITY
    if node.n_edges < tree.game.n_codes:
        least = most = scale.mixed
    for e in range(node.n_edges):
        mean = mean_of(&edges[e], scale.mixed)
        least, most = min(least, mean), max(most, mean)
        most_visits = max(most_visits, <double> edges[e].visits)
    scale.least, scale.range = least, max(most - least, LEAST_RANGE)
    scale.factor = (gumbel.maxvisit_init + most_visits) * gumbel.value_scale
    return scale


cdef inline double scaled(const scale_t* scale, double mean) noexcept nogil:
    return scale.factor * ((mean - scale.least) / scale.range)


cdef void improve(const gumbel_t* gumbel, const tree_t* tree, node_t* node, double* out) noexcept nogil:
    """Write softmax(logit + s(q)) of the edges and of the move to try next, over all moves."""
    cdef const edge_t* edges = edges_of(tree, node)
    cdef scale_t scale = scale_for(gumbel, tree, node)
    cdef double top = -INFINITY, total = 0.0, tried = 0.0, untried = scaled(&scale, scale.mixed)
    cdef int e, n = node.n_edges
    for e in range(n):
        out[e] = (<double> edges[e].logit - node.most) + scaled(&scale, mean_of(&edges[e], scale.mixed))
        top = max(top, out[e])
        tried += edges[e].prior
    if node.next >= 0:
        out[n] = (<double> logits_of(node)[node.next] - node.most) + untried
        top = max(top, out[n])
        total = node.total * max(0.0, 1.0 - tried) * exp(untried - top)
        out[n] = exp(out[n] - top)
    for e in range(n):
        out[e] = exp(out[e] - top)
        total += out[e]
    for e in range(n + (node.next >= 0)):
        out[e] /= total


cdef int64_t considered_visits(int n, int64_t budget, int64_t index) noexcept nogil:
    """Return how many visits the moves have that simulation `index` chooses from. n moves are considered at first."""
    cdef int64_t visits = 0, rounds
    cdef int phases = 0
    if n <= 1:
        return index
    while 1 << phases < n:
        phases += 1
    while True:
        rounds = max(<int64_t> 1, budget // (phases * n))
        if index < rounds * n:
            return visits + index // n
        index, visits, n = index - rounds * n, visits + rounds, max(2, n // 2)


cdef void merit(const chooser_t* chooser, const tree_t* tree, double* scores) noexcept nogil:
    """Score the moves of the root by noise + logit + s(q)."""
    cdef const gumbel_t* gumbel = <const gumbel_t*> chooser
    cdef const node_t* root = node_at(tree, tree.root)
    cdef const edge_t* edges = edges_of(tree, root)
    cdef const double* noise = <const double*> node_at(tree, tree.noise)
    cdef scale_t scale = scale_for(gumbel, tree, root)
    cdef int i
    for i in range(root.n_moves):
        scores[i] = noise[i] + (<double> edges[i].logit - root.most) + scaled(&scale, mean_of(&edges[i], scale.mixed))
        scores[i] = max(LEAST_SCORE, scores[i])


cdef void score(const chooser_t* chooser, const tree_t* tree, const node_t* node, double* scores) noexcept nogil:
    cdef const gumbel_t* gumbel = <const gumbel_t*> chooser
    cdef const edge_t* edges = edges_of(tree, node)
    cdef int64_t considered
    cdef int e
    if node == node_at(tree, tree.root):
        merit(chooser, tree, scores)
        considered = considered_visits(min(gumbel.num_considered, <int> node.n_moves), gumbel.budget, node.visits - 1)
        for e in range(node.n_edges):
            if edges[e].visits != considered:
                scores[e] -= NOT_CONSIDERED
    else:
        improve(gumbel, tree, <node_t*> node, scores)
        for e in range(node.n_edges):
            scores[e] -= edges[e].visits / <double> node.visits


cdef void weigh(const chooser_t* chooser, const tree_t* tree, double* weights) noexcept nogil:
    improve(<const gumbel_t*> chooser, tree, node_at(tree, tree.root), weights)


cdef class Gumbel(Chooser):
    """Gumbel with the settings of a method, and the number of simulations."""

    cdef gumbel_t gumbel

    def __cinit__(self, dict options not None):
        if options["budget"] is None:
            raise BadMethod("Gumbel shares out a known number of playouts: give playouts= (a Searcher cannot)")
        memset(&self.gumbel, 0, sizeof(gumbel_t))
        self.gumbel.chooser.scores_decide = True
        self.gumbel.chooser.begin, self.gumbel.chooser.score = begin, score
        self.gumbel.chooser.merit, self.gumbel.chooser.weigh = merit, weigh
        self.gumbel.num_considered, self.gumbel.scale = options["num_considered"], options["gumbel_scale"]
        self.gumbel.value_scale, self.gumbel.maxvisit_init = options["value_scale"], options["maxvisit_init"]
        self.gumbel.budget = options["budget"]
        self.c = &self.gumbel.chooser
