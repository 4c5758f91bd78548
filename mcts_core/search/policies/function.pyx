"""A policy of playouts by a function in Python: slow, because every position is made into an object.

A playout cannot raise. It keeps the function's first exception, and from then on gives nan without calling the
function. Then the search discards its simulation, ends, and raises the exception by `check`.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.ref cimport PyObject
from libc.math cimport NAN

from mcts_core.game cimport (
    MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, move_t, note, trace_t, wants_moves
)
from mcts_core.games.python_rules cimport Place, state_t
from mcts_core.playouts cimport Rollout
from mcts_core.position cimport Position
from mcts_core.rng cimport rng_t, uniform

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

from mcts_core.errors import BadMethod, shown, whole
from mcts_core.games.python_game import PythonPosition

cdef struct calling_t:
    game_t as_game                      # what searches pass on; only its address is used
    const game_t* game
    PyObject* owner                     # the FunctionPolicy, which holds this struct


cdef double play_by_function(const game_t* passed, const void* state, rng_t* rng, trace_t* trace) noexcept nogil:
    """Play a game to its end as `any_playout` does, by the moves that the function chooses."""
    cdef const calling_t* calling = <const calling_t*> passed
    cdef const game_t* game = calling.game
    cdef any_state_t current
    cdef move_t[MOVES_ROOM] moves
    cdef double result = NAN
    cdef int i, n, code = 0
    copy_state(game, &current, state)
    trace.plies = 0
    while True:
        n = game.moves(game, &current, moves)
        if not 0 < n <= game.max_moves or trace.plies == game.max_plies:
            break
        i = chosen(calling, &current, n, rng)
        if i < 0:
            break
        if wants_moves(trace):
            code = game.code(game, &current, moves[i])
            if code != 0 and not 0 <= code < game.n_codes:
                break
            note(trace, trace.plies, moves[i], code)
        game.play(game, &current, moves[i])
        trace.plies += 1
    if n == 0:
        result = game.result(game, &current)
    drop_state(game, &current)
    return result


cdef int chosen(const calling_t* calling, const void* state, int n, rng_t* rng) noexcept with gil:
    """Return the index of the move that the function chooses; -1 if it has failed."""
    cdef FunctionPolicy owner = <FunctionPolicy> calling.owner
    if owner.failure is not None:
        return -1
    try:
        return owner.choose(state, n, rng)
    except BaseException as failure:
        if isinstance(failure, Exception) and not isinstance(failure, BadMethod):
            failure.add_note(f"raised by the policy {owner.name} in a playout")
        owner.failure = failure
        return -1


cdef class FunctionPolicy(Rollout):
    """A function that gets a position and its legal moves, and returns the index of one, or a weight for each.

    Of a game in Python it gets the user's own objects. Weights are the odds of a random draw, which takes one number
    of the playout's stream; an index takes none.
    """

    cdef calling_t calling
    cdef object function
    cdef object name
    cdef object failure                 # the first exception of the function
    cdef Position example
    cdef bint is_in_python

    def __cinit__(self, function):
        self.function = function
        self.name = getattr(function, "__qualname__", type(function).__name__)

    cdef int start(self, Position position, const game_t* game) except -1:
        self.example, self.is_in_python = position.copy(past=False), isinstance(position, PythonPosition)
        self.calling.as_game, self.calling.game, self.calling.owner = game[0], game, <PyObject*> self
        self.c.game, self.c.playout, self.c.has_batch = &self.calling.as_game, play_by_function, False
        return 0

    cdef int choose(self, const void* state, int n, rng_t* rng) except -1:
        """Call the function, and check what it returns."""
        cdef Place place
        cdef Position position
        if self.is_in_python:
            place = <Place> (<const state_t*> state).place
            answer = self.function(place.position, list(place.legal))
        else:
            position = self.example.copy(past=False)
            position._state = PyBytes_FromStringAndSize(<const char*> state, self.calling.game.state_size)
            answer = self.function(position, position.legal_moves)
        index = whole(answer)
        if index is None:
            return self.draw(answer, n, rng)
        if not 0 <= index < n:
            raise BadMethod(f"the policy {self.name} returned the index {shown(answer)} where there are {n} legal "
                            f"moves: an index is 0 to {n - 1}")
        return index

    cdef int draw(self, answer, int n, rng_t* rng) except -1:
        """Draw a move in proportion to its weight, with one number, even if there is one move only."""
        if isinstance(answer, str) or not isinstance(answer, Iterable):
            raise BadMethod(f"the policy {self.name} returned {shown(answer)}: return the index of a move, such as "
                            "moves.index(move), or a list with a weight for each move")
        try:
            weights = [float(weight) for weight in answer]
        except (TypeError, ValueError, OverflowError):
            weights = []
        if len(weights) != n or not all(weight >= 0.0 for weight in weights) or not 0.0 < sum(weights) < math.inf:
            raise BadMethod(f"the policy {self.name} returned {shown(answer)} where there are {n} legal moves: weights "
                            f"are {n} numbers of at least 0 with a finite sum above 0")
        ends = list(accumulate(weights))
        last = bisect_left(ends, ends[-1])      # of the moves with a weight above 0
        return min(bisect_right(ends, uniform(rng) * ends[-1]), last)

    def check(self):
        """Raise the first exception of the function, once."""
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure
