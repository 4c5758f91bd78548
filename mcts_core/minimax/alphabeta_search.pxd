"""Alpha-beta of any game with an evaluator, below the root: the state of a search, and the search of one position."""
from libc.stdint cimport int16_t, int64_t

from mcts_core.evaluator cimport evaluator_t
from mcts_core.game cimport game_t, move_t
from mcts_core.minimax.finisher cimport finisher_t
from mcts_core.minimax.limits cimport limits_t
from mcts_core.minimax.sharing cimport marks_t
from mcts_core.minimax.transposition cimport buckets_t

cdef enum:
    WON = 30000                         # the score of a won game; a win n plies ahead scores n less
    PROVEN = 25001                      # the least score of a proven win; evaluations stay below
    INFINITE = 32000
    UNKNOWN = INFINITE                  # no evaluation has this score
    MOST_LINE = 128                     # plies of a line; deeper positions are evaluated
    MOST_QUIET = 8                      # plies of quiescence; then a position is evaluated as it is
    HISTORY = 1 << 12                   # rows of the history: hashes of moves

cdef struct search_t:                   # of one thread
    limits_t limits
    const game_t* game
    const evaluator_t* evaluator
    const finisher_t* finisher          # NULL: there is none
    void* finishing                     # its working memory
    buckets_t* table                    # shared by all threads
    marks_t* marks                      # of all threads; NULL: this one is alone
    int age                             # of entries that are written now
    bint breach                         # the game broke its contract: the search ends
    bint is_selective                   # False: the value of the plain search to the full depth
    move_t* moves                       # room for the moves of each ply: `max_moves` a ply
    int* ranks                          # of these
    (move_t[2])[MOST_LINE] killers      # by ply: the last two quiet moves that caused a cutoff
    (int16_t[HISTORY])[2] history       # by side and hash of the move: higher if it caused cutoffs
    (move_t[MOST_LINE])[MOST_LINE] lines    # by ply: the principal variation from there
    int[MOST_LINE] lengths              # of these


cdef int search(search_t* s, const void* state, int depth, int alpha, int beta, int ply, bint is_pv,
                int known) noexcept nogil
cdef int quiesce(search_t* s, const void* state, int alpha, int beta, int ply, int left, int known) noexcept nogil
cdef int final_score(search_t* s, const void* state, int ply) noexcept nogil
cdef void age_history(search_t* s) noexcept nogil
