/* The inner loops of patterns (pattern_score.pyx): the index of every instance at once, then the sum of their weights.

   The index of an instance is a number with a digit to base 3 for each of its squares: 0 empty, 1 a man of the mover,
   2 a man of the opponent. `digits` has, for each of the 8 bytes of a board and each value of the byte, what its men add
   to the indices of all instances. So the indices are a sum of 16 rows, in vectors that the compiler splits into what
   the machine has. Integers give the same result everywhere. */
#ifndef PLAYOUT_PATTERN_SCORE_H
#define PLAYOUT_PATTERN_SCORE_H

#include <stdint.h>

#define PATTERN_LANES 64                /* instances, with padding */

#if defined(__GNUC__)
#define PATTERN_VECTOR 32               /* lanes of 16 bits in a vector of 64 bytes */
typedef uint16_t pattern_lanes __attribute__((vector_size(64), aligned(64), may_alias));
#else
#define PATTERN_VECTOR 1
typedef uint16_t pattern_lanes;
#endif

/* Writes the indices of all instances. `digits` is [8][256][PATTERN_LANES], `indices` [PATTERN_LANES]; both begin at a
   cache line. */
static inline void pattern_indices(const uint16_t *digits, uint64_t own, uint64_t enemy, uint16_t *indices) {
    int byte, part;
    for (part = 0; part < PATTERN_LANES / PATTERN_VECTOR; part++) {
        const uint16_t *of_byte = digits + PATTERN_VECTOR * part;
        pattern_lanes mine = {0}, theirs = {0};
        for (byte = 0; byte < 8; byte++) {
            mine += *(const pattern_lanes *)(of_byte + PATTERN_LANES * (own >> 8 * byte & 255));
            theirs += *(const pattern_lanes *)(of_byte + PATTERN_LANES * (enemy >> 8 * byte & 255));
            of_byte += 256 * PATTERN_LANES;
        }
        *(pattern_lanes *)(indices + PATTERN_VECTOR * part) = mine + theirs + theirs;
    }
}

/* Returns the sum of a weight for each of n instances: that at its offset plus its index. `offsets` and `indices` have
   PATTERN_LANES numbers and begin at a cache line; the offsets of the padding lead to a weight of 0. Vectors gather the
   32 bits that end with each weight, so something must lie before `weights`. */
#if defined(__GNUC__) && defined(__AVX512F__)
#include <immintrin.h>
#define SUM_LANES 16
#define WIDEN(indices) _mm512_cvtepu16_epi32(*(const __m256i *)(indices))
/* The masked form does not wait for the register that it writes to. */
#define GATHER(from, at) _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xFFFF, (__m512i)(at), (from), 2)
#define SUMMED(n) PATTERN_LANES         /* a constant, so that the loop is unrolled; it has hardly more vectors */
#elif defined(__GNUC__) && defined(__AVX2__)
#include <immintrin.h>
#define SUM_LANES 8
#define WIDEN(indices) _mm256_cvtepu16_epi32(*(const __m128i *)(indices))
#define GATHER(from, at) _mm256_i32gather_epi32((const int *)(from), (__m256i)(at), 2)
#define SUMMED(n) (n)
#endif

#if defined(SUM_LANES)
typedef int32_t sum_lanes __attribute__((vector_size(4 * SUM_LANES), may_alias));

static inline int pattern_sum(const int16_t *weights, const int32_t *offsets, const uint16_t *indices, int n) {
    sum_lanes sums = {0};
    int i, sum = 0;
    for (i = 0; i < SUMMED(n); i += SUM_LANES) {
        sum_lanes at = *(const sum_lanes *)(offsets + i) + (sum_lanes)WIDEN(indices + i);
        sums += (sum_lanes)GATHER(weights - 1, at) >> 16;
    }
    for (i = 0; i < SUM_LANES; i++)
        sum += sums[i];
    return sum;
}
#else
static inline int pattern_sum(const int16_t *weights, const int32_t *offsets, const uint16_t *indices, int n) {
    int i, sum = 0;
    for (i = 0; i < n; i++)
        sum += weights[offsets[i] + indices[i]];
    return sum;
}
#endif

#endif
