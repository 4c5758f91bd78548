"""The capsule of an evaluator, the Python object that keeps its memory alive, and scores of positions."""
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New
from libc.stdint cimport int32_t

from mcts_core.base.array_memory cimport memory_of
from mcts_core.game cimport MOVES_ROOM, move_t
from mcts_core.position cimport Position

import numpy as np

from mcts_core.errors import BadMethod, BadPosition

cdef const char* CAPSULE_NAME = "mcts_core.evaluator_t"


cdef object evaluator_capsule(const evaluator_t* evaluator):
    """Return a capsule with the evaluator. The struct must live as long as the program."""
    return PyCapsule_New(<void*> evaluator, CAPSULE_NAME, NULL)


cdef class Evaluator:
    """An evaluator in use."""

    cdef int check_for(self, const game_t* game) except -1:
        """Refuse a game that this evaluator does not know."""
        if self.c == NULL:
            raise BadMethod("this evaluator was never set up: use evaluator_of, Net or Rows")
        if self.game != NULL and self.game != game:
            raise BadMethod("this evaluation is for another game, or another size of board")
        if self.c.needs_planes and game != NULL and game.planes == NULL:
            raise BadMethod("this evaluation needs a game with planes, and this one has none")
        return 0

    @property
    def scale(self):
        """A score of this much means that a win is e = 2.7 times as likely as a loss."""
        self.check_for(self.game)
        return self.c.scale

    @property
    def point(self):
        """A score of this much is a point of the game's margin, such as a disc; 0: unknown."""
        self.check_for(self.game)
        return self.c.point

    def score(self, Position position not None):
        """Return the score of a position for the side to move."""
        found = self.score_at(position)
        self.check()
        return found

    def scores(self, positions):
        """Return the scores of positions for their sides to move, as an array."""
        cdef list kept = list(positions)
        found = np.empty(len(kept), np.int32)
        if not kept:
            return found
        cdef int32_t* out = <int32_t*> memory_of(found)
        for i, position in enumerate(kept):
            if not isinstance(position, Position):
                raise TypeError(f"positions must be Positions, not of type {type(position).__name__}")
            out[i] = self.score_at(position)
        self.check()
        return found

    cdef int score_at(self, Position position) except? -1:
        """Return the score of a position, checked; `check` follows."""
        cdef const void* state = position.state()       # raises if the position was never set up
        cdef const game_t* game = position.game
        self.check_for(game)
        if game.moves(game, state, NULL) == 0:
            raise BadPosition("this game is over: it has a result, and no evaluation")
        return score_of(self.c, game, state)

    def check(self):
        """Raise the failure of an evaluation that can fail, if there was one. Searches call this."""


def tactics(Position position not None):
    """Return what the game's tactics prove: a win within n plies, a loss within -n plies, or nothing: 0."""
    if position.is_over or position.game.solve == NULL:
        return 0
    return position.game.solve(position.game, position.state())


def noisy_moves(Position position not None):
    """Return the legal moves that change much, such as captures, the most urgent first."""
    cdef move_t[MOVES_ROOM] moves
    cdef int i, n = 0
    if not position.is_over and position.game.noisy != NULL:
        n = position.game.noisy(position.game, position.state(), moves)
    return [position.move_text(moves[i]) for i in range(n)]


def evaluator_of(capsule):
    """Return the evaluator in a capsule, checked."""
    cdef Evaluator evaluator = Evaluator()
    if not PyCapsule_IsValid(capsule, CAPSULE_NAME):
        raise TypeError("an evaluator is a capsule made by mcts_core.evaluator.evaluator_capsule, "
                        f"not an object of type {type(capsule).__name__}")
    evaluator.c, evaluator.owner = <const evaluator_t*> PyCapsule_GetPointer(capsule, CAPSULE_NAME), capsule
    if evaluator.c.abi != EVALUATOR_ABI:
        raise BadMethod(f"this evaluator was compiled for version {evaluator.c.abi} of evaluator_t, and this library "
                        f"has version {EVALUATOR_ABI}: compile it again")
    if evaluator.c.score == NULL or not evaluator.c.scale > 0.0:
        raise BadMethod("an evaluator needs a score and a scale above 0")
    return evaluator
