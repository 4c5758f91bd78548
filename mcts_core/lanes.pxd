"""Vectors of 64-bit words, one game a lane. What each function does is said in lanes.h.

To Cython a `lanes_t` is an unsigned integer, so ordinary expressions of it become vector code in C.
Never cast one, and never compare two with an operator.
"""
from libc.stdint cimport uint64_t

cdef extern from "lanes.h":
    ctypedef unsigned long long lanes_t
    const int LANES
    const int LANES_OR_1
    lanes_t lanes_all(uint64_t x) noexcept nogil
    lanes_t lanes_rotate(lanes_t x, lanes_t s) noexcept nogil
    lanes_t lanes_product(lanes_t x, lanes_t y) noexcept nogil
    lanes_t lanes_count(lanes_t x) noexcept nogil
    lanes_t lanes_kth(lanes_t x, lanes_t k) noexcept nogil
    lanes_t lanes_if_ge(lanes_t x, lanes_t y, lanes_t a, lanes_t b) noexcept nogil
    lanes_t lanes_if_zero(lanes_t x, lanes_t a, lanes_t b) noexcept nogil
    lanes_t lanes_add_if_zero(lanes_t x, lanes_t a, lanes_t b) noexcept nogil
    bint lanes_some_zero(lanes_t x) noexcept nogil
    bint lanes_all_zero(lanes_t x) noexcept nogil
    uint64_t lanes_get(lanes_t x, int i) noexcept nogil
    void lanes_set(lanes_t* x, int i, uint64_t value) noexcept nogil
    uint64_t word_gather(uint64_t x, uint64_t mask) noexcept nogil
    uint64_t word_spread(uint64_t x, uint64_t mask) noexcept nogil
