"""An evaluation by a function in Python: slow, because every position is made into an object.

The contract's `score` cannot raise. It keeps the first exception, and from then on answers 0 without calling the
function. Searches call `check` about every millisecond, which raises it.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.ref cimport PyObject
from libc.string cimport memset

from mcts_core.evaluator cimport EVALUATOR_ABI, MOST_SCORE, Evaluator, evaluator_t
from mcts_core.game cimport game_t
from mcts_core.games.python_rules cimport Place, state_t
from mcts_core.position cimport Position

import math
import numbers

from mcts_core.errors import BadMethod, shown
from mcts_core.games.python_game import PythonPosition

SCALE = 256.0                           # as in the other evaluations in whole points

cdef struct calling_t:
    evaluator_t evaluator
    PyObject* owner                     # the Function, which holds this struct


cdef int score(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept with gil:
    cdef Function owner = <Function> (<const calling_t*> evaluator).owner
    if owner.failure is not None:
        return 0
    try:
        return owner.score_of(state)
    except BaseException as failure:
        owner.failure = failure
        return 0


cdef class Function(Evaluator):
    """A function that gets a position, of a game in Python the user's own object, and returns points.

    The points are for the side to move: 256 more make a win e = 2.7 times as likely.
    """

    cdef calling_t calling
    cdef object function
    cdef object failure                 # the first exception of the function
    cdef Position example
    cdef bint is_in_python

    def __cinit__(self, Position position not None, function):
        self.function, self.example = function, position.copy(past=False)
        self.is_in_python = isinstance(position, PythonPosition)
        memset(&self.calling, 0, sizeof(calling_t))
        self.calling.evaluator.abi, self.calling.evaluator.scale = EVALUATOR_ABI, SCALE
        self.calling.evaluator.score, self.calling.owner = score, <PyObject*> self
        self.c, self.game = &self.calling.evaluator, position.game

    cdef int score_of(self, const void* state) except? -1:
        """Call the function. Points are rounded, and kept below proven results."""
        cdef PyObject* own
        cdef Position position
        if self.is_in_python:
            own = (<const state_t*> state).place
            answer = 0 if own == NULL else self.function((<Place> own).position)    # NULL: the game has failed
        else:
            position = self.example.copy(past=False)
            position._state = PyBytes_FromStringAndSize(<const char*> state, self.game.state_size)
            answer = self.function(position)
        if not isinstance(answer, numbers.Real) or isinstance(answer, bool) or not math.isfinite(answer):
            raise BadMethod(f"an evaluation function returns a finite number of points, not {shown(answer)}")
        return round(max(-MOST_SCORE, min(MOST_SCORE, answer)))

    def check(self):
        """Raise the first exception of the function, once."""
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure
