"""Othello for other compiled modules: its state, and positions made from discs."""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.position cimport Position

cdef enum:
    BLACK = 0                           # the first player
    WHITE = 1
    PASS = 64                           # as a move; 0 to 63 are squares

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
