/* The inner loop of AMAF_OF_MOVES: the moves of an entry whose codes occurred in a playout get its result.

With AVX-512 the playout's codes, up to 1024 bits, stay in two registers while the whole path is updated. Eight
moves look up their codes at once, and a mask selects the counters to add to. (In memory, a read of eight words
would wait for the last write of one of them: 10 % of RAVE's time.) All counters of the entry are in registers
then, so the move of its next visit is planned at once: 16 % more simulations of RAVE on Breakthrough 8x8, 6 % in
Othello. */
#ifndef MCTS_CORE_AMAF_SIMD_H
#define MCTS_CORE_AMAF_SIMD_H

#include <math.h>
#include <stdint.h>
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__GNUC__)
#include <immintrin.h>
#define AMAF_SIMD_PLANS 1
#define AMAF_SIMD_INLINE static inline __attribute__((always_inline))    /* or the registers go through memory */
#else
#define AMAF_SIMD_PLANS 0
#define AMAF_SIMD_INLINE static inline
#endif

typedef struct {
    uint64_t *words;
    int n_words;
#if AMAF_SIMD_PLANS
    __m512i low, high;          /* the words, if there are at most 16 */
#endif
} amaf_simd_t;

#if AMAF_SIMD_PLANS
AMAF_SIMD_INLINE __m512i amaf_simd_words(const uint64_t *words, int n) {
    return _mm512_maskz_loadu_epi64((__mmask8)(n >= 8 ? 255 : n > 0 ? (1 << n) - 1 : 0), words);
}
#endif

AMAF_SIMD_INLINE void amaf_simd_load(amaf_simd_t *played, uint64_t *words, int n_words) {
    played->words = words;
    played->n_words = n_words;
#if AMAF_SIMD_PLANS
    played->low = amaf_simd_words(words, n_words);
    played->high = amaf_simd_words(words + 8, n_words - 8);
#endif
}

AMAF_SIMD_INLINE void amaf_simd_mark(amaf_simd_t *played, int code) {
    const uint64_t bit = (uint64_t)1 << (code & 63);
#if AMAF_SIMD_PLANS
    if (played->n_words <= 16) {
        const uint32_t word = 1u << (code >> 6);
        const __m512i bits = _mm512_set1_epi64((int64_t)bit);
        played->low = _mm512_mask_or_epi64(played->low, (__mmask8)word, played->low, bits);
        played->high = _mm512_mask_or_epi64(played->high, (__mmask8)(word >> 8), played->high, bits);
        return;
    }
#endif
    played->words[code >> 6] |= bit;
}

#if AMAF_SIMD_PLANS
typedef struct { __m512d visits, wins; } amaf_simd_eight_t;

/* Add to the counters of eight moves. Returns their new values. */
AMAF_SIMD_INLINE amaf_simd_eight_t amaf_simd_eight(const amaf_simd_t *played, const uint16_t *codes, uint32_t *n, double *w,
                                      double value) {
    const __m512i code = _mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)codes));
    const __m512i word = _mm512_permutex2var_epi64(played->low, _mm512_srli_epi64(code, 6), played->high);
    const __m512i bit = _mm512_rorv_epi64(word, code);      /* by the lowest six bits */
    const __mmask8 hit = _mm512_test_epi64_mask(bit, _mm512_set1_epi64(1));
    __m256i visits = _mm256_loadu_si256((const __m256i *)n);
    __m512d wins = _mm512_loadu_pd(w);
    amaf_simd_eight_t eight;
    visits = _mm256_mask_add_epi32(visits, hit, visits, _mm256_set1_epi32(1));
    wins = _mm512_mask_add_pd(wins, hit, wins, _mm512_set1_pd(value));
    _mm256_storeu_si256((__m256i *)n, visits);
    _mm512_storeu_pd(w, wins);
    eight.visits = _mm512_cvtepu32_pd(visits);
    eight.wins = wins;
    return eight;
}
#endif

