"""Threads share out the moves of a position (after "ABDADA", Weill 1996).

All threads search the same position, and each marks the position after the move that it searches. A thread puts off
the moves that others are searching. When it comes back to them, their scores are in the table; if not, several threads
search below them, and share out the moves there. The first move never waits: its score makes the others' windows
narrow.
"""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.atomics cimport load, store
from mcts_core.base.bits cimport first_bit

cdef enum:
    MARKS = 1 << 12                     # fewer: more positions share a place by chance
    MOST_WAITING = 64                   # moves of a position that can wait: the bits of `waiting`

cdef struct marks_t:
    int64_t[MARKS] keys                 # mixed, of positions that a thread is searching; atomic

cdef struct turns_t:                    # the moves of a position, in the order in which a thread searches them
    int n                               # of them; 0: all have had their turn
    int i                               # the move whose turn it is
    bint is_late                        # this move has waited
    uint64_t waiting                    # a bit for each move that waits


cdef inline turns_t turns_of(int n) noexcept nogil:
    """Return the turns of n moves, before the first."""
    return turns_t(n, -1, False, 0)


cdef inline bint next_turn(turns_t* turns) noexcept nogil:
    """Set `i` to the next move. Returns whether there is one."""
    turns.i += 1
    if turns.i < turns.n:
        return True
    turns.n, turns.is_late = 0, True
    if turns.waiting == 0:
        return False
    turns.i = first_bit(turns.waiting)
    turns.waiting &= turns.waiting - 1
    return True


cdef inline int64_t mixed(uint64_t key) noexcept nogil:
    return <int64_t> (key * <uint64_t> 0x9E3779B97F4A7C15)


cdef inline int64_t* mark_of(marks_t* marks, uint64_t key) noexcept nogil:
    return &marks.keys[<uint64_t> mixed(key) >> 40 & MARKS - 1]


cdef inline bint wait_or_mark(turns_t* turns, marks_t* marks, uint64_t key) noexcept nogil:
    """Put off this move and return True if another thread is searching the position after it; else mark it."""
    cdef int64_t* mark = mark_of(marks, key)
    if 0 < turns.i < MOST_WAITING and not turns.is_late and load(mark) == mixed(key):
        turns.waiting |= <uint64_t> 1 << turns.i
        return True
    store(mark, mixed(key))
    return False


cdef inline void unmark(marks_t* marks, uint64_t key) noexcept nogil:
    """Note that the search of a position has ended."""
    store(mark_of(marks, key), 0)
