"""Memory in whole cache lines: what one thread writes shares no line with what another does.

Large pieces ask for huge pages, since a search jumps about in its table: 5 % more simulations on 8x8.
"""
from libc.stdint cimport int64_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    #if defined(_WIN32)
    #include <malloc.h>
    #include <windows.h>
    static inline void *lines_take(int64_t size) { return _aligned_malloc((size_t)size, 64); }
    static inline void lines_give_back(void *p) { _aligned_free(p); }
    static inline void lines_advise(void *p, int64_t size) { (void)p; (void)size; }
    #else
    #include <sys/mman.h>
    #define LINES_HUGE ((int64_t)1 << 21)
    static inline void lines_advise(void *p, int64_t size) {   /* p is the beginning of a page */
    #ifdef MADV_HUGEPAGE
        if (size >= LINES_HUGE) madvise(p, (size_t)size, MADV_HUGEPAGE);
    #else
        (void)p; (void)size;
    #endif
    }
    static inline void *lines_take(int64_t size) {
        void *p = NULL;
        if (posix_memalign(&p, size >= LINES_HUGE ? LINES_HUGE : 64, (size_t)size)) return NULL;
        lines_advise(p, size);
        return p;
    }
    static inline void lines_give_back(void *p) { free(p); }
    #endif

    /* Zeroed pieces that are taken and given back whole. Large ones are pages of the system, which has them
       back at once: an allocator would keep what was freed below what is in use, and after freeing a large
       piece keep the next ones too (glibc's growing mmap threshold). */
    #define PAGES_LEAST ((int64_t)1 << 17)
    #define PAGES_WHOLE(size) (((size) + 0xFFFF) & ~(int64_t)0xFFFF)     /* no system has larger pages */
    #if defined(_WIN32)
    static inline void *pages_take(int64_t size) {
        return VirtualAlloc(NULL, (SIZE_T)size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    }
    static inline void pages_give_back(void *p, int64_t size) { (void)size; VirtualFree(p, 0, MEM_RELEASE); }
    #else
    static inline void *pages_map(int64_t size) {
        void *p = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
        return p == MAP_FAILED ? NULL : p;
    }
    static inline void *pages_take(int64_t size) {
        char *p;
        int64_t before;
        if (size < PAGES_LEAST) {
            p = (char *)lines_take(size);
            return p ? memset(p, 0, (size_t)size) : NULL;
        }
        size = PAGES_WHOLE(size);
        p = (char *)pages_map(size);
        if (p && size >= LINES_HUGE && (uintptr_t)p % LINES_HUGE) {   /* the whole of a huge page, or it is none */
            munmap(p, (size_t)size);
            p = (char *)pages_map(size + LINES_HUGE);
            if (p) {
                before = (int64_t)(-(uintptr_t)p % LINES_HUGE);
                if (before) munmap(p, (size_t)before);
                p += before;
                munmap(p + size, (size_t)(LINES_HUGE - before));
            }
        }
        if (p) lines_advise(p, size);
        return p;
    }
    static inline void pages_give_back(void *p, int64_t size) {
        if (size < PAGES_LEAST) free(p);
        else munmap(p, (size_t)PAGES_WHOLE(size));
    }
    #endif

    /* Each page is written to once: a page that is read first is mapped to the system's zero page, and the
       first write then faults again and makes all threads drop the old mapping. */
    static inline void *pages_take_touched(int64_t size) {
        char *p = (char *)pages_take(size);
        int64_t i;
        if (p) for (i = 0; i < size; i += 1 << 12) ((volatile char *)p)[i] = 0;
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
    void* pages_take(int64_t size) noexcept nogil       # zeroed; NULL: there is none
    void* pages_take_touched(int64_t size) noexcept nogil
    void pages_give_back(void* p, int64_t size) noexcept nogil  # not NULL
    void lines_ask(const void* p) noexcept nogil        # soon this line will be read; it need not exist


cdef inline int64_t in_lines(int64_t size) noexcept nogil:
    """The bytes of the whole lines that so many bytes take."""
    return (size + 63) // 64 * 64
