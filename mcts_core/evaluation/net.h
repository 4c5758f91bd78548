/* The inner loops of a small network (net.pyx): 32 hidden units at a time, in vectors of 16-bit integers.

   The compiler splits a vector of 64 bytes into what the machine has, so one source serves SSE2, AVX2, AVX-512 and
   others. Integers give the same result everywhere. */
#ifndef PLAYOUT_NET_H
#define PLAYOUT_NET_H

#include <stdint.h>
#include <string.h>

#define NET_BLOCK 32                    /* hidden units in a vector */
#define NET_ONE 256                     /* an activation of 1, in units of `hidden`; activations stay below */

/* Adds the squares of the activations of one block, each times its weight. An activation is the bias plus the weights
   of all inputs that are set, clipped to 0 .. NET_ONE - 1. `inputs` is the block of input 0; the same block of the
   next input follows after `stride` numbers. Input i is bit i of `own`, input 64 + i bit i of `enemy`. */
#if defined(__GNUC__)

typedef int16_t net_units __attribute__((vector_size(64), aligned(2), may_alias));

static inline net_units net_sum(net_units sum, const int16_t *inputs, int stride, uint64_t bits) {
    while (bits) {
        sum += *(const net_units *)(inputs + (int64_t)__builtin_ctzll(bits) * stride);
        bits &= bits - 1;
    }
    return sum;
}

static inline int32_t net_block(const int16_t *inputs, int stride, const int16_t *biases, const int16_t *weights,
                                uint64_t own, uint64_t enemy) {
    net_units sum = *(const net_units *)biases, scaled;
    int32_t total = 0;
    int i;
    sum = net_sum(sum, inputs, stride, own);
    sum = net_sum(sum, inputs + 64 * (int64_t)stride, stride, enemy);
    sum &= (net_units)(sum > 0);
    sum = (sum & (net_units)(sum < NET_ONE)) | ((NET_ONE - 1) & (net_units)(sum >= NET_ONE));
    scaled = sum * *(const net_units *)weights;     /* fits, because a weight is at most 127 */
    for (i = 0; i < NET_BLOCK; i++)
        total += (int32_t)scaled[i] * sum[i];
    return total;
}

#else

static inline int32_t net_block(const int16_t *inputs, int stride, const int16_t *biases, const int16_t *weights,
                                uint64_t own, uint64_t enemy) {
    int32_t total = 0, unit;
    int i, bit;
    for (i = 0; i < NET_BLOCK; i++) {
        unit = biases[i];
        for (bit = 0; bit < 64; bit++) {
            unit += (int32_t)(own >> bit & 1) * inputs[(int64_t)bit * stride + i];
            unit += (int32_t)(enemy >> bit & 1) * inputs[(64 + (int64_t)bit) * stride + i];
        }
        unit = unit < 0 ? 0 : unit >= NET_ONE ? NET_ONE - 1 : unit;
        total += weights[i] * unit * unit;
    }
    return total;
}

#endif
#endif
