/* Lanes: vectors of 64-bit words, one game a lane.

   lanes_t behaves as an unsigned integer in ordinary expressions (+ - & | ^ ~ << >>), lane by lane.
   What the compilers have no operator for stands here, once for each instruction set:

   LANES                      words in a vector; 0: no lanes at this level, games are played singly
   LANES_OR_1                 to divide by
   lanes_all(x)               x in every lane
   lanes_rotate(x, s)         rotated left by s[i] bits
   lanes_product(x, y)        of the low 32 bits
   lanes_count(x)             set bits
   lanes_kth(x, k)            the k-th set bit of x alone, k counted from 0
   lanes_if_ge(x, y, a, b)    x >= y ? a : b
   lanes_if_zero(x, a, b)     x == 0 ? a : b
   lanes_add_if_zero(x, a, b) x == 0 ? a + b : a
   lanes_some_zero(x)         is any lane 0?
   lanes_all_zero(x)          are all lanes 0?
   lanes_get, lanes_set       one lane
   word_gather(x, mask)       of one word: the bits of x where mask has ones, moved together
   word_spread(x, mask)       the inverse: the lowest bits of x, moved to where mask has ones         */

#ifndef MCTS_CORE_LANES_H
#define MCTS_CORE_LANES_H

#include <stdint.h>

#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512BITALG__) && defined(__AVX512VBMI__) && defined(__AVX512DQ__)
#define LANES 8
#elif defined(__AVX2__) && defined(__BMI2__)
#define LANES 4
#else
#define LANES 0
#endif
#define LANES_OR_1 (LANES ? LANES : 1)

#if LANES == 0

typedef uint64_t lanes_t;       /* only so that the sources compile; the kernels are never called */

static inline lanes_t lanes_all(uint64_t x) { return x; }
static inline lanes_t lanes_rotate(lanes_t x, lanes_t s) { return x << (s & 63) | x >> (-s & 63); }
static inline lanes_t lanes_product(lanes_t x, lanes_t y) { return (x & 0xFFFFFFFF) * (y & 0xFFFFFFFF); }
static inline lanes_t lanes_count(lanes_t x) { (void)x; return 0; }
static inline lanes_t lanes_kth(lanes_t x, lanes_t k) { (void)k; return x; }
static inline lanes_t lanes_if_ge(lanes_t x, lanes_t y, lanes_t a, lanes_t b) { return x >= y ? a : b; }
static inline lanes_t lanes_if_zero(lanes_t x, lanes_t a, lanes_t b) { return x == 0 ? a : b; }
static inline lanes_t lanes_add_if_zero(lanes_t x, lanes_t a, lanes_t b) { return x == 0 ? a + b : a; }
static inline int lanes_some_zero(lanes_t x) { return x == 0; }
static inline int lanes_all_zero(lanes_t x) { return x == 0; }
static inline uint64_t lanes_get(lanes_t x, int i) { (void)i; return x; }
static inline void lanes_set(lanes_t *x, int i, uint64_t value) { (void)i; *x = value; }
static inline uint64_t word_gather(uint64_t x, uint64_t mask) { return x & mask; }
static inline uint64_t word_spread(uint64_t x, uint64_t mask) { return x & mask; }

#else

#include <immintrin.h>

typedef uint64_t lanes_t __attribute__((vector_size(8 * LANES)));

static inline lanes_t lanes_all(uint64_t x) { return (lanes_t){0} + x; }
static inline uint64_t lanes_get(lanes_t x, int i) { return x[i]; }
static inline void lanes_set(lanes_t *x, int i, uint64_t value) { (*x)[i] = value; }
static inline uint64_t word_gather(uint64_t x, uint64_t mask) { return _pext_u64(x, mask); }
static inline uint64_t word_spread(uint64_t x, uint64_t mask) { return _pdep_u64(x, mask); }

#define LANES_BYTES 0x0101010101010101ULL       /* a one in every byte */

