"""An evaluation compiled outside the package: the men of the mover less those of the opponent."""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from mcts_core.base.bits cimport count_bits
from mcts_core.evaluator cimport EVALUATOR_ABI, evaluator_capsule, evaluator_t
from mcts_core.game cimport game_t

cdef evaluator_t material, old, unscaled, empty, huge, blind


cdef int score(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil:
    cdef uint64_t own, enemy
    game.planes(game, state, &own, &enemy)
    return 100 * (count_bits(own) - count_bits(enemy))


cdef int too_much(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil:
    return 1 << 30


cdef int nothing(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil:
    return 0


cdef evaluator_t made(int abi, double scale):
    cdef evaluator_t evaluator
    memset(&evaluator, 0, sizeof(evaluator_t))
    evaluator.abi, evaluator.scale, evaluator.score, evaluator.needs_planes = abi, scale, score, True
    return evaluator


material = made(EVALUATOR_ABI, 200.0)
MATERIAL = evaluator_capsule(&material)

# for games without planes, too
blind = made(EVALUATOR_ABI, 1.0)
blind.needs_planes, blind.score = False, nothing
BLIND = evaluator_capsule(&blind)

# faulty ones
old, unscaled, empty, huge = made(0, 1.0), made(EVALUATOR_ABI, 0.0), made(EVALUATOR_ABI, 1.0), made(EVALUATOR_ABI, 1.0)
empty.score, huge.score = NULL, too_much
OLD, UNSCALED, EMPTY, HUGE = (evaluator_capsule(&old), evaluator_capsule(&unscaled), evaluator_capsule(&empty),
                              evaluator_capsule(&huge))
