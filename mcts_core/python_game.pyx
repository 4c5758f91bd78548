"""A game written in plain Python, behind the same contract as the compiled ones.

The game is a class of the user's; an object of it is a position that `play` changes:

    legal_moves()   a list of moves, any objects whose str() tells them apart; empty when it is over
    play(move)      make the move
    is_over()       whether the game has ended
    result()        of an ended game: 0 to 1, as the first player sees it
    key()           an int or anything hashable that tells positions and side to move apart
    turn            0 or 1, whose move it is; left out in a game for one player
    code(move)      optional, for AMAF: an int in range(n_codes), asked before the move is played
    n_codes         how many codes there are, if there is `code`
    copy()          optional: an independent copy; without it copy.deepcopy is used
    max_plies       optional, 1000: no game lasts longer

A state of the contract holds references to such an object and to the list of its moves. The C
functions take the GIL for every call. An exception in the user's code (or Ctrl-C, which Python
raises there) is kept, the game has failed and runs no more of that code, and the search raises it
after the batch.
"""
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from mcts_core.atomics cimport store
from mcts_core.game cimport GAME_ABI, MOVES_ROOM, game_t, has_failed, move_t, note, trace_t, wants_moves
from mcts_core.position cimport Position
from mcts_core.rng cimport below, rng_t

import copy as copying

from mcts_core.errors import BadPosition

cdef struct state_t:
    PyObject* object                    # the user's, changed by play; NULL: no copy could be made
    PyObject* moves                     # its legal moves; NULL: not asked yet
    int plies                           # since the state that was wrapped

cdef enum:
    DEFAULT_MAX_PLIES = 1000

REQUIRED = ("legal_moves", "play", "is_over", "result", "key")


cdef class Wrapper:
    """The contract of one user's class: its sizes, and the first exception its code raised."""

    cdef game_t c
    cdef object failure
    cdef int64_t failed                 # whether there is one, for those without the GIL

    def __cinit__(self, example):
        missing = [name for name in REQUIRED if not callable(getattr(example, name, None))]
        if missing:
            raise BadPosition(f"{type(example).__name__!r} is no position of a game: it has no {missing[0]}() "
                              f"(a game needs {', '.join(REQUIRED)})")
        memset(&self.c, 0, sizeof(game_t))
        self.c.abi = GAME_ABI
        self.c.state_size = sizeof(state_t)
        self.c.max_moves = MOVES_ROOM
        self.c.max_plies = checked(example, "max_plies", DEFAULT_MAX_PLIES, 1, 1 << 20)
        if callable(getattr(example, "code", None)):
            self.c.n_codes = checked(example, "n_codes", None, 1, 1 << 20)
        self.c.context, self.c.failed = <void*> self, &self.failed
        self.c.moves, self.c.play, self.c.turn, self.c.key = moves, play, turn, key
        self.c.code, self.c.result, self.c.playout = code, result, playout
        self.c.copy, self.c.drop = copy, drop

    cdef void fail(self, failure):
        if self.failure is None:
            self.failure = failure
            store(&self.failed, 1)

    cdef object take_failure(self):
        failure, self.failure = self.failure, None
        store(&self.failed, 0)
        return failure


