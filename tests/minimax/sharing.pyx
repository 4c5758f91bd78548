# cython: language_level=3
"""The order in which a thread searches moves that others are searching too."""
from libc.string cimport memset

from mcts_core.minimax.sharing cimport marks_t, next_turn, turns_of, turns_t, unmark, waits


def order(int n, marked, ended=()):
    """Return the moves as they are searched, while other threads search the marked ones.

    Those of `ended` they search no more.
    """
    cdef marks_t marks
    cdef turns_t turns = turns_of(n), others = turns_of(1)
    cdef int move
    memset(&marks, 0, sizeof(marks))
    next_turn(&others)
    for move in marked:
        assert not waits(&others, &marks, move + 1)
    for move in ended:
        unmark(&marks, move + 1)
    found = []
    while next_turn(&turns):
        if not waits(&turns, &marks, turns.i + 1):
            found.append(turns.i)
            unmark(&marks, turns.i + 1)
    return found
