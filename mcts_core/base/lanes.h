/* Lanes: SIMD vectors of words, one game in each lane.

   A word has LANE_BITS bits: 32 if LANE_BITS is defined as 32 before this file is included, otherwise 64.
   A lanes_t behaves like an unsigned integer in + - & | ^ ~ << >>, lane by lane. A lanes_mask_t holds a yes
   or a no for each lane and takes & | ~. The compilers have no operator for the following operations, so
   this file defines them once for each instruction set.

   LANES                      words in a vector; 0 if this level of the instruction set has no vectors
   LANES_OR_1                 the same, safe to divide by
   lanes_all(x)               x in every lane
   lanes_rotate(x, s)         x rotated left by s[i] bits
   lanes_rotate_back(x, s)    x rotated right by s[i] bits
   lanes_without(x, y)        x & ~y: faster than ~ as an operation by itself
   lanes_without_both(x,y,z)  x & ~y & ~z
   lanes_count(x)             number of set bits
   lanes_kth(x, k)            only the k-th set bit of x, where k counts from 0
   lanes_less(x, y)           mask: x < y
   lanes_zero(x)              mask: x == 0
   lanes_within(x, y)         mask: every bit of x is also set in y
   lanes_if(mask, a, b)       a where the mask says yes, b where it says no
   lanes_add_if(mask, a, b)   a + b where the mask says yes, a where it says no
   lanes_some(mask)           is at least one lane yes?
   lanes_each(mask)           are all lanes yes?
   lanes_get, lanes_set       read and write one lane
   lanes_below(rngs, n)       draws from the generator of each lane a number below n[i]
   lanes_rngs_if(mask, a, b)  `lanes_if` for generators
   lanes_get_rng, lanes_set_rng   read and write the generator of one lane
   word_gather(x, mask)       one word: the bits of x where the mask is 1, packed into the lowest bits
   word_spread(x, mask)       the inverse: the lowest bits of x, moved to where the mask is 1          */

#ifndef MCTS_CORE_LANES_H
#define MCTS_CORE_LANES_H

#include <stdint.h>

/* A kernel keeps its vectors in registers only if all of its functions are inlined, and some are too large for
   the compiler's own limits. From here on Cython's `cdef inline` means always: with AVX2, UCT with 16 lanes on 5x5
   gains 4 %. */
#if defined(CYTHON_INLINE) && defined(__OPTIMIZE__) && defined(__GNUC__)
#undef CYTHON_INLINE
#define CYTHON_INLINE inline __attribute__((always_inline))
#endif

#ifndef LANE_BITS
#define LANE_BITS 64
#endif

#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512BITALG__) && defined(__AVX512VBMI__) && defined(__AVX512DQ__)
#define LANES (512 / LANE_BITS)
#elif defined(__AVX2__) && defined(__BMI2__)
#define LANES (256 / LANE_BITS)
#else
#define LANES 0
#endif
#define LANES_OR_1 (LANES ? LANES : 1)

#if LANE_BITS == 64
typedef uint64_t lane_t;
#define LANES_OP(before, after) before##64##after       /* the name of an intrinsic on words */
#else
typedef uint32_t lane_t;
#define LANES_OP(before, after) before##32##after
#endif

#if LANES == 0

typedef lane_t lanes_t;         /* so that kernels compile; they are never called at this level */
typedef int lanes_mask_t;
typedef uint64_t lanes_wide_t;

