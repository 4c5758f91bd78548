/* Moves and flips of Othello on bitboards. The map is othello_board.pxd. */
#ifndef MCTS_CORE_GAMES_OTHELLO_BOARD_H
#define MCTS_CORE_GAMES_OTHELLO_BOARD_H

#include <stdint.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define OTHELLO_ALIGNED __declspec(align(32))
#else
#define OTHELLO_ALIGNED __attribute__((aligned(32)))
#endif

/* The lines from a square to the edge of 8x8: up towards higher bits (+1, +7, +8, +9), and
   down, the same lines towards lower bits. Each module has its own copy, filled at import. */
static OTHELLO_ALIGNED uint64_t othello_up[64][4];
static OTHELLO_ALIGNED uint64_t othello_down[64][4];

static inline void othello_fill_rays(void) {
    static const int rows[4] = {0, 1, 1, 1}, cols[4] = {1, -1, 0, 1};
    int square, line, far;
    for (square = 0; square < 64; square++)
        for (line = 0; line < 4; line++)
            for (far = -7; far < 8; far++) {
                int row = (square >> 3) + far * rows[line], col = (square & 7) + far * cols[line];
                uint64_t bit = 1ULL << (8 * (row & 7) + (col & 7));
                if (row < 0 || row > 7 || col < 0 || col > 7)
                    continue;
                if (far > 0) othello_up[square][line] |= bit;
                if (far < 0) othello_down[square][line] |= bit;
            }
}

#define OTHELLO_INNER 0x7E7E7E7E7E7E7E7EULL    /* a line that changes files cannot continue through an edge file */

#if defined(__AVX2__)

