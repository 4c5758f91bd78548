"""Bitboard arithmetic: count, pick and list the set bits of a 64-bit word.

With POPCNT and BMI2 `count_bits` and `kth_bit` are one to three instructions. Without them they are
arithmetic on all eight bytes of the word at once, without tables or branches.
"""
from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__BMI2__)
    #include <immintrin.h>
    #endif

    #define BITS_BYTES 0x0101010101010101ULL   /* a one in every byte */
    #define BITS_TOPS  0x8080808080808080ULL   /* the top bit of every byte */

    /* The count of set bits of each byte, in that byte. */
    static inline uint64_t bits_byte_counts(uint64_t x) {
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        return (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    }

    static inline int bits_count(uint64_t x) {
    #if defined(__POPCNT__) || (defined(__GNUC__) && defined(__aarch64__))
        return __builtin_popcountll(x);
    #else
        return (int)((bits_byte_counts(x) * BITS_BYTES) >> 56);
    #endif
    }

    /* The number of bytes of `sums` (each below 128) that are at most k. */
    static inline int bits_bytes_up_to(uint64_t sums, int k) {
        uint64_t not_above = ((((uint64_t)k * BITS_BYTES) | BITS_TOPS) - sums) & BITS_TOPS;
        return (int)(((not_above >> 7) * BITS_BYTES) >> 56);
    }

    /* The k-th set bit of x, k counted from 0 and below the number of set bits. */
    static inline uint64_t bits_kth(uint64_t x, int k) {
    #if defined(__BMI2__)
        return _pdep_u64(1ULL << k, x);
    #else
        uint64_t sums = bits_byte_counts(x) * BITS_BYTES;      /* bits in this byte and below */
        int shift = 8 * bits_bytes_up_to(sums, k);             /* whole bytes to skip */
        uint64_t byte = (x >> shift) & 0xFF;
        uint64_t spread = (byte * BITS_BYTES) & 0x8040201008040201ULL;  /* bit i into byte i */
        spread = ((spread + (BITS_TOPS - BITS_BYTES)) & BITS_TOPS) >> 7;
        k -= (int)(((sums << 8) >> shift) & 0xFF);
        return 1ULL << (shift + bits_bytes_up_to(spread * BITS_BYTES, k));
    #endif
    }

    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline int bits_first(uint64_t x) {
        unsigned long i; _BitScanForward64(&i, x); return (int)i;
    }
    static inline int bits_last(uint64_t x) {
        unsigned long i; _BitScanReverse64(&i, x); return (int)i;
    }
    #else
    static inline int bits_first(uint64_t x) { return __builtin_ctzll(x); }
    static inline int bits_last(uint64_t x) { return 63 - __builtin_clzll(x); }
    #endif

    /* Compilers make one instruction of this. */
    static inline uint64_t bits_reverse_bytes(uint64_t x) {
        x = (x >> 8 & 0x00FF00FF00FF00FFULL) | (x & 0x00FF00FF00FF00FFULL) << 8;
        x = (x >> 16 & 0x0000FFFF0000FFFFULL) | (x & 0x0000FFFF0000FFFFULL) << 16;
        return x >> 32 | x << 32;
    }
    """
    int count_bits "bits_count"(uint64_t x) noexcept nogil              # how many bits are set
    uint64_t kth_bit "bits_kth"(uint64_t x, int k) noexcept nogil       # the k-th set bit alone
    int first_bit "bits_first"(uint64_t x) noexcept nogil               # index of the lowest; x != 0
    int last_bit "bits_last"(uint64_t x) noexcept nogil                 # index of the highest; x != 0
    uint64_t reverse_bytes "bits_reverse_bytes"(uint64_t x) noexcept nogil  # turns a board of 8 rows upside down


cdef inline int list_bits(uint64_t x, uint32_t* out) noexcept nogil:
    """Write the indices of the set bits, ascending, unless `out` is NULL. Returns their number."""
    cdef int n = 0
    if out == NULL:
        return count_bits(x)
    while x:
        out[n] = first_bit(x)
        x &= x - 1
        n += 1
    return n
