"""The transposition table of the endgame solver: bounds on exact scores.

An entry holds the whole position, so positions are never confused. A bucket has two entries. A new position takes
the first, and the position there moves to the second; but a position with more empty squares keeps the first, and
the new one takes the second.
"""
from libc.stdint cimport int8_t, uint8_t, uint64_t

from mcts_core.minimax.transposition cimport bucket_of_board, buckets_t

cdef enum:
    NO_SQUARE = 255                     # no best move is known
    WORST = -127                        # below every score
    BUCKET = 2                          # entries

cdef struct bounds_t:
    uint64_t own                        # own and enemy 0: empty
    uint64_t enemy
    int8_t low                          # bounds on the score
    int8_t high
    uint8_t square                      # of the best move
    uint8_t empties                     # empty squares


cdef inline bounds_t* first_entry(const buckets_t* table, uint64_t own, uint64_t enemy) noexcept nogil:
    """Return the bucket of a position."""
    return <bounds_t*> table.entries + BUCKET * bucket_of_board(table, own, enemy)


cdef inline bint holds(const bounds_t* entry, uint64_t own, uint64_t enemy) noexcept nogil:
    return entry.own == own and entry.enemy == enemy


cdef inline bounds_t* find(const buckets_t* table, uint64_t own, uint64_t enemy) noexcept nogil:
    """Return the entry of a position, or NULL."""
    cdef bounds_t* entry = first_entry(table, own, enemy)
    if holds(entry, own, enemy):
        return entry
    entry += 1
    return entry if holds(entry, own, enemy) else NULL


cdef inline void keep(buckets_t* table, uint64_t own, uint64_t enemy, int n_empty, int alpha, int beta,
                      int score, int square) noexcept nogil:
    """Store the score of a search between alpha and beta, as bounds of the position."""
    cdef bounds_t* entry = first_entry(table, own, enemy)
    if not holds(entry, own, enemy):
        if entry.empties > n_empty or holds(&entry[1], own, enemy):
            entry += 1
        else:
            entry[1] = entry[0]
    if not holds(entry, own, enemy):
        entry.own, entry.enemy, entry.empties = own, enemy, n_empty
        entry.low, entry.high = WORST, -WORST
        entry.square = NO_SQUARE
    if score > alpha:
        entry.low = score
        entry.square = square
    if score < beta:
        entry.high = score
    if entry.square == NO_SQUARE:
        entry.square = square
