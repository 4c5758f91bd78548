"""UCT's settings, for rules with another upper confidence bound. The code is in uct.pyx."""
from mcts_core.rule cimport Rule, rule_t

cdef struct uct_t:
    rule_t rule
    double c                            # weight of the exploration term
    double untried                      # the score of a move without a visit


cdef class UCT(Rule):
    cdef uct_t uct
