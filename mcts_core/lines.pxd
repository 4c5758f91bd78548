"""Memory in whole cache lines: what one thread writes shares no line with what another does.

Large pieces ask for huge pages, since a search jumps about in its table: 5 % more simulations on 8x8.
"""
from libc.stdint cimport int64_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #if defined(_WIN32)
    #include <malloc.h>
    static void *lines_take(int64_t size) { return _aligned_malloc((size_t)size, 64); }
    static void lines_give_back(void *p) { _aligned_free(p); }
    static void lines_advise(void *p, int64_t size) { (void)p; (void)size; }
    #else
    #include <sys/mman.h>
    #define LINES_HUGE ((int64_t)1 << 21)
    static void lines_advise(void *p, int64_t size) {   /* p is the beginning of a page */
    #ifdef MADV_HUGEPAGE
        if (size >= LINES_HUGE) madvise(p, (size_t)size, MADV_HUGEPAGE);
    #else
        (void)p; (void)size;
    #endif
    }
    static void *lines_take(int64_t size) {
        void *p = NULL;
        if (posix_memalign(&p, size >= LINES_HUGE ? LINES_HUGE : 64, (size_t)size)) return NULL;
        lines_advise(p, size);
        return p;
    }
    static void lines_give_back(void *p) { free(p); }
    #endif

    /* Large pieces come from the system, where they are zeros already. Each page is written to once: a
       page that is read first is made twice, and all threads have to hear of it. */
    static void *lines_take_zeros(int64_t size) {
        const int64_t page = 1 << 12;
        char *p = (char *)calloc(1, (size_t)size);
        int64_t i;
        if (!p || size < 2 * page) return p;
        lines_advise((char *)(((uintptr_t)p + page - 1) & -(uintptr_t)page), size - page);
        for (i = 0; i < size; i += page) ((volatile char *)p)[i] = 0;
        return p;
    }

    #if defined(__GNUC__)
    static inline void lines_ask(const void *p) { __builtin_prefetch(p); }
    #else
    static inline void lines_ask(const void *p) { (void)p; }
    #endif
    """
    void* lines_take(int64_t size) noexcept nogil       # not zeroed; NULL: there is none
    void lines_give_back(void* p) noexcept nogil        # NULL is allowed
    void* lines_take_zeros(int64_t size) noexcept nogil  # zeroed, but not in lines of its own
    void free_zeros "free"(void* p) noexcept nogil
    void lines_ask(const void* p) noexcept nogil        # soon this line will be read; it need not exist


cdef inline int64_t in_lines(int64_t size) noexcept nogil:
    """The bytes of the whole lines that so many bytes take."""
    return (size + 63) // 64 * 64
