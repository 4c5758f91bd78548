"""A tree of a batched search: every position that was evaluated, in one block of memory.

A tree has no table: a position that is reached in two ways is two nodes. Records lie one after the other, each in
whole cache lines, and a record is named by the number of its first line (0: none), because the block moves when it
grows. There are two kinds of records:

    node    a position: its header, then its moves, then their logits
    edges   the moves of a node that were tried, each with its visits; most nodes have few or none

    new leaf --(collect)--> is_waiting --(evaluated)--> node without edges --(walked on)--> node with edges

Untried moves differ by their logits alone, so the best of them is always tried next, and a node needs to know only
that one. The root has edges for all moves, because noise changes their order there.
"""
from libc.math cimport exp
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t

from mcts_core.game cimport any_state_t, game_t, move_t
from mcts_core.rng cimport rng_t

ctypedef uint32_t line_t                # a record: its first line

cdef enum:
    LINE = 64                           # bytes

cdef struct node_t:                     # 64 bytes
    double value                        # expected result by the evaluator, or the result: the mover's
    double low                          # bounds on the true result, the first player's
    double high
    double total                        # of exp(logit - most) over all moves; 0: not computed yet
    float most                          # the largest logit
    uint32_t visits                     # 1 for its evaluation, and 1 for each walk that went on from it
    line_t edges
    int16_t n_edges
    int16_t n_moves                     # 0: the game is over
    int16_t next                        # the untried move with the largest logit, the first of equals; -1: none
    uint8_t turn
    uint8_t is_waiting                  # for its evaluation
    uint8_t has_bounds                  # the solver has bounded a move

cdef struct edge_t:                     # a move, as its mover sees it
    double wins                         # sum of the values
    double prior                        # softmax of the logits, at the root of PUCT with noise
    uint32_t visits
    line_t child
    int32_t i                           # its index among the legal moves
    float logit

cdef struct tree_t:
    const game_t* game
    char* memory
    int64_t used                        # bytes, line 0 included, which is not used
    int64_t room
    int64_t mark                        # `used` when this flight began
    int64_t limit                       # bytes; when `used` gets there, the tree stops growing
    int64_t n_nodes
    int64_t playouts
    any_state_t root_state
    line_t root
    line_t noise                        # a record of one double for each move of the root
    bint is_begun                       # the chooser has prepared the root
    bint is_full
    rng_t rng                           # draws the noise, then the final choice


cdef inline node_t* node_at(const tree_t* tree, line_t line) noexcept nogil:
    return <node_t*> (tree.memory + <int64_t> line * LINE)


cdef inline move_t* moves_of(node_t* node) noexcept nogil:
    return <move_t*> (node + 1)


cdef inline float* logits_of(node_t* node) noexcept nogil:
    return <float*> (moves_of(node) + node.n_moves)


cdef inline edge_t* edges_of(const tree_t* tree, const node_t* node) noexcept nogil:
    """Return the edges of a node. They move when the tree grows, and when the node gets more."""
    return <edge_t*> (tree.memory + <int64_t> node.edges * LINE)


cdef inline int64_t node_size(int n_moves) noexcept nogil:
    return sizeof(node_t) + n_moves * <int64_t> (sizeof(move_t) + sizeof(float))


cdef inline double prior_of(const node_t* node, float logit) noexcept nogil:
    return exp(<double> logit - node.most) / node.total


cdef inline double mean_of(const edge_t* edge, double untried) noexcept nogil:
    return edge.wins / edge.visits if edge.visits else untried


cdef inline bint is_proven(const node_t* node) noexcept nogil:
    return node.low == node.high


cdef bint tree_open(tree_t* tree, const game_t* game, const void* state, int64_t limit) noexcept nogil
cdef void tree_close(tree_t* tree) noexcept nogil
cdef bint tree_reserve(tree_t* tree, int64_t more) noexcept nogil
cdef line_t tree_take(tree_t* tree, int64_t size) noexcept nogil
cdef void measure_logits(node_t* node) noexcept nogil
cdef edge_t* add_edge(tree_t* tree, node_t* node) noexcept nogil
cdef void give_all_edges(tree_t* tree, node_t* node) noexcept nogil
cdef bint make_root(tree_t* tree, line_t line, const void* state) noexcept nogil
