"""A small network over the planes of a game: two boards in, one hidden layer, a score out.

    hidden unit   bias + the weights of the squares with a man of the mover or of the opponent
    activation    the hidden unit, clipped to 0 .. 255 (256 stands for 1), squared
    score         (bias of the head + the sum of activation * weight of the head) >> 14

The number of men on the board chooses the head: heads are for equal ranges from 1 to `most_men`. All numbers are
integers, and no sum can overflow, so every machine computes the same score. A score of 256 means that a win is e
times as likely as a loss.
"""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.bits cimport count_bits

cdef enum:
    SHIFT = 14                          # of the sum; 2^16 is an activation of 1 squared, and a weight of 64 is 1


cdef int score(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil:
    cdef const net_t* net = <const net_t*> evaluator
    cdef uint64_t own, enemy
    cdef int head, block, first
    cdef int64_t total
    game.planes(game, state, &own, &enemy)
    head = max(0, min((count_bits(own | enemy) - 1) * net.heads // net.most_men, net.heads - 1))
    total = net.head_biases[head]
    for block in range(net.hidden // NET_BLOCK):
        first = NET_BLOCK * block
        total += net_block(net.inputs + first, net.hidden, net.biases + first,
                           net.weights + head * net.hidden + first, own, enemy)
    return <int> (total >> SHIFT)
