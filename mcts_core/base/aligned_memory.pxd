"""Memory in whole cache lines, so that two threads never write to one line, and memory in pages of the system.

Pieces of 2 MB and more ask for huge pages, because a search jumps about in its table: 5 % more
simulations on 8x8.
"""
from libc.stdint cimport int64_t

cdef extern from "mcts_core/base/aligned_memory.h":
    void* take_lines(int64_t size) noexcept nogil               # not zeroed; NULL: no memory
    void free_lines(void* p) noexcept nogil                     # p may be NULL
    void* take_pages(int64_t size) noexcept nogil               # zeroed; NULL: no memory
    void free_pages(void* p, int64_t size) noexcept nogil       # p is not NULL
    void touch_pages(void* p, int64_t size) noexcept nogil      # part of a new piece; it takes as long as clearing it
    void prefetch_line(const void* p) noexcept nogil            # a hint; p may be any address


cdef inline int64_t whole_lines(int64_t size) noexcept nogil:
    """Round a number of bytes up to whole cache lines."""
    return (size + 63) // 64 * 64
