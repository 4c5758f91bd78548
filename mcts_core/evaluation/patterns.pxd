"""Patterns, for other compiled modules."""
from mcts_core.evaluation.pattern_score cimport patterns_t
from mcts_core.evaluator cimport Evaluator


cdef class Patterns(Evaluator):
    cdef patterns_t patterns
    cdef void* memory
