"""Memory in whole cache lines, so that no line has what two threads write; and memory in pages of the system.

Pieces of 2 MB and more ask for huge pages, because a search jumps about in its table: 5 % more
simulations on 8x8.
"""
from libc.stdint cimport int64_t

cdef extern from "mcts_core/base/aligned_memory.h":
    void* take_lines(int64_t size) noexcept nogil               # not zeroed; NULL: there is none
    void free_lines(void* p) noexcept nogil                     # NULL is allowed
    void* take_pages(int64_t size) noexcept nogil               # zeroed; NULL: there is none
    void* take_touched_pages(int64_t size) noexcept nogil       # and each page is written to once
    void free_pages(void* p, int64_t size) noexcept nogil       # not NULL
    void prefetch_line(const void* p) noexcept nogil            # the line will be read soon; it need not exist


cdef inline int64_t whole_lines(int64_t size) noexcept nogil:
    """`size` bytes, rounded up to whole cache lines."""
    return (size + 63) // 64 * 64
