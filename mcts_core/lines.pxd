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
    #else
    #include <sys/mman.h>
    static void *lines_take(int64_t size) {
        const int64_t huge = 1 << 21;
        void *p = NULL;
        if (posix_memalign(&p, size >= huge ? huge : 64, (size_t)size)) return NULL;
    #ifdef MADV_HUGEPAGE
        if (size >= huge) madvise(p, (size_t)size, MADV_HUGEPAGE);
    #endif
        return p;
    }
    static void lines_give_back(void *p) { free(p); }
    #endif
    """
    void* lines_take(int64_t size) noexcept nogil       # not zeroed; NULL: there is none
    void lines_give_back(void* p) noexcept nogil        # NULL is allowed


cdef inline int64_t in_lines(int64_t size) noexcept nogil:
    """The bytes of the whole lines that so many bytes take."""
    return (size + 63) // 64 * 64