AMAF_SIMD_INLINE void amaf_simd_add(const amaf_simd_t *played, const uint16_t *codes, uint32_t *n, double *w, int room,
                            double value) {
    int i;
#if AMAF_SIMD_PLANS
    if (played->n_words <= 16) {
        for (i = 0; i < room; i += 8) amaf_simd_eight(played, codes + i, n + i, w + i, value);
        return;
    }
#endif
    for (i = 0; i < room; i++) {
        uint32_t hit = played->words[codes[i] >> 6] >> (codes[i] & 63) & 1;
        n[i] += hit;
        w[i] += hit * value;
    }
}

#if AMAF_SIMD_PLANS
/* The number of vectors is a constant at each call, so all scores stay in registers. */
AMAF_SIMD_INLINE int amaf_simd_plan_in(
        const int n_vectors, const amaf_simd_t *played, const uint16_t *codes, uint32_t *amaf_n, double *amaf_w,
        const uint32_t *n, const double *w, int n_moves, double value, double bias) {
    const __mmask8 are = (__mmask8)(255 >> (8 * n_vectors - n_moves));      /* moves in the last vector */
    __m512d scores[8], top = _mm512_set1_pd(-INFINITY);
    uint64_t best = 0;
    int k;
    for (k = 0; k < n_vectors; k++) {
        const int i = 8 * k;
        const amaf_simd_eight_t amaf = amaf_simd_eight(played, codes + i, amaf_n + i, amaf_w + i, value);
        const __m512d visits = _mm512_cvtepu32_pd(_mm256_loadu_si256((const __m256i *)(n + i)));
        const __m512d wins = _mm512_loadu_pd(w + i);
        /* blend_mse, operation by operation */
        const __m512d weight = _mm512_mul_pd(_mm512_set1_pd(bias), amaf.visits);
        const __m512d both = _mm512_add_pd(_mm512_add_pd(visits, amaf.visits), _mm512_mul_pd(visits, weight));
        const __m512d sum = _mm512_add_pd(_mm512_add_pd(wins, _mm512_mul_pd(wins, weight)), amaf.wins);
        const __mmask8 known = _mm512_cmp_pd_mask(both, _mm512_setzero_pd(), _CMP_NEQ_OQ);
        scores[k] = _mm512_mask_div_pd(_mm512_set1_pd(INFINITY), known, sum, both);
        if (k == n_vectors - 1) scores[k] = _mm512_mask_mov_pd(_mm512_set1_pd(-INFINITY), are, scores[k]);
        top = _mm512_max_pd(top, scores[k]);
    }
    top = _mm512_set1_pd(_mm512_reduce_max_pd(top));
    for (k = 0; k < n_vectors; k++)
        best |= (uint64_t)_mm512_cmp_pd_mask(scores[k], top, _CMP_EQ_OQ) << (8 * k);
    return best ? __builtin_ctzll(best) : n_moves - 1;     /* none equals NaN */
}
#endif

AMAF_SIMD_INLINE int amaf_simd_plan(const amaf_simd_t *played, const uint16_t *codes, uint32_t *amaf_n, double *amaf_w,
                              const uint32_t *n, const double *w, int n_moves, double value, double bias) {
#if AMAF_SIMD_PLANS
#define AMAF_SIMD_IN(k) case k: return amaf_simd_plan_in(k, played, codes, amaf_n, amaf_w, n, w, n_moves, value, bias)
    switch ((n_moves + 7) / 8) {
        AMAF_SIMD_IN(1); AMAF_SIMD_IN(2); AMAF_SIMD_IN(3); AMAF_SIMD_IN(4); AMAF_SIMD_IN(5); AMAF_SIMD_IN(6); AMAF_SIMD_IN(7);
        default: AMAF_SIMD_IN(8);
    }
#undef AMAF_SIMD_IN
#else
    (void)played; (void)codes; (void)amaf_n; (void)amaf_w; (void)n; (void)w; (void)n_moves; (void)value; (void)bias;
    return 0;
#endif
}

#endif