static inline lanes_t lanes_all(uint64_t x) { return (lanes_t)x; }
static inline lanes_t lanes_rotate(lanes_t x, lanes_t s) { (void)s; return x; }
static inline lanes_t lanes_rotate_back(lanes_t x, lanes_t s) { (void)s; return x; }
static inline lanes_t lanes_without(lanes_t x, lanes_t y) { return x & ~y; }
static inline lanes_t lanes_without_both(lanes_t x, lanes_t y, lanes_t z) { return x & ~y & ~z; }
static inline lanes_t lanes_count(lanes_t x) { return x; }
static inline lanes_t lanes_kth(lanes_t x, lanes_t k) { (void)k; return x; }
static inline lanes_mask_t lanes_less(lanes_t x, lanes_t y) { return x < y; }
static inline lanes_mask_t lanes_zero(lanes_t x) { return x == 0; }
static inline lanes_mask_t lanes_within(lanes_t x, lanes_t y) { return (x & ~y) == 0; }
static inline lanes_t lanes_if(lanes_mask_t mask, lanes_t a, lanes_t b) { return mask ? a : b; }
static inline lanes_t lanes_add_if(lanes_mask_t mask, lanes_t a, lanes_t b) { return mask ? a + b : a; }
static inline int lanes_some(lanes_mask_t mask) { return mask; }
static inline int lanes_each(lanes_mask_t mask) { return mask; }
static inline uint64_t lanes_get(lanes_t x, int i) { (void)i; return x; }
static inline void lanes_set(lanes_t *x, int i, uint64_t value) { (void)i; *x = (lanes_t)value; }
static inline uint64_t lanes_wide_get(lanes_wide_t x, int i) { (void)i; return x; }
static inline void lanes_wide_set(lanes_wide_t *x, int i, uint64_t value) { (void)i; *x = value; }
static inline lanes_wide_t lanes_wide_if(lanes_mask_t mask, int half, lanes_wide_t a, lanes_wide_t b) {
    (void)half; return mask ? a : b;
}
static inline lanes_t lanes_scaled(const lanes_wide_t *words, lanes_t n) { (void)words; return n; }
static inline uint64_t word_gather(uint64_t x, uint64_t mask) { return x & mask; }
static inline uint64_t word_spread(uint64_t x, uint64_t mask) { return x & mask; }

#else

#include <immintrin.h>

typedef lane_t lanes_t __attribute__((vector_size(LANE_BITS / 8 * LANES)));
typedef uint64_t lanes_wide_t __attribute__((vector_size(LANE_BITS / 8 * LANES)));    /* the same width */

static inline lanes_t lanes_all(uint64_t x) { return (lanes_t){0} + (lane_t)x; }
static inline uint64_t lanes_get(lanes_t x, int i) { return x[i]; }
static inline void lanes_set(lanes_t *x, int i, uint64_t value) { (*x)[i] = (lane_t)value; }
static inline uint64_t lanes_wide_get(lanes_wide_t x, int i) { return x[i]; }
static inline void lanes_wide_set(lanes_wide_t *x, int i, uint64_t value) { (*x)[i] = value; }
static inline uint64_t word_gather(uint64_t x, uint64_t mask) { return _pext_u64(x, mask); }
static inline uint64_t word_spread(uint64_t x, uint64_t mask) { return _pdep_u64(x, mask); }

/* In every byte of a lane: the sum of the bytes below it. The empty asm hides the factor from the compiler, which
   would otherwise replace the product by shifts and additions: 0.91 of the speed on 5x5. */
static inline lanes_t lanes_sums_below(lanes_t bytes) {
    lanes_t factor = lanes_all(0x0101010101010100);
    __asm__("" : "+v"(factor));
    return bytes * factor;
}

/* Indices for a byte shuffle that copies the lowest byte of a lane into all bytes of the lane. */
#if LANE_BITS == 64
#define LANES_LOWEST 0x0808080808080808, 0
#else
#define LANES_LOWEST 0x0C0C0C0C08080808, 0x0404040400000000
#endif

#if LANES * LANE_BITS == 512

#if LANE_BITS == 64
typedef __mmask8 lanes_mask_t;
#else
typedef __mmask16 lanes_mask_t;
#endif

static inline lanes_t lanes_rotate(lanes_t x, lanes_t s) {
    return (lanes_t)LANES_OP(_mm512_rolv_epi,)((__m512i)x, (__m512i)s);
}
static inline lanes_t lanes_rotate_back(lanes_t x, lanes_t s) {
    return (lanes_t)LANES_OP(_mm512_rorv_epi,)((__m512i)x, (__m512i)s);
}
/* For a separate ~y gcc emits an instruction that depends on the previous value of its target register. That may be
   a value of another vector of games, so the vectors are stepped one after the other, at half of the speed. */
