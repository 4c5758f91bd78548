"""Proof numbers in a tree search: GPN-MCTS (Kowalski, Soemers, Kosakowski and Winands 2025).

A position has a number for each player: how many leaves, at least, must still turn out well to prove that the player
wins. A leaf has 1, a position that the player has won 0, one that is not to be won INFINITY. Where the player moves,
the number is the least of the moves' numbers, elsewhere their sum. A move that looks easy to prove gets a bonus:

    bonus = 0 if its number is INFINITY, otherwise 1 - (number - least) / (1 + most - least)

where least and most are the finite numbers of the entry's moves. All numbers are for the side to move.
"""
from libc.math cimport INFINITY

from mcts_core.search.node cimport layout_t, node_t, proofs_of, turn_of
from mcts_core.search.walk cimport walk_t


cdef inline double proof_number(const layout_t* layout, const node_t* node, int player) noexcept nogil:
    """Return a player's number of an entry, from those of its moves."""
    cdef const double* proofs = proofs_of(layout, node, player)
    cdef double number = proofs[0]
    cdef int i
    for i in range(1, node.n_moves):
        if turn_of(node) == player:
            number = min(number, proofs[i])
        else:
            number += proofs[i]
    return number


cdef inline double leaf_number(const walk_t* walk, int player) noexcept nogil:
    """Return a player's number of the position where a walk ended."""
    if not walk.is_known:
        return 1.0
    return 0.0 if walk.result == 1.0 - player else INFINITY


cdef inline void keep_proofs(const layout_t* layout, walk_t* walk) noexcept nogil:
    """Back up both players' numbers of the position where a walk ended, from the end of its path up."""
    cdef node_t* node
    cdef double number
    cdef int player, depth
    for player in range(2):
        number, depth = leaf_number(walk, player), walk.depth
        while depth:
            depth -= 1
            node = walk.path[depth]
            proofs_of(layout, node, player)[walk.chosen[depth]] = number
            number = proof_number(layout, node, player)


cdef inline void add_bonus(const layout_t* layout, const node_t* node, double weight, double* scores) noexcept nogil:
    """Add each move's bonus to its score."""
    cdef const double* proofs = proofs_of(layout, node, turn_of(node))
    cdef double least = INFINITY, most = 0.0
    cdef int i
    for i in range(node.n_moves):
        if proofs[i] < INFINITY:
            least, most = min(least, proofs[i]), max(most, proofs[i])
    for i in range(node.n_moves):
        if proofs[i] < INFINITY:
            scores[i] += weight * (1.0 - (proofs[i] - least) / (1.0 + most - least))
