"""The contract of a game written in plain Python: calls of the user's object, with checks.

The functions of the contract, which searches call without the GIL, take the GIL for every call and cannot raise.
They keep the first exception (also Ctrl-C, which Python raises in the user's code). Then the game has
failed, none of its code runs any more, and the search raises the exception after its batch. The methods of
`PythonPosition` call the same `ask_` functions, and raise what these raise.
"""
from cython cimport no_gc_clear, trashcan
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
    MOST_SHARED = 1 << 16               # shared places of a search; more: faster long searches, more memory

REQUIRED = ("legal_moves", "play", "is_over", "result", "key")


@no_gc_clear     # `__dealloc__` counts in the wrapper
@trashcan(True)  # a line of places may be as long as a game
cdef class Place:
    """A user's position in a search.

    A shared place never changes. It knows the places after its moves, so that walks through the first levels of a tree
    call no code of the user. Any other place belongs to one state, whose moves change it.
    """

    def __dealloc__(self):
        if self.sharer is not None:
            self.sharer.n_shared -= 1


cdef Place new_place(position, list legal, int plies):
    cdef Place place = Place.__new__(Place)
    place.position, place.legal, place.plies = position, legal, plies
    return place


cdef Place own_copy(Place place):
    """Return a place of the caller's own, with a copy of the position."""
    return new_place(copy_of(place.position), place.legal, place.plies)


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

    cdef void fail(self, failure, position, name):
        """Keep what a function of the user's position has raised, if it is the first."""
        if self.failure is None:
            if isinstance(failure, Exception) and not isinstance(failure, BadPosition):
                failure.add_note(f"raised by {type(position).__name__}.{name} in a search")
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
    return has_failed(game) or (<const state_t*> s).place == NULL


cdef inline Place place_of(const void* s):
    return <Place> (<const state_t*> s).place


cdef void fail(const game_t* game, const void* s, failure, name) noexcept:
    wrapper_of(game).fail(failure, place_of(s).position, name)


cdef list moves_in(const game_t* game, Place place):
    """Return the legal moves of a place, asked for once."""
    if place.legal is None:
        place.legal = ask_moves(game, place.position, place.plies)
    return place.legal


cdef int moves(const game_t* game, const void* s, move_t* out) noexcept with gil:
    cdef int i, n
    if is_dead(game, s):
        return 0
    try:
        n = len(moves_in(game, place_of(s)))
    except BaseException as failure:
        fail(game, s, failure, "legal_moves() or is_over()")
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
        enter(state, place_after(game, place_of(s), move))
    except BaseException as failure:
        fail(game, s, failure, "play() or copy()")


cdef Place place_after(const game_t* game, Place place, move_t move):
    """Return the place after a move: the same one, changed, if it belongs to one state."""
    cdef Wrapper wrapper = wrapper_of(game)
    cdef Place after
    legal = moves_in(game, place)
    if move >= len(legal):
        raise BadPosition("two positions with different moves have one key: key() must tell all positions apart, "
                          "and whose move it is")
    if place.sharer is None:
        place.position.play(legal[move])
        place.legal = None
        place.plies += 1
        return place
    if place.after is not None and place.after[move] is not None:
        return place.after[move]
    after = own_copy(place)
    after.position.play(legal[move])
    after.legal = None
    after.plies += 1
    if wrapper.n_shared < MOST_SHARED:
        share(wrapper, after)
        if place.after is None:
            place.after = [None] * len(legal)
        place.after[move] = after
    return after


cdef void share(Wrapper wrapper, Place place) noexcept:
    place.sharer = wrapper
    wrapper.n_shared += 1


cdef inline void enter(state_t* state, Place place) noexcept:
    """Put a state at a place."""
    Py_INCREF(place)
    if state.place != NULL:
        Py_DECREF(<object> state.place)
    state.place = <PyObject*> place


cdef int turn(const game_t* game, const void* s) noexcept with gil:
    if is_dead(game, s):
        return 0
    try:
        return ask_turn(place_of(s).position)
    except BaseException as failure:
        fail(game, s, failure, "turn")
        return 0


cdef uint64_t key(const game_t* game, const void* s) noexcept with gil:
    cdef Place place
    if is_dead(game, s):
        return 0
    try:
        place = place_of(s)
        if not place.has_word:
            place.word = word_of(wrapper_of(game), place.position.key())
            place.has_word = place.sharer is not None
        return place.word
    except BaseException as failure:
        fail(game, s, failure, "key()")
        return 0


cdef int code(const game_t* game, const void* s, move_t move) noexcept with gil:
    if game.n_codes == 0 or is_dead(game, s):
        return 0
    try:
        return ask_code(game, place_of(s).position, moves_in(game, place_of(s))[move])
    except BaseException as failure:
        fail(game, s, failure, "code()")
        return 0


cdef double result(const game_t* game, const void* s) noexcept with gil:
    if is_dead(game, s):
        return 0.5
    try:
        return ask_result(place_of(s).position)
    except BaseException as failure:
        fail(game, s, failure, "result()")
        return 0.5


cdef void copy(const game_t* game, void* to, const void* s) noexcept with gil:
    cdef Place place
    memset(to, 0, sizeof(state_t))
    if is_dead(game, s):
        return
    place = place_of(s)
    try:
        enter(<state_t*> to, own_copy(place) if place.sharer is None else place)
    except BaseException as failure:
        fail(game, s, failure, "copy()")


cdef void drop(const game_t* game, void* s) noexcept with gil:
    """Release what a copy of a state owns. The state of a position owns nothing."""
    cdef state_t* state = <state_t*> s
    if state.place != NULL:
        Py_DECREF(<object> state.place)
        state.place = NULL


cdef double playout(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept with gil:
    """Play a random game, as `any_playout` does, but stop at once after a failure."""
    cdef state_t state
    cdef int n, chosen
    cdef double outcome
    trace.plies = 0
    memset(&state, 0, sizeof(state))
    try:
        if not is_dead(game, s):
            enter(&state, own_copy(place_of(s)))
    except BaseException as failure:
        fail(game, s, failure, "copy()")
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
