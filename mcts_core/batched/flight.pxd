"""A flight: walks down many trees, whose new leaves are evaluated together.

    1. `collect`  each tree sends its walks down. Each ends at a position that is new, proven, or waiting already.
                  New ones become rows of the planes and masks. Visits count at once, and look like losses until 3.
    2. an evaluator gets all rows, in one call; `expand` reads its answer
    3. `update`   adds the value at the end of each walk to all moves that it made
"""
from libc.stdint cimport int32_t, int64_t, uint8_t

from mcts_core.batched.chooser cimport chooser_t
from mcts_core.batched.tree cimport line_t, tree_t

cdef enum fault_t:
    NO_FAULT
    NO_MEMORY
    BREACH                              # by the game
    BAD_VALUE                           # by the evaluator: not from 0 to 1
    BAD_LOGITS                          # by the evaluator: nan, or no move is possible

cdef struct step_t:                     # a move of a walk
    line_t node
    int32_t e                           # its edge

cdef struct walk_t:
    tree_t* tree
    line_t leaf                         # where it ended
    int64_t first                       # its first step
    int64_t n_steps                     # 0: the root is evaluated, which is no playout
    bint is_new                         # the walk has made the leaf

cdef struct leaf_t:                     # a row
    tree_t* tree
    line_t node
    int64_t first_code                  # of its moves

cdef struct flight_t:
    const chooser_t* chooser
    bint solver
    int lanes                           # walks of a tree in a flight
    tree_t* trees                       # of this flight
    int n_trees
    int64_t target                      # playouts that each tree is to reach
    walk_t* walks                       # room for all rows
    int n_walks
    step_t* steps
    int64_t n_steps
    int64_t room_for_steps
    leaf_t* rows
    int n_rows
    int32_t* codes                      # room for max_moves of each row
    int64_t n_codes
    int squares                         # of the board
    int n_actions
    uint8_t* planes                     # [rows, 2, squares]
    uint8_t* masks                      # [rows, n_actions]
    fault_t fault


cdef void collect(flight_t* flight) noexcept nogil
cdef void expand(flight_t* flight, const float* logits, const float* values) noexcept nogil
cdef void update(flight_t* flight) noexcept nogil
cdef void undo(flight_t* flight) noexcept nogil
