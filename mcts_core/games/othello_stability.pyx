"""Discs that can never be flipped, and discs that the opponent could flip with one move.

A disc is flipped along a line through it that has an empty square. So a disc is stable if along each
of its four lines one of these holds:

- every square of the line is taken;
- the next square on one side is off the board or a stable disc of the same colour.

On an edge only the edge itself can flip discs, so stability is known exactly: a table holds, for every
filling of an edge, the discs that keep their colour whatever is placed on the empty squares. Starting
from edges and full lines, the rule is applied until it adds nothing. All discs it finds are stable;
some stable discs it may miss.
"""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.base.bits cimport count_bits

cdef enum:
    EDGE_FILLINGS = 6561                # 3 ** 8

cdef uint64_t FILE_A = 0x0101010101010101
cdef uint64_t FILE_H = 0x8080808080808080
cdef uint64_t INNER = 0x7E7E7E7E7E7E7E7E

cdef int[256] TERNARY                   # a byte's bits as digits in base 3
cdef uint8_t[3][EDGE_FILLINGS] EDGES    # stable discs, by size // 2 - 2 and TERNARY[own] + 2*TERNARY[enemy]


# The edges

cdef int line_flips(int own, int enemy, int square, int size) noexcept nogil:
    """Return the enemy's discs on a line of that size that an own disc on that square flips."""
    cdef int flips = 0, passed, step, at
    for step in range(-1, 2, 2):
        passed = 0
        at = square + step
        while 0 <= at < size and enemy >> at & 1:
            passed |= 1 << at
            at += step
        if 0 <= at < size and own >> at & 1:
            flips |= passed
    return flips


