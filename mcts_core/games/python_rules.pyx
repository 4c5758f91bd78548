"""The contract of a game written in plain Python: calls of the user's object, with checks.

The functions of the contract, which searches call without the GIL, take the GIL for every call and cannot raise.
They keep the first exception (also Ctrl-C, which Python raises in the user's code). Then the game has
failed, none of its code runs any more, and the search raises the exception after its batch. The methods of
`PythonPosition` call the same `ask_` functions, and raise what these raise.
"""
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport uint64_t
from libc.string cimport memset

from mcts_core.base.atomics cimport store
from mcts_core.game cimport GAME_ABI, MOVES_ROOM, game_t, has_failed, move_t, note, trace_t, wants_moves
from mcts_core.rng cimport below, rng_t

import copy as copying
from collections.abc import Iterable
from itertools import count

from mcts_core.errors import BadPosition, shown, whole

cdef enum:
    DEFAULT_MAX_PLIES = 1000            # more: longer records of playouts, and games without end are found later

REQUIRED = ("legal_moves", "play", "is_over", "result", "key")


cdef class Wrapper:
    """The contract of a user's class: its sizes, the words of its keys, and the first exception of its code."""

    def __init__(self, example):
        missing = [name for name in REQUIRED if not callable(getattr(example, name, None))]
        if missing:
            raise BadPosition(f"{type(example).__name__!r} is no position of a game: it has no {missing[0]}() "
                              f"(a game needs {', '.join(REQUIRED)})")
        self.words, self.next_word = {}, count(1 << 63)
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

    cdef Wrapper for_search(self):
        """Return the same contract, with the same words for keys, and failures of its own."""
        cdef Wrapper wrapper = Wrapper.__new__(Wrapper)
        wrapper.words, wrapper.next_word = self.words, self.next_word
        wrapper.c = self.c
        wrapper.c.context, wrapper.c.failed = <void*> wrapper, &wrapper.failed
        return wrapper

    cdef void fail(self, failure):
        if self.failure is None:
            self.failure = failure
            store(&self.failed, 1)

    cdef object take_failure(self):
        failure, self.failure = self.failure, None
        store(&self.failed, 0)
        return failure


def checked(example, name, default, least, most):
    """Return an attribute of the user's class, checked to be a whole number in a range."""
    value = getattr(example, name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadPosition(f"{type(example).__name__}.{name} must be a whole number from {least} to {most}, "
                          f"not {shown(value)}")
    return value


# Calls of the user's object, with checks. These raise.

cdef list ask_moves(const game_t* game, position, int plies):
    given = () if position.is_over() else position.legal_moves()
    if type(given) is not list and not isinstance(given, Iterable):
        raise BadPosition(f"legal_moves() gave {shown(given)}; it must give a list of moves")
    legal = list(given)
    if len(legal) > MOVES_ROOM:
        raise BadPosition(f"a position has {len(legal)} moves; the engine takes at most {MOVES_ROOM}")
    if legal and plies >= game.max_plies:
        raise BadPosition(f"the game goes on after {plies} plies: set max_plies higher if that is right")
    return legal


cdef int ask_turn(position) except -1:
    mover = getattr(position, "turn", 0)
    if mover not in (0, 1):
        raise BadPosition(f"turn must be 0 or 1, not {shown(mover)}")
    return mover


cdef int ask_code(const game_t* game, position, move) except -1:
    value = position.code(move)
    found = whole(value)
    if found is None or not 0 <= found < game.n_codes:
        raise BadPosition(f"code() gave {shown(value)}; n_codes says it is in 0..{game.n_codes - 1}")
    return found


cdef double ask_result(position) except -1:
    value = position.result()
    try:
        if 0.0 <= float(value) <= 1.0:
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadPosition(f"result() gave {shown(value)}; a result lies between 0 and 1")


cdef uint64_t word_of(Wrapper wrapper, value) except? 0:
    """Return the 64-bit word of a key. Different keys never share one, whatever their hashes are.

    A value that equals its own hash is its own word: an int from 0 to 2**61 - 2, or a value equal to one. Any other
    value gets the next number from 2**63 on. The wrapper remembers these, which takes memory for each position seen.
    """
    cdef Py_hash_t own_hash = hash(value)
    if own_hash >= 0 and value == own_hash:
        return own_hash
    word = wrapper.words.get(value)
    if word is None:
        # if another thread adds the same key meanwhile, its word counts, and this number is skipped
        word = wrapper.words.setdefault(value, next(wrapper.next_word))
    return word


def copy_of(position):
    """Return an independent copy of a user's position."""
    own_copy = getattr(position, "copy", None)
    return own_copy() if callable(own_copy) else copying.deepcopy(position)


# The functions of the contract, which cannot raise

cdef inline Wrapper wrapper_of(const game_t* game):
    return <Wrapper> game.context


cdef inline bint is_dead(const game_t* game, const void* s) noexcept nogil:
    """Return whether no code of the user may be called: the game has failed, perhaps when this state was copied."""
    return has_failed(game) or (<const state_t*> s).object == NULL


cdef list moves_in(const game_t* game, state_t* state):
    """Return the legal moves of a state, asked for once."""
    if state.moves == NULL:
        legal = ask_moves(game, <object> state.object, state.plies)
        Py_INCREF(legal)
        state.moves = <PyObject*> legal
    return <list> state.moves


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


cdef void forget_moves(state_t* state) noexcept:
    """Release the moves of a copy."""
    if state.moves != NULL:
        Py_DECREF(<object> state.moves)
        state.moves = NULL


cdef int turn(const game_t* game, const void* s) noexcept with gil:
    if is_dead(game, s):
        return 0
    try:
        return ask_turn(<object> (<state_t*> s).object)
    except BaseException as failure:
        wrapper_of(game).fail(failure)
        return 0


cdef uint64_t key(const game_t* game, const void* s) noexcept with gil:
    if is_dead(game, s):
        return 0
    try:
        return word_of(wrapper_of(game), (<object> (<state_t*> s).object).key())
    except BaseException as failure:
        wrapper_of(game).fail(failure)
        return 0


cdef int code(const game_t* game, const void* s, move_t move) noexcept with gil:
    if game.n_codes == 0 or is_dead(game, s):
        return 0
    try:
        return ask_code(game, <object> (<state_t*> s).object, moves_in(game, <state_t*> s)[move])
    except BaseException as failure:
        wrapper_of(game).fail(failure)
        return 0


cdef double result(const game_t* game, const void* s) noexcept with gil:
    if is_dead(game, s):
        return 0.5
    try:
        return ask_result(<object> (<state_t*> s).object)
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
    """Release what a copy of a state owns. The state of a position owns nothing."""
    cdef state_t* state = <state_t*> s
    forget_moves(state)
    if state.object != NULL:
        Py_DECREF(<object> state.object)
        state.object = NULL


cdef double playout(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept with gil:
    """Play a random game, as `any_playout` does, but stop at once after a failure."""
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
