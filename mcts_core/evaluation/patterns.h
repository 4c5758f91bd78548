/* The inner loops of patterns (patterns.pyx): the index of every instance at once, then its weight.

   The index of an instance is a number with a digit to base 3 for each of its squares: 0 empty, 1 a man of the mover,
   2 a man of the opponent. `digits` has, for each of the 8 bytes of a board and each value of the byte, what its men add
   to the indices of all instances. So the indices are a sum of 16 rows, in vectors that the compiler splits into what
   the machine has. Integers give the same result everywhere. */
#ifndef PLAYOUT_PATTERNS_H
#define PLAYOUT_PATTERNS_H

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

#endif
