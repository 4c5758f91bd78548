"""Atomic operations on counters, doubles, pointers and locks.

Counters and bounds are relaxed: they order no other memory. Pointers are stored with release and
read with acquire, so a thread that sees a pointer sees what it points to. Locks do the same.

game.pxd cimports this file. The C code is here and not in a header, so that a game compiled outside
the package needs no include path.
"""
from libc.stdint cimport int64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline int64_t atomics_add(int64_t *p, int64_t n) { return _InterlockedExchangeAdd64(p, n); }
    static inline int64_t atomics_load(int64_t *p) { return *(volatile int64_t *)p; }
    static inline void atomics_store(int64_t *p, int64_t n) { *(volatile int64_t *)p = n; }
    static inline double atomics_load_double(const double *p) { return *(const volatile double *)p; }
    static inline void atomics_store_double(double *p, double x) { *(volatile double *)p = x; }
    static inline void *atomics_load_pointer(void **p) { return *(void *volatile *)p; }
    static inline void atomics_store_pointer(void **p, void *fresh) { *(void *volatile *)p = fresh; }
    static inline int atomics_swap_pointer(void **p, void *old, void *fresh) {
        return _InterlockedCompareExchangePointer(p, fresh, old) == old;
    }
    static inline int atomics_lock_try(unsigned char *p) { return _InterlockedExchange8((char *)p, 1) == 0; }
    static inline void atomics_lock_free(unsigned char *p) { _InterlockedExchange8((char *)p, 0); }
    static inline void atomics_let_others(void) { }
    #else
    #include <sched.h>
    static inline int64_t atomics_add(int64_t *p, int64_t n) { return __atomic_fetch_add(p, n, __ATOMIC_RELAXED); }
    static inline int64_t atomics_load(int64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    static inline void atomics_store(int64_t *p, int64_t n) { __atomic_store_n(p, n, __ATOMIC_RELAXED); }
    static inline double atomics_load_double(const double *p) {
        double x;
        __atomic_load(p, &x, __ATOMIC_RELAXED);
        return x;
    }
    static inline void atomics_store_double(double *p, double x) { __atomic_store(p, &x, __ATOMIC_RELAXED); }
    static inline void *atomics_load_pointer(void **p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
    static inline void atomics_store_pointer(void **p, void *fresh) { __atomic_store_n(p, fresh, __ATOMIC_RELEASE); }
    static inline int atomics_swap_pointer(void **p, void *old, void *fresh) {
        return __atomic_compare_exchange_n(p, &old, fresh, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    }
    static inline int atomics_lock_try(unsigned char *p) { return !__atomic_test_and_set(p, __ATOMIC_ACQUIRE); }
    static inline void atomics_lock_free(unsigned char *p) { __atomic_clear(p, __ATOMIC_RELEASE); }
    static inline void atomics_let_others(void) { sched_yield(); }
    #endif
    """
    int64_t fetch_add "atomics_add"(int64_t* p, int64_t n) noexcept nogil   # returns the value before
    int64_t load "atomics_load"(int64_t* p) noexcept nogil
    void store "atomics_store"(int64_t* p, int64_t n) noexcept nogil
    double load_double "atomics_load_double"(const double* p) noexcept nogil
    void store_double "atomics_store_double"(double* p, double x) noexcept nogil
    void* load_pointer "atomics_load_pointer"(void** p) noexcept nogil
    void store_pointer "atomics_store_pointer"(void** p, void* fresh) noexcept nogil
    bint swap_pointer "atomics_swap_pointer"(void** p, void* old, void* fresh) noexcept nogil   # False: *p was not old
    bint try_lock "atomics_lock_try"(unsigned char* p) noexcept nogil
    void unlock "atomics_lock_free"(unsigned char* p) noexcept nogil
    void let_others "atomics_let_others"() noexcept nogil                   # yields the processor to other threads