static inline uint64_t othello_join(__m256i lines) {
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256(lines, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
}

static inline uint64_t othello_reach(uint64_t own, uint64_t enemy) {
    const __m256i step = _mm256_set_epi64x(9, 8, 7, 1), two = _mm256_add_epi64(step, step);
    const __m256i inner = _mm256_set_epi64x(OTHELLO_INNER, -1, OTHELLO_INNER, OTHELLO_INNER);
    const __m256i o = _mm256_set1_epi64x((int64_t)own);
    const __m256i e = _mm256_and_si256(_mm256_set1_epi64x((int64_t)enemy), inner);
    __m256i up = _mm256_and_si256(e, _mm256_sllv_epi64(o, step));
    __m256i down = _mm256_and_si256(e, _mm256_srlv_epi64(o, step));
    __m256i up_pairs = _mm256_and_si256(e, _mm256_sllv_epi64(e, step));
    __m256i down_pairs = _mm256_srlv_epi64(up_pairs, step);
    up = _mm256_or_si256(up, _mm256_and_si256(e, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(e, _mm256_srlv_epi64(down, step)));
    up = _mm256_or_si256(up, _mm256_and_si256(up_pairs, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(down_pairs, _mm256_srlv_epi64(down, two)));
    up = _mm256_or_si256(up, _mm256_and_si256(up_pairs, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(down_pairs, _mm256_srlv_epi64(down, two)));
    return othello_join(_mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step)));
}

#else

static inline uint64_t othello_flood(uint64_t own, uint64_t enemy, int step) {
    uint64_t up = enemy & (own << step), down = enemy & (own >> step);
    uint64_t up_pairs = enemy & (enemy << step), down_pairs = enemy & (enemy >> step);
    up |= enemy & (up << step);
    down |= enemy & (down >> step);
    up |= up_pairs & (up << 2 * step);
    down |= down_pairs & (down >> 2 * step);
    up |= up_pairs & (up << 2 * step);
    down |= down_pairs & (down >> 2 * step);
    return up << step | down >> step;
}

static inline uint64_t othello_reach(uint64_t own, uint64_t enemy) {
    uint64_t inner = enemy & OTHELLO_INNER;
    return othello_flood(own, inner, 1) | othello_flood(own, enemy, 8)
        | othello_flood(own, inner, 7) | othello_flood(own, inner, 9);
}

#endif

static inline uint64_t othello_flips_up(uint64_t own, uint64_t enemy, uint64_t ray) {
    uint64_t end = ray & ~enemy;
    end = end & (0 - end) & own;
    return ray & (end - (end != 0));
}

static inline uint64_t othello_flips_down(uint64_t own, uint64_t enemy, uint64_t ray) {
    uint64_t end = ray & ~enemy;
    end = 1ULL << bits_last(end | 1) & end & own;
    return ray & ((0 - end) << 1);
}

static inline uint64_t othello_flips(uint64_t own, uint64_t enemy, int square) {
    const uint64_t *up = othello_up[square], *down = othello_down[square];
    return othello_flips_up(own, enemy, up[0]) | othello_flips_up(own, enemy, up[1])
        | othello_flips_up(own, enemy, up[2]) | othello_flips_up(own, enemy, up[3])
        | othello_flips_down(own, enemy, down[0]) | othello_flips_down(own, enemy, down[1])
        | othello_flips_down(own, enemy, down[2]) | othello_flips_down(own, enemy, down[3]);
}

#if defined(__AVX2__)

static inline uint64_t othello_flips_in_vectors(uint64_t own, uint64_t enemy, int square) {
    const __m256i o = _mm256_set1_epi64x((int64_t)own), e = _mm256_set1_epi64x((int64_t)enemy);
    const __m256i zero = _mm256_setzero_si256();
    const __m256i up = _mm256_load_si256((const __m256i*)othello_up[square]);
    const __m256i down = _mm256_load_si256((const __m256i*)othello_down[square]);
    __m256i end_up = _mm256_andnot_si256(e, up), end_down = _mm256_andnot_si256(e, down);
    end_up = _mm256_and_si256(_mm256_and_si256(end_up, _mm256_sub_epi64(zero, end_up)), o);

    /* `below`: the squares before the end of a ray; nothing without an end, because 0 stays 0.
       `end_down`: the highest bit that is set. Without leading zeros, the bits are smeared down along the ray; bits that
       the smear takes to other lines are lower than that bit, and `down` leaves them out. */
#if defined(__AVX512CD__) && defined(__AVX512VL__)
    __m256i below = _mm256_sub_epi64(end_up, _mm256_min_epu64(end_up, _mm256_set1_epi64x(1)));
    end_down = _mm256_srlv_epi64(_mm256_set1_epi64x(INT64_MIN), _mm256_lzcnt_epi64(end_down));
#else
    const __m256i step = _mm256_set_epi64x(9, 8, 7, 1), two = _mm256_add_epi64(step, step);
    __m256i below = _mm256_sub_epi64(_mm256_sub_epi64(end_up, _mm256_set1_epi64x(1)),
                                     _mm256_cmpeq_epi64(end_up, zero));
    end_down = _mm256_or_si256(end_down, _mm256_srlv_epi64(end_down, step));
    end_down = _mm256_or_si256(end_down, _mm256_srlv_epi64(end_down, two));
    end_down = _mm256_or_si256(end_down, _mm256_srlv_epi64(end_down, _mm256_add_epi64(two, two)));
    end_down = _mm256_andnot_si256(_mm256_srlv_epi64(end_down, step), end_down);
#endif

    __m256i above = _mm256_slli_epi64(_mm256_sub_epi64(zero, _mm256_and_si256(end_down, o)), 1);
    return othello_join(_mm256_or_si256(_mm256_and_si256(up, below), _mm256_and_si256(down, above)));
}

#else

#define othello_flips_in_vectors othello_flips

#endif

static inline uint64_t othello_diagonal(int square, int line) {
    return othello_up[square][line] | othello_down[square][line];
}

static inline uint64_t othello_lines(int square) {
    const uint64_t *up = othello_up[square], *down = othello_down[square];
    return up[0] | up[1] | up[2] | up[3] | down[0] | down[1] | down[2] | down[3];
}

#endif