cdef void fill_tables() noexcept:
    """Fill the tables. Fillings with fewer empty squares come first, because placing a disc leads to them."""
    cdef int size, n_empty, own, enemy, free, square, flips, kept
    cdef uint8_t* edges
    for own in range(256):
        TERNARY[own] = 0
        for square in range(7, -1, -1):
            TERNARY[own] = 3 * TERNARY[own] + (own >> square & 1)
    for size in (4, 6, 8):
        edges = EDGES[size // 2 - 2]
        for n_empty in range(size + 1):
            for own in range(1 << size):
                for enemy in range(1 << size):
                    free = (1 << size) - 1 & ~(own | enemy)
                    if own & enemy or count_bits(free) != n_empty:
                        continue
                    kept = own | enemy
                    for square in range(size):
                        if free >> square & 1:
                            flips = line_flips(own, enemy, square, size)
                            kept &= ~flips & edges[TERNARY[own | flips | 1 << square] + 2 * TERNARY[enemy & ~flips]]
                            flips = line_flips(enemy, own, square, size)
                            kept &= ~flips & edges[TERNARY[own & ~flips] + 2 * TERNARY[enemy | flips | 1 << square]]
                    edges[TERNARY[own] + 2 * TERNARY[enemy]] = kept

fill_tables()


cdef inline int file_of(uint64_t board, int col) noexcept nogil:
    """Return a file as a byte, its first row in the lowest bit."""
    return <int> ((board >> col & FILE_A) * <uint64_t> 0x0102040810204080 >> 56)


cdef inline uint64_t on_file(uint64_t line, int col) noexcept nogil:
    """Return a byte as a file: the inverse of `file_of`."""
    return ((line & 0x7F) * <uint64_t> 0x0002040810204081 & FILE_A | (line & 0x80) << 49) << col


cdef inline uint64_t edge_stable(uint64_t own, uint64_t enemy, int size) noexcept nogil:
    """Return the stable discs of both colours on the four edges."""
    cdef const uint8_t* edges = EDGES[size // 2 - 2]
    cdef int last = size - 1
    return (<uint64_t> edges[TERNARY[own & 0xFF] + 2 * TERNARY[enemy & 0xFF]]
            | <uint64_t> edges[TERNARY[own >> 8 * last & 0xFF] + 2 * TERNARY[enemy >> 8 * last & 0xFF]] << 8 * last
            | on_file(edges[TERNARY[file_of(own, 0)] + 2 * TERNARY[file_of(enemy, 0)]], 0)
            | on_file(edges[TERNARY[file_of(own, last)] + 2 * TERNARY[file_of(enemy, last)]], last))


# Full lines

cdef inline uint64_t full_line(uint64_t taken, int step, uint64_t low_1, uint64_t low_2, uint64_t low_4,
                               uint64_t high_1, uint64_t high_2, uint64_t high_4) noexcept nogil:
    """Return the squares of lines on which all squares are taken.

    low_k are the squares whose k-th neighbour towards lower bits is off the board; high_k, towards higher bits.
    """
    cdef uint64_t up = taken & (taken >> step | high_1), down = taken & (taken << step | low_1)
    up &= up >> 2 * step | high_2
    down &= down << 2 * step | low_2
    up &= up >> 4 * step | high_4
    down &= down << 4 * step | low_4
    return up & down


cdef inline uint64_t full_row(uint64_t taken) noexcept nogil:
    taken &= taken >> 4 & <uint64_t> 0x0F0F0F0F0F0F0F0F
    taken &= taken >> 2
    taken &= taken >> 1
    return (taken & FILE_A) * 0xFF


cdef inline uint64_t full_file(uint64_t taken) noexcept nogil:
    taken &= taken >> 32 | taken << 32
    taken &= taken >> 16 | taken << 48
    return taken & (taken >> 8 | taken << 56)


cdef inline uint64_t full_rising(uint64_t taken) noexcept nogil:
    """Do `full_line` for lines of step 7: one row up, one column down."""
    return full_line(taken, 7,
                     <uint64_t> 0x80808080808080FF, <uint64_t> 0xC0C0C0C0C0C0FFFF, <uint64_t> 0xF0F0F0F0FFFFFFFF,
                     <uint64_t> 0xFF01010101010101, <uint64_t> 0xFFFF030303030303, <uint64_t> 0xFFFFFFFF0F0F0F0F)


cdef inline uint64_t full_falling(uint64_t taken) noexcept nogil:
    """Do `full_line` for lines of step 9: one row up, one column up."""
    return full_line(taken, 9,
                     <uint64_t> 0x01010101010101FF, <uint64_t> 0x030303030303FFFF, <uint64_t> 0x0F0F0F0FFFFFFFFF,
                     <uint64_t> 0xFF80808080808080, <uint64_t> 0xFFFFC0C0C0C0C0C0, <uint64_t> 0xFFFFFFFFF0F0F0F0)


cdef uint64_t stable_discs(uint64_t own, uint64_t enemy, uint64_t squares, int size) noexcept nogil:
    """Return own discs that can never be flipped."""
    cdef uint64_t taken = own | enemy | ~squares
    cdef uint64_t row = full_row(taken), file = full_file(taken)
    cdef uint64_t rising = full_rising(taken), falling = full_falling(taken)
    cdef uint64_t stable = own & (edge_stable(own, enemy, size) | row & file & rising & falling)
    cdef uint64_t sure, more = stable
    if stable == 0:
        return 0
    while more:
        sure = stable | ~squares        # a square off the board protects like a stable disc
        more = own & ~stable & (row | (sure << 1 | FILE_A) | (sure >> 1 | FILE_H))
        more &= file | (sure << 8 | 0xFF) | (sure >> 8 | <uint64_t> 0xFF << 56)
        more &= rising | (sure << 7 | FILE_H | 0xFF) | (sure >> 7 | FILE_A | <uint64_t> 0xFF << 56)
        more &= falling | (sure << 9 | FILE_A | 0xFF) | (sure >> 9 | FILE_H | <uint64_t> 0xFF << 56)
        stable |= more
    return stable


# Discs that can be flipped at once

cdef inline uint64_t run_up(uint64_t start, uint64_t through, int step) noexcept nogil:
    """Return the unbroken runs through these squares that begin next to a start, towards higher bits."""
    cdef uint64_t run = through & (start << step)
    cdef uint64_t pairs = through & (through << step)
    run |= through & (run << step)
    run |= pairs & (run << 2 * step)
    return run | pairs & (run << 2 * step)


cdef inline uint64_t run_down(uint64_t start, uint64_t through, int step) noexcept nogil:
    cdef uint64_t run = through & (start >> step)
    cdef uint64_t pairs = through & (through >> step)
    run |= through & (run >> step)
    run |= pairs & (run >> 2 * step)
    return run | pairs & (run >> 2 * step)


cdef inline uint64_t between(uint64_t discs, uint64_t empty, uint64_t through, int step) noexcept nogil:
    """Return the runs with a disc at one end and an empty square at the other."""
    return (run_up(discs, through, step) & run_down(empty, through, step)
            | run_down(discs, through, step) & run_up(empty, through, step))


cdef uint64_t loose_discs(uint64_t own, uint64_t enemy, uint64_t squares) noexcept nogil:
    """Return the own discs that the enemy could flip if it were to move."""
    cdef uint64_t empty = squares & ~(own | enemy), inner = own & INNER
    return (between(enemy, empty, inner, 1) | between(enemy, empty, own, 8)
            | between(enemy, empty, inner, 7) | between(enemy, empty, inner, 9))
