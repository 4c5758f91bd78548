"""Perft of any game."""
from libc.stdint cimport uint64_t

from mcts_core.game cimport game_t

cdef int perft_depth(object plies) except -1
cdef uint64_t perft(const game_t* game, const void* start, int depth) except? 0 nogil
