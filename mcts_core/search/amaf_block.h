/* The inner loop of AMAF_OF_CODES: count a playout in the pairs of all codes that occurred in it.

A pair is one integer with two counters (amaf_block.pxd). With AVX-512 a word of the set of codes is the mask of
two or four additions, however many codes it has. Without, amaf_block.pxd goes code by code. */
#ifndef MCTS_CORE_AMAF_BLOCK_H
#define MCTS_CORE_AMAF_BLOCK_H

#include <stdint.h>
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__GNUC__)
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

#else
#define AMAF_BLOCK_VECTORS 0

static inline void amaf_block_add(char *pairs, const uint64_t *seen, int n_words, int is_wide, uint32_t pair) {
    (void)pairs; (void)seen; (void)n_words; (void)is_wide; (void)pair;
}
#endif
#endif
