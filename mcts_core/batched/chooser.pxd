"""THE CONTRACT of a chooser: how the moves of a batched search are chosen.

A chooser is a struct that begins with a chooser_t and holds its settings. `puct` and `gumbel` are choosers.
"""
from mcts_core.batched.tree cimport node_t, tree_t

cdef struct chooser_t:
    double untried                      # the mean of a move without visits
    bint scores_decide                  # among the moves with the most visits the best score is played, not the mean
    # Prepares the root, which is evaluated and has edges for all moves: adds noise. May draw from `tree.rng`. May be
    # NULL. `tree.noise` has room for one double for each move.
    void (*begin)(const chooser_t* chooser, tree_t* tree) noexcept nogil
    # Scores the edges of a node, then the move to try next, if there is one: a walk takes the best, the first of
    # equals in legal order.
    void (*score)(const chooser_t* chooser, const tree_t* tree, const node_t* node, double* scores) noexcept nogil
    # Scores the moves of the root for the final choice.
    void (*merit)(const chooser_t* chooser, const tree_t* tree, double* scores) noexcept nogil
    # Weighs the moves of the root: the policy that a network should learn. They add up to 1.
    void (*weigh)(const chooser_t* chooser, const tree_t* tree, double* weights) noexcept nogil


cdef class Chooser:
    """A chooser, and what keeps its memory."""

    cdef const chooser_t* c
