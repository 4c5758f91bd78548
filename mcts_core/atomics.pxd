"""The few atomic operations that threads share. All are relaxed: none orders other memory."""
from libc.stdint cimport int64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline int64_t atomics_add(int64_t *p, int64_t n) { return _InterlockedExchangeAdd64(p, n); }
    static inline int64_t atomics_load(int64_t *p) { return *(volatile int64_t *)p; }
    static inline void atomics_store(int64_t *p, int64_t n) { *(volatile int64_t *)p = n; }
    #else
    static inline int64_t atomics_add(int64_t *p, int64_t n) { return __atomic_fetch_add(p, n, __ATOMIC_RELAXED); }
    static inline int64_t atomics_load(int64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    static inline void atomics_store(int64_t *p, int64_t n) { __atomic_store_n(p, n, __ATOMIC_RELAXED); }
    #endif
    """
    int64_t fetch_add "atomics_add"(int64_t* p, int64_t n) noexcept nogil   # returns the value before
    int64_t load "atomics_load"(int64_t* p) noexcept nogil
    void store "atomics_store"(int64_t* p, int64_t n) noexcept nogil
