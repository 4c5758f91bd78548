"""SIMD vectors of words, one game in each lane. lanes.h documents each function.

To Cython a `lanes_t` is an unsigned integer, so ordinary expressions become vector code in C. Three rules keep
them correct: never cast a `lanes_t`, never compare two with an operator, and write every constant of more than a
few bits as `lanes_all(constant)`. A module whose lanes have 32 bits defines LANE_BITS before it cimports this file.
"""
from libc.stdint cimport uint64_t

from mcts_core.rng cimport rng_t

cdef extern from "mcts_core/base/lanes.h":
    ctypedef unsigned long long lanes_t
    ctypedef unsigned int lanes_mask_t
    ctypedef struct lanes_rngs_t:
        pass
    const int LANE_BITS
    const int LANES
    const int LANES_OR_1
    lanes_t lanes_all(uint64_t x) noexcept nogil
    lanes_t lanes_rotate(lanes_t x, lanes_t s) noexcept nogil
    lanes_t lanes_rotate_back(lanes_t x, lanes_t s) noexcept nogil
    lanes_t lanes_without(lanes_t x, lanes_t y) noexcept nogil
    lanes_t lanes_without_both(lanes_t x, lanes_t y, lanes_t z) noexcept nogil
    lanes_t lanes_count(lanes_t x) noexcept nogil
    lanes_t lanes_kth(lanes_t x, lanes_t k) noexcept nogil
    lanes_mask_t lanes_less(lanes_t x, lanes_t y) noexcept nogil
    lanes_mask_t lanes_zero(lanes_t x) noexcept nogil
    lanes_mask_t lanes_within(lanes_t x, lanes_t y) noexcept nogil
    lanes_t lanes_if(lanes_mask_t mask, lanes_t a, lanes_t b) noexcept nogil
    lanes_t lanes_add_if(lanes_mask_t mask, lanes_t a, lanes_t b) noexcept nogil
    bint lanes_some(lanes_mask_t mask) noexcept nogil
    bint lanes_each(lanes_mask_t mask) noexcept nogil
    uint64_t lanes_get(lanes_t x, int i) noexcept nogil
    void lanes_set(lanes_t* x, int i, uint64_t value) noexcept nogil
    lanes_t lanes_below(lanes_rngs_t* rngs, lanes_t n) noexcept nogil
    lanes_rngs_t lanes_rngs_if(lanes_mask_t mask, lanes_rngs_t a, lanes_rngs_t b) noexcept nogil
    void lanes_get_rng(const lanes_rngs_t* rngs, int i, uint64_t* a, uint64_t* b, uint64_t* c,
                       uint64_t* counter) noexcept nogil
    void lanes_set_rng(lanes_rngs_t* rngs, int i, uint64_t a, uint64_t b, uint64_t c, uint64_t counter) noexcept nogil
    uint64_t word_gather(uint64_t x, uint64_t mask) noexcept nogil
    uint64_t word_spread(uint64_t x, uint64_t mask) noexcept nogil


cdef inline void load_rng(lanes_rngs_t* rngs, int lane, const rng_t* rng) noexcept nogil:
    lanes_set_rng(rngs, lane, rng.a, rng.b, rng.c, rng.counter)


cdef inline void store_rng(const lanes_rngs_t* rngs, int lane, rng_t* rng) noexcept nogil:
    lanes_get_rng(rngs, lane, &rng.a, &rng.b, &rng.c, &rng.counter)
