/* Stands before the C library's allocator (LD_PRELOAD): fails one allocation when asked to, and
   counts what is held. PYTHONMALLOC=malloc brings Python's own allocations here too. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

atomic_long left = -1;    /* allocations that succeed before the one that fails; negative: none fails */
atomic_long failed;       /* allocations that were made to fail */
void *_Atomic caller;     /* of the allocation that failed */
void *_Atomic spared;     /* the caller of allocations that never fail */
atomic_long blocks;       /* of the heap, held now */
atomic_long mapped;       /* bytes of mappings, held now */

static __thread int taking_part;

/* Whether the allocations of this thread count; returns whether they did. */
int take_part(int now) {
    int before = taking_part;
    taking_part = now;
    return before;
}

#define CALLER __builtin_return_address(0)

static int fails(void *from) {
    long n = taking_part && from != spared ? atomic_load(&left) : -1;
    while (n >= 0 && !atomic_compare_exchange_weak(&left, &n, n - 1)) {}
    if (n != 0) return 0;
    caller = from;
    atomic_fetch_add(&failed, 1);
    errno = ENOMEM;
    return 1;
}

static void *counted(void *block) {
    if (block) atomic_fetch_add(&blocks, 1);
    return block;
}

void *malloc(size_t size) { return fails(CALLER) ? NULL : counted(__libc_malloc(size)); }

void *calloc(size_t n, size_t size) { return fails(CALLER) ? NULL : counted(__libc_calloc(n, size)); }

void *memalign(size_t alignment, size_t size) {
    return fails(CALLER) ? NULL : counted(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *taken = memalign(alignment, size);
    if (!taken) return ENOMEM;
    *block = taken;
    return 0;
}

void free(void *block) {
    if (block) atomic_fetch_sub(&blocks, 1);
    __libc_free(block);
}

void *realloc(void *block, size_t size) {
    void *moved;
    if (fails(CALLER)) return NULL;
    moved = __libc_realloc(block, size);
    if (!block) return counted(moved);
    if (!moved && !size) atomic_fetch_sub(&blocks, 1);
    return moved;
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    void *place;
    if ((flags & MAP_ANONYMOUS) && fails(CALLER)) return MAP_FAILED;
    place = (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
    if (place != MAP_FAILED) atomic_fetch_add(&mapped, (long)size);
    return place;
}

void *mmap64(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    return mmap(at, size, protection, flags, file, offset);
}

int munmap(void *at, size_t size) {
    int result = (int)syscall(SYS_munmap, at, size);
    if (result == 0) atomic_fetch_sub(&mapped, (long)size);
    return result;
}
