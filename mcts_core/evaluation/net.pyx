"""Small networks for Python: their arrays, checked and copied. The score is computed in net_score.pyx."""
from libc.stdint cimport int16_t, int32_t
from libc.string cimport memset

from mcts_core.base.aligned_memory cimport free_lines, take_lines, whole_lines
from mcts_core.base.array_memory cimport copy_numbers
from mcts_core.evaluation.net_score cimport INPUTS, NET_BLOCK, net_t, score
from mcts_core.evaluator cimport EVALUATOR_ABI, Evaluator
from mcts_core.position cimport Position

import numpy as np

from mcts_core.errors import BadMethod

cdef enum:
    MOST_HIDDEN = 256
    MOST_HEADS = 64

UNIT = 256                              # a hidden unit of 1
HEAD_UNIT = 64                          # a weight of a head of 1
MOST_HEAD_WEIGHT = 127
BLOCK = NET_BLOCK                       # the number of hidden units is a multiple
SCALE = 256.0


def most_input(most_men):
    """Return the largest weight of an input, and bias, with which no sum of 16 bits can overflow."""
    return 32767 // (most_men + 1)


cdef class Net(Evaluator):
    """A network for the game of a position, from arrays of integers.

    `inputs` [128, hidden] and `biases` [hidden] are int16, `weights` [heads, hidden] int16 of at most 127,
    `head_biases` [heads] int32.
    """

    cdef net_t net
    cdef void* memory

    def __cinit__(self, Position position not None, inputs, biases, weights, head_biases, int most_men):
        cdef net_t* net = &self.net
        position.state()                # raises if the position was never set up
        if position.game.planes == NULL:
            raise BadMethod(f"a network needs a game with planes, and {type(position).__name__} has none")
        check_shapes(inputs, biases, weights, head_biases, most_men)
        memset(net, 0, sizeof(net_t))
        net.evaluator.abi, net.evaluator.scale, net.evaluator.score = EVALUATOR_ABI, SCALE, score
        net.evaluator.needs_planes = True
        net.hidden, net.heads, net.most_men = len(biases), len(head_biases), most_men
        self.memory = take_lines(whole_lines(2 * net.hidden * (INPUTS + 1 + net.heads) + 4 * net.heads))
        if self.memory == NULL:
            raise MemoryError("no memory for a network")
        net.inputs = <int16_t*> self.memory
        net.biases = net.inputs + INPUTS * net.hidden
        net.weights = net.biases + net.hidden
        net.head_biases = <int32_t*> (net.weights + net.heads * net.hidden)
        copy_numbers(net.inputs, np.ascontiguousarray(inputs, np.int16))
        copy_numbers(net.biases, np.ascontiguousarray(biases, np.int16))
        copy_numbers(net.weights, np.ascontiguousarray(weights, np.int16))
        copy_numbers(net.head_biases, np.ascontiguousarray(head_biases, np.int32))
        self.c, self.game = &net.evaluator, position.game

    def __dealloc__(self):
        if self.memory != NULL:
            free_lines(self.memory)


def squares_of(Position position not None):
    """Return the square (row * columns + column) of each bit of a game's planes; -1 for a bit without one."""
    position.state()                    # raises if the position was never set up
    if position.game.square == NULL:
        raise BadMethod(f"a network needs a game with planes, and {type(position).__name__} has none")
    return [position.game.square(position.game, bit) for bit in range(64)]


def check_shapes(inputs, biases, weights, head_biases, most_men):
    """Refuse arrays that do not fit together, and numbers with which a sum could overflow."""
    hidden, heads = len(biases), len(head_biases)
    if not (0 < hidden <= MOST_HIDDEN and hidden % BLOCK == 0 and 0 < heads <= MOST_HEADS and 0 < most_men <= 64):
        raise BadMethod(f"a network has {BLOCK} to {MOST_HIDDEN} hidden units, a multiple of {BLOCK}, 1 to "
                        f"{MOST_HEADS} heads, and 1 to 64 men; not {hidden}, {heads} and {most_men}")
    shapes = [np.shape(array) for array in (inputs, biases, weights, head_biases)]
    if shapes != [(INPUTS, hidden), (hidden,), (heads, hidden), (heads,)]:
        raise BadMethod("the arrays of a network do not fit together")
    largest = max(np.abs(np.asarray(inputs, np.int64)).max(), np.abs(np.asarray(biases, np.int64)).max())
    if largest > most_input(most_men):
        raise BadMethod(f"a weight of an input, or a bias, is {largest}, and {most_input(most_men)} is the most")
    if np.abs(np.asarray(weights, np.int64)).max() > MOST_HEAD_WEIGHT:
        raise BadMethod(f"a weight of a head is beyond {MOST_HEAD_WEIGHT}")
    if np.abs(np.asarray(head_biases, np.int64)).max() > 1 << 29:
        raise BadMethod("a bias of a head is beyond 2**29")