/* Every byte becomes the sum of itself and the bytes below it. */
static inline lanes_t lanes_running(lanes_t bytes) {
    bytes += bytes << 8;
    bytes += bytes << 16;
    return bytes + (bytes << 32);
}

#if LANES == 8

static inline lanes_t lanes_rotate(lanes_t x, lanes_t s) {
    return (lanes_t)_mm512_rolv_epi64((__m512i)x, (__m512i)s);
}
static inline lanes_t lanes_product(lanes_t x, lanes_t y) {
    return (lanes_t)_mm512_mul_epu32((__m512i)x, (__m512i)y);
}
static inline lanes_t lanes_count(lanes_t x) { return (lanes_t)_mm512_popcnt_epi64((__m512i)x); }
static inline lanes_t lanes_if_ge(lanes_t x, lanes_t y, lanes_t a, lanes_t b) {
    return (lanes_t)_mm512_mask_blend_epi64(
        _mm512_cmpge_epu64_mask((__m512i)x, (__m512i)y), (__m512i)b, (__m512i)a);
}
static inline lanes_t lanes_if_zero(lanes_t x, lanes_t a, lanes_t b) {
    return (lanes_t)_mm512_mask_blend_epi64(
        _mm512_testn_epi64_mask((__m512i)x, (__m512i)x), (__m512i)b, (__m512i)a);
}
static inline lanes_t lanes_add_if_zero(lanes_t x, lanes_t a, lanes_t b) {
    return (lanes_t)_mm512_mask_add_epi64(
        (__m512i)a, _mm512_testn_epi64_mask((__m512i)x, (__m512i)x), (__m512i)a, (__m512i)b);
}
static inline int lanes_some_zero(lanes_t x) {
    return _mm512_testn_epi64_mask((__m512i)x, (__m512i)x) != 0;
}
static inline int lanes_all_zero(lanes_t x) {
    return _mm512_test_epi64_mask((__m512i)x, (__m512i)x) == 0;
}

/* The lowest byte of every lane, in all its bytes. */
static inline lanes_t lanes_spread(lanes_t x) {
    return (lanes_t)_mm512_shuffle_epi8((__m512i)x, _mm512_set_epi64(
        0x0808080808080808, 0, 0x0808080808080808, 0, 0x0808080808080808, 0, 0x0808080808080808, 0));
}
/* How many bytes of every lane are at most k's. */
static inline lanes_t lanes_up_to(lanes_t sums, lanes_t k) {
    __mmask64 up_to = _mm512_cmple_epu8_mask((__m512i)sums, (__m512i)k);
    return lanes_count((lanes_t)_mm512_maskz_mov_epi8(up_to, _mm512_set1_epi8(1)));
}
/* First the byte: skip those whose running count of bits does not reach k. Then the bit, likewise. */
static inline lanes_t lanes_kth(lanes_t x, lanes_t k) {
    lanes_t sums = lanes_running((lanes_t)_mm512_popcnt_epi8((__m512i)x));
    lanes_t shift = lanes_up_to(sums, lanes_spread(k)) << 3;
    lanes_t before = (lanes_t)_mm512_srlv_epi64((__m512i)(sums << 8), (__m512i)shift) & 0xFF;
    lanes_t eight = lanes_spread(shift) + 0x0706050403020100ULL;        /* the bits of that byte */
    lanes_t bits = (lanes_t)_mm512_multishift_epi64_epi8((__m512i)eight, (__m512i)x) & LANES_BYTES;
    lanes_t index = shift + lanes_up_to(lanes_running(bits), lanes_spread(k - before));
    return (lanes_t)_mm512_sllv_epi64(_mm512_set1_epi64(1), (__m512i)index);
}

#else

