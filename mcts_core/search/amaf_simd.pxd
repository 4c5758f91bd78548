"""The inner loop of AMAF_OF_MOVES, with AVX-512 or in plain C. The code is in amaf_simd.h."""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

cdef extern from "mcts_core/search/amaf_simd.h":
    bint AMAF_SIMD_PLANS                # `amaf_simd_plan` works: with AVX-512

    ctypedef struct amaf_simd_t:        # the codes of a playout, as bits
        pass

    void amaf_simd_load(amaf_simd_t* played, uint64_t* words, int n_words) noexcept nogil
    void amaf_simd_mark(amaf_simd_t* played, int code) noexcept nogil       # adds a code

    # Counts a playout in the columns of an entry; `room`, a multiple of 8, is their length.
    void amaf_simd_add(const amaf_simd_t* played, const uint16_t* codes, uint32_t* n, double* w, int room,
                       double value) noexcept nogil

    # The same, and returns the first move with the highest value of RAVE with `beta_mse` after that. For at
    # most 64 moves and 1024 codes.
    int amaf_simd_plan(const amaf_simd_t* played, const uint16_t* codes, uint32_t* amaf_n, double* amaf_w,
                       const uint32_t* n, const double* w, int n_moves, double value, double bias) noexcept nogil
