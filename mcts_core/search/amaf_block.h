/* The inner loops of AMAF_OF_CODES: count a playout in the pairs of all codes that occurred in it, and read the pairs
of some codes.

A pair is one integer with two counters (amaf_block.pxd). With AVX-512 a word of the set of codes is the mask of
two or four additions, however many codes it has. Without, amaf_block.pxd goes code by code.

Eight pairs are loaded one by one into a vector: the processor's own instruction for that (gather) takes longer. */
#ifndef MCTS_CORE_AMAF_BLOCK_H
#define MCTS_CORE_AMAF_BLOCK_H

#include <stdint.h>
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__GNUC__)
#include <immintrin.h>
#define AMAF_BLOCK_VECTORS 1

/* `bits` is the width of a pair; a vector holds 512 / bits = `lanes` of them. */
#define AMAF_BLOCK_ADD(bits, lanes, mask_t, more) do {                                                          \
        for (i = 0; i < n_words; i++, pairs += 8 * (bits)) {                                                    \
            if (!seen[i]) continue;                                                                             \
            for (k = 0; k < (bits) / 8; k++) {                                                                  \
                const __m512i now = _mm512_load_si512(pairs + 64 * k);                                          \
                const mask_t hit = (mask_t)(seen[i] >> (lanes) * k);                                            \
                _mm512_store_si512(pairs + 64 * k, _mm512_mask_add_epi##bits(now, hit, now, more));             \
            }                                                                                                   \
        }                                                                                                       \
    } while (0)

static inline void amaf_block_add(char *pairs, const uint64_t *seen, int n_words, int is_wide, uint32_t pair) {
    int i, k;
    if (is_wide) AMAF_BLOCK_ADD(32, 16, __mmask16, _mm512_set1_epi32((int32_t)pair));
    else AMAF_BLOCK_ADD(16, 32, __mmask32, _mm512_set1_epi16((int16_t)pair));
}
#undef AMAF_BLOCK_ADD

/* What `at` gives for codes 7 to 0, in the order in which the instructions take them. */
#define AMAF_BLOCK_EIGHT(at) at(7), at(6), at(5), at(4), at(3), at(2), at(1), at(0)
#define AMAF_PAIR_8(k) (int16_t)pairs_8[codes[k]]
#define AMAF_PAIR_16(k) (int32_t)pairs_16[codes[k]]
#define AMAF_PAIR_32(k) (int64_t)pairs_32[codes[k]]

/* Visits of n codes, a multiple of 8, and wins as the mover sees them, in blocks of three forms: pairs of 8 bits only;
of 16 bits only; or of 8 bits and of 32. Pointers to other pairs are NULL. */
static inline void amaf_block_read(const uint16_t *pairs_8, const uint32_t *pairs_16, const uint64_t *pairs_32,
                                   const uint16_t *codes, int n, int turn, double *visits, double *wins) {
    int i;
    for (i = 0; i < n; i += 8, codes += 8) {
        __m256i pairs, seen, halves;
        __m512d all, won;
        if (pairs_16) {
            pairs = _mm256_set_epi32(AMAF_BLOCK_EIGHT(AMAF_PAIR_16));
            seen = _mm256_and_si256(pairs, _mm256_set1_epi32(0xFFFF));
            halves = _mm256_srli_epi32(pairs, 16);
        } else {
            pairs = _mm256_cvtepu16_epi32(_mm_set_epi16(AMAF_BLOCK_EIGHT(AMAF_PAIR_8)));
            seen = _mm256_and_si256(pairs, _mm256_set1_epi32(0xFF));
            halves = _mm256_srli_epi32(pairs, 8);
        }
        if (pairs_32) {
            const __m512i wide = _mm512_set_epi64(AMAF_BLOCK_EIGHT(AMAF_PAIR_32));
            seen = _mm256_add_epi32(seen, _mm512_cvtepi64_epi32(wide));
            halves = _mm256_add_epi32(halves, _mm512_cvtepi64_epi32(_mm512_srli_epi64(wide, 32)));
        }
        all = _mm512_cvtepu32_pd(seen);
        won = _mm512_mul_pd(_mm512_set1_pd(0.5), _mm512_cvtepu32_pd(halves));
        _mm512_storeu_pd(visits + i, all);
        _mm512_storeu_pd(wins + i, turn ? _mm512_sub_pd(all, won) : won);
    }
}
#undef AMAF_BLOCK_EIGHT
#undef AMAF_PAIR_8
#undef AMAF_PAIR_16
#undef AMAF_PAIR_32

#else
#define AMAF_BLOCK_VECTORS 0

static inline void amaf_block_add(char *pairs, const uint64_t *seen, int n_words, int is_wide, uint32_t pair) {
    (void)pairs; (void)seen; (void)n_words; (void)is_wide; (void)pair;
}

static inline void amaf_block_read(const uint16_t *pairs_8, const uint32_t *pairs_16, const uint64_t *pairs_32,
                                   const uint16_t *codes, int n, int turn, double *visits, double *wins) {
    (void)pairs_8; (void)pairs_16; (void)pairs_32; (void)codes; (void)n; (void)turn; (void)visits; (void)wins;
}
#endif
#endif
