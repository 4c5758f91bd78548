"""Alpha-beta for Othello below the root: the state of a search, and the search of one position."""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.evaluation.othello_eval cimport eval_t
from mcts_core.minimax.othello_table cimport transpositions_t
from mcts_core.minimax.limits cimport limits_t

cdef enum:
    MOST_PLIES = 128                    # of a line: at most every other ply is a pass

cdef struct search_t:
    limits_t limits
    const eval_t* evaluation
    void* owner                         # the CompiledEvaluation, for evaluations that are Python functions
    transpositions_t table
    int turn                            # the root's mover
    uint8_t[MOST_PLIES][2] killers      # by ply: the squares of the last two moves that caused a cutoff
    int[2][65] history                  # by side and square: the sum of depth^2 of the cutoffs
    uint8_t[MOST_PLIES + 1][MOST_PLIES + 1] pv  # by ply: the length of the line from there, then its squares


cdef double search(search_t* s, uint64_t own, uint64_t enemy, int depth,
                   double alpha, double beta, int ply, bint is_pv) noexcept nogil