static inline lanes_t lanes_without(lanes_t x, lanes_t y) {
    return (lanes_t)_mm512_andnot_si512((__m512i)y, (__m512i)x);
}
static inline lanes_t lanes_without_both(lanes_t x, lanes_t y, lanes_t z) {
    return (lanes_t)_mm512_ternarylogic_epi64((__m512i)x, (__m512i)y, (__m512i)z, 0x10);
}
static inline lanes_t lanes_count(lanes_t x) { return (lanes_t)LANES_OP(_mm512_popcnt_epi,)((__m512i)x); }
static inline lanes_mask_t lanes_less(lanes_t x, lanes_t y) {
    return LANES_OP(_mm512_cmplt_epu,_mask)((__m512i)x, (__m512i)y);
}
static inline lanes_mask_t lanes_zero(lanes_t x) {
    return LANES_OP(_mm512_testn_epi,_mask)((__m512i)x, (__m512i)x);
}
static inline lanes_mask_t lanes_within(lanes_t x, lanes_t y) {
    return LANES_OP(_mm512_testn_epi,_mask)((__m512i)x, (__m512i)~y);
}
static inline lanes_t lanes_if(lanes_mask_t mask, lanes_t a, lanes_t b) {
    return (lanes_t)LANES_OP(_mm512_mask_blend_epi,)(mask, (__m512i)b, (__m512i)a);
}
static inline lanes_t lanes_add_if(lanes_mask_t mask, lanes_t a, lanes_t b) {
    return (lanes_t)LANES_OP(_mm512_mask_add_epi,)((__m512i)a, mask, (__m512i)a, (__m512i)b);
}
static inline int lanes_some(lanes_mask_t mask) { return mask != 0; }
static inline int lanes_each(lanes_mask_t mask) { return mask == (lanes_mask_t)-1; }

/* Works on all bytes at once. Each byte subtracts from k the number of set bits in the bytes below it. It then looks
   up the bit with that number in one of its halves. Only one byte has such a bit. */
static inline lanes_t lanes_kth(lanes_t x, lanes_t k) {
    /* at index 16 * k + half: only the k-th set bit of the half byte */
    const __m512i bit = _mm512_set_epi64(
        0x0800000000000000, 0, 0x0408080008000000, 0x0400000000000000,
        0x0204040802080800, 0x0204040002000000, 0x0102010401020108, 0x0102010401020100);
    const __m512i lowest = _mm512_set_epi64(LANES_LOWEST, LANES_LOWEST, LANES_LOWEST, LANES_LOWEST);
    const __m512i half = _mm512_set1_epi8(0x0F), four = _mm512_set1_epi8(4);
    lanes_t below = lanes_sums_below((lanes_t)_mm512_popcnt_epi8((__m512i)x));
    __m512i in_low = _mm512_sub_epi8(_mm512_shuffle_epi8((__m512i)k, lowest), (__m512i)below);
    __m512i in_high = _mm512_sub_epi8(in_low, _mm512_popcnt_epi8(_mm512_and_si512((__m512i)x, half)));
    __m512i low = _mm512_ternarylogic_epi64(half, (__m512i)x, (__m512i)((lanes_t)in_low << 4), 0xCA);
    __m512i high = _mm512_ternarylogic_epi64(half, (__m512i)(x >> 4), (__m512i)((lanes_t)in_high << 4), 0xCA);
    low = _mm512_maskz_permutexvar_epi8(_mm512_cmplt_epu8_mask(in_low, four), low, bit);
    return (lanes_t)_mm512_mask_permutexvar_epi8(
        low, _mm512_cmplt_epu8_mask(in_high, four), high, _mm512_slli_epi64(bit, 4));
}

/* Numbers below n, made from the low halves of the words. */
static inline lanes_t lanes_scaled(const lanes_wide_t *words, lanes_t n) {
#if LANE_BITS == 64
    return (lanes_t)_mm512_mul_epu32((__m512i)words[0], (__m512i)n) >> 32;
#else
    __m512i even = _mm512_mul_epu32((__m512i)words[0], (__m512i)n);
    __m512i odd = _mm512_mul_epu32((__m512i)words[1], (__m512i)((lanes_wide_t)n >> 32));
    return (lanes_t)_mm512_mask_shuffle_epi32(odd, 0x5555, even, _MM_PERM_DDBB);
#endif
}
static inline lanes_wide_t lanes_wide_if(lanes_mask_t mask, int half, lanes_wide_t a, lanes_wide_t b) {
#if LANE_BITS == 64
    (void)half;
    return lanes_if(mask, a, b);
#else
    /* of each pair of lanes, the mask of one becomes the mask of both */
    lanes_wide_t chosen = (lanes_wide_t)_mm512_maskz_set1_epi32(mask, -1);
    chosen = half ? chosen >> 32 : chosen & 0xFFFFFFFF;
    return (lanes_wide_t)_mm512_mask_blend_epi64(
        _mm512_test_epi64_mask((__m512i)chosen, (__m512i)chosen), (__m512i)b, (__m512i)a);
#endif
}

