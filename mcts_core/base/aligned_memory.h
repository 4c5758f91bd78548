/* Memory in whole cache lines, and in pages of the system. The map is aligned_memory.pxd. */
#ifndef MCTS_CORE_BASE_ALIGNED_MEMORY_H
#define MCTS_CORE_BASE_ALIGNED_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <malloc.h>
#include <windows.h>
static inline void *take_lines(int64_t size) { return _aligned_malloc((size_t)size, 64); }
static inline void free_lines(void *p) { _aligned_free(p); }
static inline void advise_lines(void *p, int64_t size) { (void)p; (void)size; }
#else
#include <sys/mman.h>
#define LINES_HUGE ((int64_t)1 << 21)
static inline void advise_lines(void *p, int64_t size) {   /* p is at the beginning of a page */
#ifdef MADV_HUGEPAGE
    if (size >= LINES_HUGE) madvise(p, (size_t)size, MADV_HUGEPAGE);
#else
    (void)p; (void)size;
#endif
}
static inline void *take_lines(int64_t size) {
    void *p = NULL;
    if (posix_memalign(&p, size >= LINES_HUGE ? LINES_HUGE : 64, (size_t)size)) return NULL;
    advise_lines(p, size);
    return p;
}
static inline void free_lines(void *p) { free(p); }
#endif

/* Zeroed pieces that are taken and freed whole. Large ones are pages of the system and go back to it at once.
   An allocator would keep freed memory that lies below memory in use, and after a large piece is freed it
   would also keep the next ones (glibc's growing mmap threshold). */
#define PAGES_LEAST ((int64_t)1 << 17)                               /* bytes; smaller pieces come from the allocator */
#define PAGES_WHOLE(size) (((size) + 0xFFFF) & ~(int64_t)0xFFFF)     /* to 64 KB: ordinary pages are no larger */
#if defined(_WIN32)
static inline void *take_pages(int64_t size) {
    return VirtualAlloc(NULL, (SIZE_T)size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}
static inline void free_pages(void *p, int64_t size) { (void)size; VirtualFree(p, 0, MEM_RELEASE); }
#else
static inline void *map_pages(int64_t size) {
    void *p = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}
static inline void *take_pages(int64_t size) {
    char *p;
    int64_t before;
    if (size < PAGES_LEAST) {
        p = (char *)take_lines(size);
        return p ? memset(p, 0, (size_t)size) : NULL;
    }
    size = PAGES_WHOLE(size);
    p = (char *)map_pages(size);
    if (p && size >= LINES_HUGE && (uintptr_t)p % LINES_HUGE) {   /* a huge page must be aligned to its size */
        munmap(p, (size_t)size);
        p = (char *)map_pages(size + LINES_HUGE);
        if (p) {
            before = (int64_t)(-(uintptr_t)p % LINES_HUGE);
            if (before) munmap(p, (size_t)before);
            p += before;
            munmap(p + size, (size_t)(LINES_HUGE - before));
        }
    }
    if (p) advise_lines(p, size);
    return p;
}
static inline void free_pages(void *p, int64_t size) {
    if (size < PAGES_LEAST) free(p);
    else munmap(p, (size_t)PAGES_WHOLE(size));
}
#endif

/* Writes a 0 to each page of a new piece. A page that is read first is mapped to the system's zero page; the first
   write then faults again, and all threads have to drop the old mapping. */
static inline void touch_pages(void *p, int64_t size) {
    int64_t i;
    for (i = 0; i < size; i += 1 << 12) ((volatile char *)p)[i] = 0;
}

#if defined(__GNUC__)
static inline void prefetch_line(const void *p) { __builtin_prefetch(p); }
#else
static inline void prefetch_line(const void *p) { (void)p; }
#endif

#endif
