"""One thread of the endgame solver: its limits, its tables, the guide, and the position at the root."""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.evaluator cimport evaluator_t
from mcts_core.game cimport game_t
from mcts_core.games.othello_rules cimport state_t
from mcts_core.minimax.limits cimport limits_t
from mcts_core.minimax.sharing cimport marks_t
from mcts_core.minimax.transposition cimport buckets_t

cdef enum:
    PATH_ROOM = 64                      # positions of a line: one for each number of empty squares
    ROOT = -1                           # in `settled`: another thread has finished the root
    NOWHERE = 1 << 20                   # in `settled`: all positions of the line are still open

cdef struct shared_t:                   # by the threads of a search, beside the table
    marks_t marks
    int64_t finished                    # threads that have finished the root; atomic
    int winner                          # the first of them

cdef struct open_t:                     # a position of the line that a thread is searching
    uint64_t own
    uint64_t enemy
    int alpha                           # its window
    int beta

cdef struct endgame_t:
    uint64_t squares                    # of the board
    int n_squares
    int size
    limits_t limits
    buckets_t* table                    # of positions with more than NEAR_END empty squares; shared
    buckets_t near_end                  # of the others: small, so that it stays in a cache; of this thread
    int shallow                         # empty squares up to which no table is used
    int64_t deep_nodes                  # nodes with more than `shallow` empty squares
    # the guide
    const evaluator_t* guide            # orders moves and predicts scores; NULL: none
    const game_t* game
    state_t state                       # for the guide
    int point                           # of its scores: a disc
    int certainty                       # of the pass: CERTAIN, or a number of SPREADS
    # other threads
    shared_t* shared                    # NULL: this thread is alone
    open_t[PATH_ROOM] path              # the positions of the line that other threads may settle
    int n_path
    int settled                         # the number in `path` of one that another thread has settled; ROOT, NOWHERE
    # the root
    uint64_t own
    uint64_t enemy
    uint64_t among                      # the squares of the moves to search
    int score                           # of the last search; WORST: a limit was met
    int square                          # of the best move so far; PASS; NO_SQUARE: not yet known
