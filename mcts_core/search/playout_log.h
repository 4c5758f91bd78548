/* A word of a set of codes, packed: a mask of the bytes that are not zero, and these bytes. */

#ifndef MCTS_CORE_PLAYOUT_LOG_H
#define MCTS_CORE_PLAYOUT_LOG_H

#include <stdint.h>
#include <string.h>
#if defined(__BMI2__) && defined(__x86_64__)
#include <immintrin.h>
#endif

#define LOG_ONES 0x0101010101010101ULL      /* a 1 in every byte */

/* Pack a word. Returns the number of bytes that it needs; all eight may be written to. */
static inline int log_pack(uint64_t word, uint8_t *mask, uint8_t *bytes) {
#if defined(__BMI2__) && defined(__x86_64__)
    const uint64_t sevens = 0x7F * LOG_ONES;
    const uint64_t some = (((word & sevens) + sevens) | word) >> 7 & LOG_ONES;     /* 1 in each byte that is not 0 */
    const uint64_t packed = _pext_u64(word, some * 255);
    *mask = (uint8_t)(some * 0x0102040810204080ULL >> 56);
    memcpy(bytes, &packed, 8);
    return (int)(some * LOG_ONES >> 56);
#else
    int i, n = 0;
    *mask = 0;
    for (i = 0; i < 8; i++) {
        const uint8_t byte = (uint8_t)(word >> 8 * i);
        bytes[n] = byte;
        n += byte != 0;
        *mask |= (uint8_t)((byte != 0) << i);
    }
    return n;
#endif
}

/* Unpack a word. Returns the number of its bytes. May read eight bytes, the last of them the last of the word. */
static inline int log_unpack(uint64_t *word, uint8_t mask, const uint8_t *bytes) {
#if defined(__BMI2__) && defined(__x86_64__)
    const uint64_t some = _pdep_u64(mask, LOG_ONES);
    const int n = (int)(some * LOG_ONES >> 56);
    uint64_t packed;
    memcpy(&packed, bytes + n - 8, 8);
    *word = n ? _pdep_u64(packed >> 8 * (8 - n), some * 255) : 0;
    return n;
#else
    int i, n = 0;
    *word = 0;
    for (i = 0; i < 8; i++) if (mask >> i & 1) *word |= (uint64_t)bytes[n++] << 8 * i;
    return n;
#endif
}
#endif
