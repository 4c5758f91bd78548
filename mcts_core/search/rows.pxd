"""What a search knows of the moves of one position: a row for each move, in legal order.

Every engine fills the same rows, so the final choice and the table of a result are written once.
"""
from libc.stdint cimport int64_t

cdef struct row_t:                      # results are the mover's; a field that a method does not count stays 0
    int64_t raw                         # the game's own code of the move
    int64_t code                        # its AMAF code; -1: the search does not use codes
    int64_t visits                      # playouts of the move
    double wins                         # the sum of their results
    double squares                      # the sum of the squared results
    int64_t amaf_visits                 # playouts in which its code occurred
    double amaf_wins                    # the sum of their results
    double recent_wins                  # flat: as wins and visits, but old playouts weigh less
    double recent_visits
    double recent_squares               # the sum of the squared weights
    double beta                         # the weight of AMAF's mean in the score; NaN: none
    double score                        # decides which move gets the next playout; NaN: none
    double minimax                      # the minimax of evaluations, for the mover; NaN: none
    double prior                        # expected by an evaluation, or the probability by a network; NaN: none
    double weight                       # its share of the policy that a network should learn; NaN: none
    double low                          # bounds on the true value, the first player's
    double high

cdef object new_rows(int n)
cdef row_t* rows_of(object rows) except NULL
cdef void clear_row(row_t* row) noexcept nogil
