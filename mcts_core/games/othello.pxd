"""Othello as other compiled modules see it: its state, and positions made from discs."""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.position cimport Position

cdef enum:
    BLACK = 0                           # the first player
    WHITE = 1
    PASS = 64                           # a move beside the 64 squares

cdef struct state_t:
    uint64_t own                        # discs of the side to move
    uint64_t enemy
    uint64_t squares                    # the squares of the board
    uint64_t key
    uint8_t size
    uint8_t turn
    uint8_t[6] padding


cdef class Othello(Position):
    pass


cdef Othello othello_of(uint64_t own, uint64_t enemy, int size, int turn)