#else

typedef lanes_t lanes_mask_t;           /* yes: all bits of a lane are set; no: none */

static inline lanes_t lanes_rotate(lanes_t x, lanes_t s) {
    return (lanes_t)_mm256_or_si256(LANES_OP(_mm256_sllv_epi,)((__m256i)x, (__m256i)s),
                                    LANES_OP(_mm256_srlv_epi,)((__m256i)x, (__m256i)(LANE_BITS - s)));
}
static inline lanes_t lanes_rotate_back(lanes_t x, lanes_t s) {
    return (lanes_t)_mm256_or_si256(LANES_OP(_mm256_srlv_epi,)((__m256i)x, (__m256i)s),
                                    LANES_OP(_mm256_sllv_epi,)((__m256i)x, (__m256i)(LANE_BITS - s)));
}

static inline lanes_t lanes_without(lanes_t x, lanes_t y) { return x & ~y; }

static inline lanes_t lanes_without_both(lanes_t x, lanes_t y, lanes_t z) { return x & ~y & ~z; }

/* Looks up a byte for every half byte. The other bits of `halves` are 0. */
static inline __m256i lanes_look_up(uint64_t high, uint64_t low, __m256i halves) {
    return _mm256_shuffle_epi8(
        _mm256_set_epi64x((long long)high, (long long)low, (long long)high, (long long)low), halves);
}
static inline __m256i lanes_half_counts(__m256i halves) {
    return lanes_look_up(0x0403030203020201, 0x0302020102010100, halves);
}
static inline __m256i lanes_low_halves(lanes_t x) {
    return _mm256_and_si256((__m256i)x, _mm256_set1_epi8(0x0F));
}
static inline lanes_t lanes_count(lanes_t x) {
    __m256i bytes = _mm256_add_epi8(lanes_half_counts(lanes_low_halves(x)),
                                    lanes_half_counts(lanes_low_halves(x >> 4)));
#if LANE_BITS == 64
    return (lanes_t)_mm256_sad_epu8(bytes, _mm256_setzero_si256());
#else
    return (lanes_t)_mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1));
#endif
}
/* A signed comparison: no compared value has its top bit set. */
static inline lanes_mask_t lanes_less(lanes_t x, lanes_t y) {
    return (lanes_mask_t)LANES_OP(_mm256_cmpgt_epi,)((__m256i)y, (__m256i)x);
}
static inline lanes_mask_t lanes_zero(lanes_t x) {
    return (lanes_mask_t)LANES_OP(_mm256_cmpeq_epi,)((__m256i)x, _mm256_setzero_si256());
}
static inline lanes_mask_t lanes_within(lanes_t x, lanes_t y) {
    return (lanes_mask_t)LANES_OP(_mm256_cmpeq_epi,)((__m256i)(x & y), (__m256i)x);
}
static inline lanes_t lanes_if(lanes_mask_t mask, lanes_t a, lanes_t b) {
    return (lanes_t)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)mask);
}
static inline lanes_t lanes_add_if(lanes_mask_t mask, lanes_t a, lanes_t b) { return a + (mask & b); }
static inline int lanes_some(lanes_mask_t mask) { return _mm256_movemask_epi8((__m256i)mask) != 0; }
static inline int lanes_each(lanes_mask_t mask) { return _mm256_movemask_epi8((__m256i)mask) == -1; }

/* Works on all bytes at once. Each byte subtracts from k the number of set bits in the bytes below it, continues with
   one of its halves, drops that many set bits of it and keeps the lowest that remains. Only one byte has such a bit. */
static inline lanes_t lanes_kth(lanes_t x, lanes_t k) {
    const __m256i lowest = _mm256_set_epi64x(LANES_LOWEST, LANES_LOWEST);
    __m256i low = lanes_low_halves(x), high = lanes_low_halves(x >> 4), in_low = lanes_half_counts(low);
    lanes_t below = lanes_sums_below((lanes_t)_mm256_add_epi8(in_low, lanes_half_counts(high)));
    __m256i left = _mm256_sub_epi8(_mm256_shuffle_epi8((__m256i)k, lowest), (__m256i)below);
    __m256i is_low = _mm256_cmpgt_epi8(in_low, left);
    __m256i half = _mm256_blendv_epi8(high, low, is_low);
    left = _mm256_sub_epi8(left, _mm256_andnot_si256(is_low, in_low));
    /* below 0 or above 3: the bit is not in this byte */
    half = _mm256_blendv_epi8(half, _mm256_setzero_si256(), _mm256_adds_epu8(left, _mm256_set1_epi8(0x7C)));
    half = _mm256_blendv_epi8(half, lanes_look_up(0x0C08080008000000, 0x0400000000000000, half),
                              _mm256_slli_epi64(left, 6));          /* drops the two lowest */
    half = _mm256_blendv_epi8(half, lanes_look_up(0x0E0C0C080A080800, 0x0604040002000000, half),
                              _mm256_slli_epi64(left, 7));          /* drops the lowest */
    return (lanes_t)_mm256_blendv_epi8(lanes_look_up(0x1020104010201080, 0x1020104010201000, half),
                                       lanes_look_up(0x0102010401020108, 0x0102010401020100, half), is_low);
}