def checked(example, name, default, least, most):
    """An attribute of the user's class that must be a whole number in a range."""
    value = getattr(example, name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadPosition(f"{type(example).__name__}.{name} must be a whole number from {least} to {most}, "
                          f"not {value!r}")
    return value


cdef inline Wrapper wrapper_of(const game_t* game):
    return <Wrapper> game.context


cdef list moves_in(const game_t* game, state_t* state):
    """The legal moves of a state, asked once."""
    if state.moves == NULL:
        legal = [] if (<object> state.object).is_over() else list((<object> state.object).legal_moves())
        if len(legal) > MOVES_ROOM:
            raise BadPosition(f"a position has {len(legal)} moves; the engine takes at most {MOVES_ROOM}")
        if legal and state.plies >= game.max_plies:
            raise BadPosition(f"the game goes on after {state.plies} plies: set max_plies higher if that is right")
        Py_INCREF(legal)
        state.moves = <PyObject*> legal
    return <list> state.moves


cdef inline bint is_dead(const game_t* game, const void* s):
    """Whether nothing is to be asked of a state any more: the game has failed, maybe when this was copied."""
    return has_failed(game) or (<const state_t*> s).object == NULL


cdef int moves(const game_t* game, const void* s, move_t* out) noexcept with gil:
    cdef int i, n
    if is_dead(game, s):
        return 0
    try:
        n = len(moves_in(game, <state_t*> s))
    except BaseException as failure:
        wrapper_of(game).fail(failure)
        return 0
    if out != NULL:
        for i in range(n):
            out[i] = i
    return n


cdef void play(const game_t* game, void* s, move_t move) noexcept with gil:
    cdef state_t* state = <state_t*> s
    if is_dead(game, s):
        return
    try:
        legal = moves_in(game, state)
        if move >= len(legal):
            raise BadPosition("two positions with different moves have one key: key() must tell all positions apart, "
                              "and whose move it is")
        (<object> state.object).play(legal[move])
    except BaseException as failure:
        wrapper_of(game).fail(failure)
    forget_moves(state)
    state.plies += 1


cdef void forget_moves(state_t* state):
    if state.moves != NULL:
        Py_DECREF(<object> state.moves)
        state.moves = NULL


cdef int turn(const game_t* game, const void* s) noexcept with gil:
    if is_dead(game, s):
        return 0
    try:
        mover = getattr(<object> (<state_t*> s).object, "turn", 0)
        if mover not in (0, 1):
            raise BadPosition(f"turn must be 0 or 1, not {mover!r}")
        return mover
    except BaseException as failure:
        wrapper_of(game).fail(failure)
        return 0


cdef uint64_t key(const game_t* game, const void* s) noexcept with gil:
    if is_dead(game, s):
        return 0
    try:
        value = (<object> (<state_t*> s).object).key()
        return (value if isinstance(value, int) else hash(value)) & 0xFFFFFFFFFFFFFFFF
    except BaseException as failure:
        wrapper_of(game).fail(failure)
        return 0


cdef int code(const game_t* game, const void* s, move_t move) noexcept with gil:
    if game.n_codes == 0 or is_dead(game, s):
        return 0
    try:
        value = (<object> (<state_t*> s).object).code(moves_in(game, <state_t*> s)[move])
        if not 0 <= value < game.n_codes:
            raise BadPosition(f"code() gave {value!r}; n_codes says it is in 0..{game.n_codes - 1}")
        return value
    except BaseException as failure:
        wrapper_of(game).fail(failure)
        return 0


cdef double result(const game_t* game, const void* s) noexcept with gil:
    if is_dead(game, s):
        return 0.5
    try:
        value = float((<object> (<state_t*> s).object).result())
        if not 0.0 <= value <= 1.0:
            raise BadPosition(f"result() gave {value!r}; a result lies between 0 and 1")
        return value
    except BaseException as failure:
        wrapper_of(game).fail(failure)
        return 0.5


cdef void copy(const game_t* game, void* to, const void* s) noexcept with gil:
    cdef const state_t* state = <const state_t*> s
    cdef state_t* twin = <state_t*> to
    memset(twin, 0, sizeof(state_t))
    if is_dead(game, s):
        return
    try:
        fresh = copy_of(<object> state.object)
    except BaseException as failure:
        wrapper_of(game).fail(failure)
        return
    Py_INCREF(fresh)
    twin.object = <PyObject*> fresh
    twin.plies = state.plies
    if state.moves != NULL:
        Py_INCREF(<object> state.moves)
        twin.moves = state.moves


cdef void drop(const game_t* game, void* s) noexcept with gil:
    cdef state_t* state = <state_t*> s
    forget_moves(state)
    if state.object != NULL:
        Py_DECREF(<object> state.object)
        state.object = NULL


cdef double playout(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept with gil:
    """As the engine's own, stopping at once after a failure."""
    cdef state_t state
    cdef int n, chosen
    cdef double outcome
    trace.plies = 0
    copy(game, &state, s)
    while True:
        n = moves(game, &state, NULL)
        if n == 0:
            break
        chosen = below(rng, n)
        if wants_moves(trace):
            note(trace, trace.plies, chosen, code(game, &state, chosen))
        play(game, &state, chosen)
        trace.plies += 1
    outcome = result(game, &state)
    drop(game, &state)
    return outcome


def copy_of(position):
    """An independent copy of a user's position."""
    own_copy = getattr(position, "copy", None)
    return own_copy() if callable(own_copy) else copying.deepcopy(position)


cdef class PythonPosition(Position):
    """A user's position as the engine takes it. `object` is a copy of what was wrapped.

    Positions wrapped with `like=` an earlier one belong to the same game as that one.
    """

    cdef Wrapper wrapper
    cdef readonly object object
    cdef list objects_before            # one for each push

    def __init__(self, example, PythonPosition like=None):
        self.wrapper = Wrapper(example) if like is None else like.wrapper
        self.objects_before = []
        self._past = []
        self._hold(copy_of(example), 0)
        self.is_over
        self.check()

    cdef void _hold(self, example, int plies):
        cdef state_t state
        memset(&state, 0, sizeof(state))
        self.object = example
        state.object = <PyObject*> example
        state.plies = plies
        self.game = &self.wrapper.c
        self._state = (<char*> &state)[:sizeof(state)]

    def __dealloc__(self):
        if self._state is not None:
            forget_moves(<state_t*> self.state())

    def check(self):
        failure = self.wrapper.take_failure()
        if failure is not None:
            raise failure

    def move_text(self, raw):
        return str(moves_in(self.game, <state_t*> self.state())[raw])

    def normal_text(self, text):
        return text

    def push(self, move):
        cdef int plies = len(self._past) + 1
        legal = self.find_move(move)
        after = copy_of(self.object)
        after.play(list(after.legal_moves())[legal.raw])
        forget_moves(<state_t*> self.state())
        self.objects_before.append(self.object)
        self._past.append((None, legal))
        self._hold(after, plies)
        return legal

    def pop(self):
        if not self._past:
            raise IndexError("pop: no move has been pushed")
        forget_moves(<state_t*> self.state())
        _, move = self._past.pop()
        self._hold(self.objects_before.pop(), len(self._past))
        return move

    def copy(self):
        cdef PythonPosition twin = PythonPosition.__new__(PythonPosition)
        twin.wrapper = self.wrapper
        twin._past = list(self._past)
        twin.objects_before = list(self.objects_before)
        twin._hold(self.object, len(self._past))
        return twin

    __copy__ = copy

    def __eq__(self, other):
        if not isinstance(other, PythonPosition):
            return NotImplemented
        return type(self.object) is type((<PythonPosition> other).object) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __str__(self):
        return str(self.object)

    def __repr__(self):
        return f"<position of {self.object!r}>"

    _repr_svg_ = None

    def __reduce__(self):
        return PythonPosition, (self.object,)
