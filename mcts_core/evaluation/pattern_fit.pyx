"""Fitting patterns to labelled boards: gradient descent on the squared error, board after board (Adagrad).

A weight's step is divided by the root of the sum of its squared gradients so far, so frequent weights settle and rare
ones still move.

Weights are numbers of 32 bits here, in units of the label. Configurations that are mirror images of each other within a
kind share a weight: `tied` gives the weight of each index. One phase is fitted at a time.
"""
from libc.math cimport sqrtf
from libc.stdint cimport int32_t, uint16_t, uint64_t

from mcts_core.base.array_memory cimport memory_of
from mcts_core.evaluation.pattern_score cimport pattern_indices, patterns_t
from mcts_core.evaluation.patterns cimport Patterns

import numpy as np

from mcts_core.errors import BadMethod


cdef float BIAS_RATE = 0.001            # of the bias, which every board moves


cdef struct fit_t:
    const patterns_t* p
    const int32_t* tied
    float* weights
    float* squares                      # of each weight's gradients, summed
    float bias


cdef inline float predict(const fit_t* fit, uint64_t own, uint64_t enemy, int32_t* used) noexcept nogil:
    """Return the prediction for a board, and which weights were used."""
    cdef uint16_t[64 + 32] room
    cdef uint16_t* indices = <uint16_t*> ((<size_t> room + 63) & ~<size_t> 63)
    cdef float total = fit.bias
    cdef int i
    pattern_indices(fit.p.digits, own, enemy, indices)
    for i in range(fit.p.n_instances):
        used[i] = fit.tied[fit.p.offsets[i] + indices[i]]
        total += fit.weights[used[i]]
    return total


cdef inline void learn(fit_t* fit, const int32_t* used, float error, float rate) noexcept nogil:
    """Step towards the label of a board that was predicted with this error."""
    cdef int i, weight
    fit.bias += BIAS_RATE * rate * error
    for i in range(fit.p.n_instances):
        weight = used[i]
        fit.squares[weight] += error * error
        fit.weights[weight] += rate * error / sqrtf(fit.squares[weight])


def descend(Patterns patterns not None, tied, weights, squares, float bias, own, enemy, labels, order, float rate):
    """Learn from boards in this order. Returns the new bias and the mean squared error before each step.

    `tied` is int32 [weights of a phase]; `weights` and `squares`, the sums of squared gradients, are float32 [weights
    that differ] and are changed in place; `own` and `enemy` are uint64 [n], `labels` float32 [n], `order` int32 [m].
    With a `rate` of 0 nothing is learned.
    """
    check_fit(patterns, tied, weights, squares, own, enemy, labels, order)
    cdef fit_t fit
    cdef int32_t[64] used
    cdef const uint64_t* a = <const uint64_t*> memory_of(own)
    cdef const uint64_t* b = <const uint64_t*> memory_of(enemy)
    cdef const float* label = <const float*> memory_of(labels)
    cdef const int32_t* rows = <const int32_t*> memory_of(order)
    cdef int n = len(order), k, i
    cdef float error
    cdef double total = 0.0
    fit.p, fit.tied, fit.weights = &patterns.patterns, <const int32_t*> memory_of(tied), <float*> memory_of(weights)
    fit.squares, fit.bias = <float*> memory_of(squares), bias
    with nogil:
        for k in range(n):
            i = rows[k]
            error = label[i] - predict(&fit, a[i], b[i], used)
            total += error * error
            if rate > 0.0:
                learn(&fit, used, error, rate)
    return fit.bias, total / n


def check_fit(Patterns patterns not None, tied, weights, squares, own, enemy, labels, order):
    """Refuse arrays of the wrong type or length, and rows that do not exist."""
    types = [np.int32, np.float32, np.float32, np.uint64, np.uint64, np.float32, np.int32]
    arrays = [tied, weights, squares, own, enemy, labels, order]
    for array, type in zip(arrays, types):
        if array.dtype != type or array.ndim != 1 or not array.flags.c_contiguous or len(array) == 0:
            raise BadMethod(f"fitting needs flat arrays that are not empty, and one of {np.dtype(type)} is not")
    if (len(tied) != patterns.patterns.n_weights or tied.min() < 0 or tied.max() >= len(weights)
            or len(squares) != len(weights)):
        raise BadMethod("`tied` does not fit the weights")
    if not len(own) == len(enemy) == len(labels) or order.min() < 0 or order.max() >= len(own):
        raise BadMethod("the boards, their labels and their order do not fit together")
