"""Othello for other compiled modules: positions made from discs. The state is in othello_rules.pxd."""
from libc.stdint cimport uint64_t

from mcts_core.position cimport Position


cdef class Othello(Position):
    pass


cdef Othello othello_of(uint64_t own, uint64_t enemy, int size, int turn)