static inline lanes_t lanes_rotate(lanes_t x, lanes_t s) {
    return (lanes_t)_mm256_or_si256(_mm256_sllv_epi64((__m256i)x, (__m256i)s),
                                    _mm256_srlv_epi64((__m256i)x, (__m256i)(64 - s)));
}
static inline lanes_t lanes_product(lanes_t x, lanes_t y) {
    return (lanes_t)_mm256_mul_epu32((__m256i)x, (__m256i)y);
}
/* Bits of every byte, by half bytes looked up. */
static inline lanes_t lanes_byte_counts(lanes_t x) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    lanes_t low = x & 0x0F0F0F0F0F0F0F0FULL, high = (x >> 4) & 0x0F0F0F0F0F0F0F0FULL;
    return (lanes_t)_mm256_add_epi8(_mm256_shuffle_epi8(table, (__m256i)low),
                                    _mm256_shuffle_epi8(table, (__m256i)high));
}
static inline lanes_t lanes_sum_bytes(lanes_t bytes) {
    return (lanes_t)_mm256_sad_epu8((__m256i)bytes, _mm256_setzero_si256());
}
static inline lanes_t lanes_count(lanes_t x) { return lanes_sum_bytes(lanes_byte_counts(x)); }
/* Signed comparison: no lane that is compared has its top bit set. */
static inline lanes_t lanes_if_ge(lanes_t x, lanes_t y, lanes_t a, lanes_t b) {
    return (lanes_t)_mm256_blendv_epi8((__m256i)a, (__m256i)b, _mm256_cmpgt_epi64((__m256i)y, (__m256i)x));
}
static inline lanes_t lanes_if_zero(lanes_t x, lanes_t a, lanes_t b) {
    return (lanes_t)_mm256_blendv_epi8((__m256i)b, (__m256i)a,
                                       _mm256_cmpeq_epi64((__m256i)x, _mm256_setzero_si256()));
}
static inline lanes_t lanes_add_if_zero(lanes_t x, lanes_t a, lanes_t b) {
    return a + ((lanes_t)_mm256_cmpeq_epi64((__m256i)x, _mm256_setzero_si256()) & b);
}
static inline int lanes_some_zero(lanes_t x) {
    return _mm256_movemask_epi8(_mm256_cmpeq_epi64((__m256i)x, _mm256_setzero_si256())) != 0;
}
static inline int lanes_all_zero(lanes_t x) { return _mm256_testz_si256((__m256i)x, (__m256i)x); }
static inline lanes_t lanes_spread(lanes_t x) {
    return (lanes_t)_mm256_shuffle_epi8((__m256i)x, _mm256_set_epi64x(
        0x0808080808080808, 0, 0x0808080808080808, 0));
}
static inline lanes_t lanes_up_to(lanes_t sums, lanes_t k) {
    lanes_t above = (lanes_t)_mm256_cmpgt_epi8((__m256i)sums, (__m256i)k);
    return lanes_sum_bytes(~above & LANES_BYTES);
}
static inline lanes_t lanes_kth(lanes_t x, lanes_t k) {
    lanes_t sums = lanes_running(lanes_byte_counts(x));
    lanes_t shift = lanes_up_to(sums, lanes_spread(k)) << 3;
    lanes_t before = (lanes_t)_mm256_srlv_epi64((__m256i)(sums << 8), (__m256i)shift) & 0xFF;
    lanes_t byte = lanes_spread((lanes_t)_mm256_srlv_epi64((__m256i)x, (__m256i)shift));
    lanes_t picks = (lanes_t)_mm256_set1_epi64x((long long)0x8040201008040201ULL);
    lanes_t bits = (lanes_t)_mm256_cmpeq_epi8((__m256i)(byte & picks), (__m256i)picks) & LANES_BYTES;
    lanes_t index = shift + lanes_up_to(lanes_running(bits), lanes_spread(k - before));
    return (lanes_t)_mm256_sllv_epi64(_mm256_set1_epi64x(1), (__m256i)index);
}

#endif
#endif
#endif
