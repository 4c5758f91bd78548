"""Breakthrough by hand: what a man is worth on each row, and a bonus for the side to move."""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from mcts_core.base.bits cimport count_bits
from mcts_core.evaluator cimport EVALUATOR_ABI, Evaluator, evaluator_t
from mcts_core.game cimport game_t
from mcts_core.position cimport Position

from mcts_core.errors import BadMethod
from mcts_core.games.breakthrough import Breakthrough

cdef enum:
    TEMPO = 30                          # for the side to move

WEIGHTS = (762, 348, 246, 162, 138, 132, 150)   # of a man, by the rows that it still has to go: 1, 2, 3, ...
SCALE = 256.0

cdef struct rows_t:
    evaluator_t evaluator
    int rows
    int[8] weights                      # by row, of men that move up


cdef int score(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil:
    cdef const rows_t* settings = <const rows_t*> evaluator
    cdef uint64_t own, enemy
    cdef int row, total = TEMPO
    game.planes(game, state, &own, &enemy)
    for row in range(settings.rows):
        total += settings.weights[row] * count_bits(own >> 8 * row & 0xFF)
        total -= settings.weights[settings.rows - 1 - row] * count_bits(enemy >> 8 * row & 0xFF)
    return total


cdef class Rows(Evaluator):
    """The evaluation for the board of a position."""

    cdef rows_t rows

    def __cinit__(self, Position position not None):
        cdef int row
        if not isinstance(position, Breakthrough):
            raise BadMethod(f'evaluation "rows" is for Breakthrough, not for {type(position).__name__}')
        memset(&self.rows, 0, sizeof(rows_t))
        self.rows.evaluator.abi, self.rows.evaluator.scale = EVALUATOR_ABI, SCALE
        self.rows.evaluator.score, self.rows.evaluator.needs_planes = score, True
        self.rows.rows = position.rows
        for row in range(self.rows.rows - 1):
            self.rows.weights[row] = WEIGHTS[self.rows.rows - 2 - row]
        self.c, self.game = &self.rows.evaluator, position.game
