"""Proof-number search of one goal by one thread: its state, and the search below a position."""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from mcts_core.base.stack cimport stack_t
from mcts_core.game cimport any_state_t, game_t, move_t
from mcts_core.minimax.limits cimport limits_t
from mcts_core.minimax.proof_table cimport proofs_t

cdef enum:
    MARKS = 1 << 12                     # fewer: more positions share a mark by chance
    LOOK_EVERY = 1024                   # nodes between two looks at the whole line

cdef enum fault_t:                      # of the game or the machine; it ends a proof
    NONE
    GAME_FAILED                         # `position.check()` raises the exception of a game in Python
    BREACH                              # the game broke its contract
    TOO_DEEP                            # a line is longer than max_plies
    NO_MEMORY

cdef struct child_t:
    uint64_t key
    uint32_t proof                      # for its own mover
    uint32_t disproof
    move_t move                         # that leads to it
    uint8_t others                      # threads at work in it, when it was recalled
    uint8_t same_mover                  # as in the parent; if not, proof and disproof change places there

cdef struct frame_t:                    # a position on the line under search
    any_state_t state
    child_t node                        # its numbers
    uint32_t proof_limit                # the search leaves it when `proof` reaches this,
    uint32_t disproof_limit             # or `disproof` this
    int64_t before                      # nodes when it was entered
    int64_t recall_at                   # nodes at which its children are recalled
    bint is_marked
    child_t* children
    int n_children
    int best                            # the child to search
    uint32_t best_proof_limit           # the child's limits
    uint32_t best_disproof_limit

cdef struct crew_t:                     # what the threads share
    proofs_t table
    int64_t[MARKS] marks                # threads at work in positions, by a hash of the key
    int64_t has_ended                   # 1: the first thread has ended, so the helpers have to stop
    int64_t helped                      # nodes of helpers, in all proofs
    int64_t n_new                       # entries of helpers for which the table has not grown yet
    int64_t fault                       # of a helper

cdef struct exact_t:                    # one thread
    limits_t limits
    crew_t* crew
    bint is_shared                      # there are several threads
    bint is_helper
    int64_t look_at                     # nodes at which the thread looks at its whole line
    int64_t told                        # nodes that a helper has counted in `helped`
    int64_t n_new                       # entries for which the table has not grown yet
    int64_t node_limit                  # for all threads together; the first thread's own limit is less
    const game_t* game
    uint64_t (*key)(const game_t* game, const void* state) noexcept nogil   # the game's `fold`, or else its `key`
    int player                          # the goal: this player
    double least                        # gets at least this result
    bint draw_seen                      # a game ended with a result between 0 and 1
    fault_t fault
    stack_t line                        # of frame_t


cdef void look_up(exact_t* s, const void* state, child_t* child) noexcept nogil
cdef bint rate(exact_t* s, const void* state, child_t* child) noexcept nogil
cdef void search(exact_t* s, const void* state, child_t* root) noexcept nogil
cdef void tell(exact_t* s) noexcept nogil
