"""PUCT: priors steer the search, as in AlphaZero (Silver et al. 2018; names as in its published pseudocode).

    Q + (pb_c_init + ln((N + pb_c_base + 1) / pb_c_base)) * sqrt(N) * P / (n + 1)

N are the visits of the position with its evaluation, n those of the move.
"""
from libc.math cimport log, sqrt
from libc.string cimport memset

from mcts_core.batched.chooser cimport Chooser, chooser_t
from mcts_core.batched.noise cimport dirichlet_draw
from mcts_core.batched.tree cimport edge_t, edges_of, logits_of, mean_of, node_at, node_t, prior_of, tree_t

cdef struct puct_t:
    chooser_t chooser
    double pb_c_init
    double pb_c_base
    double alpha                        # of the Dirichlet noise
    double fraction                     # of the noise in the priors of the root


cdef void begin(const chooser_t* chooser, tree_t* tree) noexcept nogil:
    """Mix noise into the priors of the root."""
    cdef const puct_t* puct = <const puct_t*> chooser
    cdef const node_t* root = node_at(tree, tree.root)
    cdef double* noise = <double*> node_at(tree, tree.noise)
    cdef edge_t* edges = edges_of(tree, root)
    cdef int i
    if puct.fraction == 0.0:
        return
    dirichlet_draw(&tree.rng, puct.alpha, root.n_moves, noise)
    for i in range(root.n_moves):
        edges[i].prior = (1.0 - puct.fraction) * edges[i].prior + puct.fraction * noise[i]


cdef void score(const chooser_t* chooser, const tree_t* tree, const node_t* node, double* scores) noexcept nogil:
    cdef const puct_t* puct = <const puct_t*> chooser
    cdef const edge_t* edges = edges_of(tree, node)
    cdef double visits = node.visits
    cdef double c = (puct.pb_c_init + log((visits + puct.pb_c_base + 1.0) / puct.pb_c_base)) * sqrt(visits)
    cdef int e
    for e in range(node.n_edges):
        scores[e] = mean_of(&edges[e], chooser.untried) + c * edges[e].prior / (edges[e].visits + 1.0)
    if node.next >= 0:
        scores[node.n_edges] = chooser.untried + c * prior_of(node, logits_of(<node_t*> node)[node.next])


cdef void merit(const chooser_t* chooser, const tree_t* tree, double* scores) noexcept nogil:
    score(chooser, tree, node_at(tree, tree.root), scores)


cdef void weigh(const chooser_t* chooser, const tree_t* tree, double* weights) noexcept nogil:
    """Weigh the moves by their shares of the visits."""
    cdef const node_t* root = node_at(tree, tree.root)
    cdef const edge_t* edges = edges_of(tree, root)
    cdef double total = max(1.0, root.visits - 1.0)
    cdef int i
    for i in range(root.n_moves):
        weights[i] = edges[i].visits / total


cdef class PUCT(Chooser):
    """PUCT with the settings of a method."""

    cdef puct_t puct

    def __cinit__(self, dict options not None):
        memset(&self.puct, 0, sizeof(puct_t))
        self.puct.chooser.untried = options["fpu"]
        self.puct.chooser.begin, self.puct.chooser.score = begin, score
        self.puct.chooser.merit, self.puct.chooser.weigh = merit, weigh
        self.puct.pb_c_init, self.puct.pb_c_base = options["pb_c_init"], options["pb_c_base"]
        self.puct.alpha, self.puct.fraction = options["dirichlet_alpha"], options["dirichlet_fraction"]
        self.c = &self.puct.chooser
