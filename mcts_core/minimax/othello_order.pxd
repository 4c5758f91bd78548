"""The moves of an Othello position with what they flip, to be taken best first."""
from libc.stdint cimport uint64_t

from mcts_core.base.bits cimport first_bit
from mcts_core.games.othello_board cimport flips_of

cdef enum:
    CHOICES_ROOM = 36                   # no position has more moves (33 is the most that is known)

cdef struct choice_t:
    uint64_t flips
    uint64_t disc                       # the square, as a board
    int square
    int score                           # the higher the sooner


cdef inline int list_choices(choice_t* choices, uint64_t own, uint64_t enemy, uint64_t legal) noexcept nogil:
    """All moves, squares ascending, and how many; scores are the caller's."""
    cdef int n = 0
    while legal:
        choices[n].square = first_bit(legal)
        choices[n].disc = legal & -legal
        choices[n].flips = flips_of(own, enemy, choices[n].square)
        legal &= legal - 1
        n += 1
    return n


cdef inline choice_t* take_best(choice_t* choices, int i, int n) noexcept nogil:
    """Put the best of the choices from i on in place i; of equals the one that stands first."""
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
