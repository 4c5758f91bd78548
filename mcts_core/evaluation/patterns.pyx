"""Patterns for Python: their arrays, checked and copied. The score is computed in pattern_score.pyx."""
from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t
from libc.string cimport memset

from mcts_core.base.aligned_memory cimport free_lines, take_lines, whole_lines
from mcts_core.base.array_memory cimport copy_numbers, memory_of
from mcts_core.evaluation.pattern_score cimport PATTERN_LANES, list_indices, patterns_t, score
from mcts_core.evaluator cimport EVALUATOR_ABI
from mcts_core.position cimport Position

import numpy as np

from mcts_core.errors import BadMethod

cdef enum:
    MOST_PHASES = 64
    ORDER_DEPTH = 3                     # plies: from here on, moves are sorted by their scores

MOST_SQUARES = 10                       # of a kind, so that an index fits into 16 bits
POINTS = 32                             # of a man: the unit of weights and scores
LANES = PATTERN_LANES                   # the most instances


cdef class Patterns(Evaluator):
    """Patterns for the game of a position.

    `instances` has a pair for each: where its weights begin, and the bits of its squares, the lowest digit first.
    `weights` is int16 [phases, n], `biases` int32 [phases]. A score of `scale` means that a win is e times as likely as
    a loss.
    """

    def __cinit__(self, Position position not None, instances, weights, biases, int most_men, double scale):
        cdef patterns_t* p = &self.patterns
        cdef uint16_t* digits
        cdef int byte, value, i, bit, digit
        position.state()                # raises if the position was never set up
        if position.game.planes == NULL:
            raise BadMethod(f"patterns need a game with planes, and {type(position).__name__} has none")
        check_shapes(instances, weights, biases, most_men, scale)
        memset(p, 0, sizeof(patterns_t))
        p.evaluator.abi, p.evaluator.scale, p.evaluator.score = EVALUATOR_ABI, scale, score
        p.evaluator.point, p.evaluator.needs_planes, p.evaluator.order_depth = POINTS, True, ORDER_DEPTH
        p.n_instances, p.most_men = len(instances), most_men
        p.phases, p.n_weights = weights.shape
        p.row = p.n_weights + 1
        self.memory = take_lines(whole_lines(
            2 * 8 * 256 * PATTERN_LANES + 4 * (PATTERN_LANES + MOST_PHASES) + 2 * p.phases * p.row))
        if self.memory == NULL:
            raise MemoryError("no memory for patterns")
        p.digits = <uint16_t*> self.memory
        p.offsets = <int32_t*> (p.digits + 8 * 256 * PATTERN_LANES)
        p.biases = p.offsets + PATTERN_LANES
        p.weights = <int16_t*> (p.biases + MOST_PHASES)
        copy_numbers(p.weights, np.pad(weights.astype(np.int16), ((0, 0), (0, 1))))
        copy_numbers(p.biases, np.ascontiguousarray(biases, np.int32))
        memset(p.digits, 0, 2 * 8 * 256 * PATTERN_LANES)
        for i in range(PATTERN_LANES):
            p.offsets[i] = p.n_weights
        for i, (offset, bits) in enumerate(instances):
            p.offsets[i], digit = offset, 1
            for bit in bits:
                byte = bit >> 3
                for value in range(256):
                    if value >> (bit & 7) & 1:
                        digits = p.digits + (256 * byte + value) * PATTERN_LANES
                        digits[i] += digit
                digit *= 3
        self.c, self.game = &p.evaluator, position.game

    def __dealloc__(self):
        if self.memory != NULL:
            free_lines(self.memory)

    def indices(self, own, enemy):
        """Return the phase of each board, and the indices of its instances in the weights of a phase.

        Boards are planes as uint64 [n]. The result is int32 [n] and [n, instances].
        """
        cdef patterns_t* p = &self.patterns
        cdef int n = len(own)
        mine, theirs = np.ascontiguousarray(own, np.uint64), np.ascontiguousarray(enemy, np.uint64)
        if len(theirs) != n:
            raise BadMethod("there must be as many boards of the opponent's men as of the mover's")
        phases, found = np.empty(n, np.int32), np.empty((n, p.n_instances), np.int32)
        if n == 0:
            return phases, found
        cdef const uint64_t* a = <const uint64_t*> memory_of(mine)
        cdef const uint64_t* b = <const uint64_t*> memory_of(theirs)
        cdef int32_t* phase = <int32_t*> memory_of(phases)
        cdef int32_t* out = <int32_t*> memory_of(found)
        with nogil:
            list_indices(p, a, b, n, phase, out)
        return phases, found


def check_shapes(instances, weights, biases, most_men, scale):
    """Refuse arrays that do not fit together, and instances that would read outside them."""
    if np.ndim(weights) != 2 or np.shape(biases) != (len(weights),):
        raise BadMethod("the arrays of patterns do not fit together")
    phases, n = weights.shape
    if not (0 < len(instances) <= LANES and 0 < phases <= MOST_PHASES and 0 < most_men <= 64 and 0.0 < scale < 1e6):
        raise BadMethod(f"patterns have 1 to {LANES} instances, 1 to {MOST_PHASES} phases, 1 to 64 men and a scale "
                        f"above 0; not {len(instances)}, {phases}, {most_men} and {scale}")
    for offset, bits in instances:
        if not 0 < len(set(bits)) == len(bits) <= MOST_SQUARES or min(bits) < 0 or max(bits) > 63:
            raise BadMethod(f"a pattern has 1 to {MOST_SQUARES} different squares of the board, not {list(bits)}")
        if not 0 <= offset <= n - 3 ** len(bits):
            raise BadMethod(f"there are not as many weights as a pattern of {len(bits)} squares needs")
    if np.abs(np.asarray(biases, np.int64)).max() > 1 << 29:
        raise BadMethod("a bias is beyond 2**29")
