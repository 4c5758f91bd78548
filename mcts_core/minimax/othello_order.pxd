"""The moves of an Othello position with the discs they flip, picked by a score that the search sets."""
from libc.stdint cimport uint64_t

from mcts_core.base.bits cimport first_bit
from mcts_core.games.othello_board cimport flips_in_vectors

cdef enum:
    CHOICES_ROOM = 64                   # moves: one for each square

cdef struct choice_t:
    uint64_t flips
    uint64_t disc                       # the square as a bitboard
    int square
    int score                           # higher is searched first


cdef inline int list_choices(choice_t* choices, uint64_t own, uint64_t enemy, uint64_t legal) noexcept nogil:
    """List all moves, squares ascending, without scores. Returns their number."""
    cdef int n = 0
    while legal:
        choices[n].square = first_bit(legal)
        choices[n].disc = legal & -legal
        choices[n].flips = flips_in_vectors(own, enemy, choices[n].square)
        legal &= legal - 1
        n += 1
    return n


cdef inline choice_t* take_best(choice_t* choices, int i, int n) noexcept nogil:
    """Swap the best of the choices from i on, the first of equals, into place i, and return it."""
    cdef int j, best = i
    cdef choice_t kept
    for j in range(i + 1, n):
        if choices[j].score > choices[best].score:
            best = j
    if best != i:
        kept = choices[best]
        choices[best] = choices[i]
        choices[i] = kept
    return &choices[i]