static inline lanes_t lanes_scaled(const lanes_wide_t *words, lanes_t n) {
#if LANE_BITS == 64
    return (lanes_t)_mm256_mul_epu32((__m256i)words[0], (__m256i)n) >> 32;
#else
    __m256i even = _mm256_mul_epu32((__m256i)words[0], (__m256i)n);
    __m256i odd = _mm256_mul_epu32((__m256i)words[1], (__m256i)((lanes_wide_t)n >> 32));
    return (lanes_t)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
#endif
}
static inline lanes_wide_t lanes_wide_if(lanes_mask_t mask, int half, lanes_wide_t a, lanes_wide_t b) {
#if LANE_BITS == 64
    (void)half;
    return lanes_if(mask, a, b);
#else
    __m256i both = half ? _mm256_shuffle_epi32((__m256i)mask, 0xF5) : _mm256_shuffle_epi32((__m256i)mask, 0xA0);
    return (lanes_wide_t)_mm256_blendv_epi8((__m256i)b, (__m256i)a, both);
#endif
}

#endif
#endif

/* Generators: SFC64, as in rng.pxd. Their words always have 64 bits. With lanes of 32 bits the generators of the even
   lanes are in one vector of words and those of the odd lanes in another. */

#define LANES_WIDE (64 / LANE_BITS)

typedef struct {
    lanes_wide_t a[LANES_WIDE], b[LANES_WIDE], c[LANES_WIDE], counter[LANES_WIDE];
} lanes_rngs_t;

static inline lanes_t lanes_below(lanes_rngs_t *g, lanes_t n) {
    lanes_wide_t words[LANES_WIDE];
    for (int i = 0; i < LANES_WIDE; i++) {
        words[i] = g->a[i] + g->b[i] + g->counter[i];
        g->counter[i] = g->counter[i] + 1;
        g->a[i] = g->b[i] ^ (g->b[i] >> 11);
        g->b[i] = g->c[i] + (g->c[i] << 3);
        g->c[i] = ((g->c[i] << 24) | (g->c[i] >> 40)) + words[i];
    }
    return lanes_scaled(words, n);
}
static inline lanes_rngs_t lanes_rngs_if(lanes_mask_t mask, lanes_rngs_t a, lanes_rngs_t b) {
    for (int i = 0; i < LANES_WIDE; i++) {
        a.a[i] = lanes_wide_if(mask, i, a.a[i], b.a[i]);
        a.b[i] = lanes_wide_if(mask, i, a.b[i], b.b[i]);
        a.c[i] = lanes_wide_if(mask, i, a.c[i], b.c[i]);
        a.counter[i] = lanes_wide_if(mask, i, a.counter[i], b.counter[i]);
    }
    return a;
}
static inline void lanes_set_rng(lanes_rngs_t *g, int lane, uint64_t a, uint64_t b, uint64_t c, uint64_t counter) {
    int i = lane % LANES_WIDE, word = lane / LANES_WIDE;
    lanes_wide_set(&g->a[i], word, a);
    lanes_wide_set(&g->b[i], word, b);
    lanes_wide_set(&g->c[i], word, c);
    lanes_wide_set(&g->counter[i], word, counter);
}
static inline void lanes_get_rng(
    const lanes_rngs_t *g, int lane, uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *counter) {
    int i = lane % LANES_WIDE, word = lane / LANES_WIDE;
    *a = lanes_wide_get(g->a[i], word);
    *b = lanes_wide_get(g->b[i], word);
    *c = lanes_wide_get(g->c[i], word);
    *counter = lanes_wide_get(g->counter[i], word);
}

#endif
