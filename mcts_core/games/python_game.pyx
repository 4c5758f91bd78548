"""A game written in plain Python, behind the same contract as the compiled ones.

The game is a user's class. An object of it is a position that `play` changes:

    legal_moves()   a list of moves, any objects with different str(); empty when the game is over
    play(move)      make the move
    is_over()       whether the game has ended
    result()        of an ended game: 0 to 1, the first player's
    key()           any hashable value; equal for equal positions and different for all others, the
                    side to move included
    turn            0 or 1: the side to move; optional in a game for one player
    code(move)      optional, for AMAF: an int in range(n_codes), asked before the move is played
    n_codes         the number of codes, if there is `code`
    copy()          optional: an independent copy; by default copy.deepcopy is used
    max_plies       optional: no game lasts longer; 1000 by default

The methods of `PythonPosition` call the user's code directly, and raise what it raises. The functions
of the contract, which searches call without the GIL, take the GIL for every call and cannot raise.
They keep the first exception (also Ctrl-C, which Python raises in the user's code). Then the game has
failed, none of its code runs any more, and the search raises the exception after its batch. Both
kinds of functions call the user's object through the same `ask_` functions.

A search works on a private copy of its position (`private`), with a contract of its own, so a
failure belongs to one search, and no other thread can push a move. A thread that reads another
thread's search uses a private copy, too.
"""
from cython cimport no_gc_clear
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from mcts_core.base.atomics cimport store
from mcts_core.game cimport GAME_ABI, MOVES_ROOM, game_t, has_failed, move_t, note, trace_t, wants_moves
from mcts_core.perft cimport perft_depth
from mcts_core.position cimport Position, no_such_move
from mcts_core.rng cimport below, rng_t

import copy as copying
from collections.abc import Iterable
from itertools import count
from operator import index

from mcts_core.errors import BadPosition, shown, whole
from mcts_core.position import Move, Moves

cdef struct state_t:
    PyObject* object                    # the user's position, changed by play; NULL: copying it has failed
    PyObject* moves                     # the list of its legal moves; NULL in a copy: not asked for yet
    int plies                           # since the position that was wrapped

cdef enum:
    DEFAULT_MAX_PLIES = 1000            # more: longer records of playouts, and games without end are found later

REQUIRED = ("legal_moves", "play", "is_over", "result", "key")


cdef class Wrapper:
    """The contract of a user's class: its sizes, the words of its keys, and the first exception of its code."""

    cdef game_t c
    cdef object failure                 # the first exception
    cdef int64_t failed                 # 1 once there is a failure; read without the GIL
    cdef dict words                     # by key, see `word_of`
    cdef object next_word               # counts them

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


@no_gc_clear     # a search in the same cycle of garbage still needs the wrapper
cdef class PythonPosition(Position):
    """A user's position for the engine. `object` is a copy of what was wrapped.

    The position and its past are one tuple, (object, plies, last move, tuple before that move). `push` and `pop`
    replace the tuple and never change it, so other threads see one position or the next.
    """

    cdef Wrapper wrapper
    cdef tuple at                       # that tuple
    cdef tuple asked                    # (`at`, its legal moves) of the last position asked for them
    cdef tuple state_of                 # (`at`, its legal moves) that `_state` points to

    def __init__(self, example):
        self.wrapper = Wrapper(example)
        self.game = &self.wrapper.c
        self.at = copy_of(example), 0, None, None
        self.legal_moves                # a game that fails at once is refused here

    cdef tuple now(self):
        if self.at is None:
            self.refuse()
        return self.at

    cdef list moves_now(self):
        """Return the legal moves as the user's objects, asked for once in each position."""
        at, asked = self.now(), self.asked
        if asked is None or asked[0] is not at:
            asked = at, ask_moves(self.game, at[0], at[1])
            self.asked = asked
        return asked[1]

    cdef const void* state(self) except NULL:
        """Return the state of a private copy, for searches. It borrows its references from this position."""
        cdef state_t state
        at = self.now()
        if self.state_of is None or self.state_of[0] is not at:
            legal = self.moves_now()
            memset(&state, 0, sizeof(state))
            state.object, state.moves, state.plies = <PyObject*> at[0], <PyObject*> legal, at[1]
            self._state = (<char*> &state)[:sizeof(state)]
            self.state_of = at, legal
        return PyBytes_AS_STRING(self._state)

    def private(self, PythonPosition like=None):
        """Return a copy for one search, with a contract of its own or that of `like`. See `Position.private`."""
        cdef PythonPosition twin = self.copy()
        twin.wrapper = self.wrapper.for_search() if like is None else like.wrapper
        twin.game = &twin.wrapper.c
        return twin

    def check(self):
        self.now()
        failure = self.wrapper.take_failure()
        if failure is not None:
            raise failure

    # Facts. Each raises what the user's code raises.

    @property
    def object(self):
        return self.now()[0]

    @property
    def turn(self):
        return ask_turn(self.object)

    @property
    def is_over(self):
        return not self.moves_now()

    @property
    def result(self):
        at = self.now()
        return None if self.moves_now() else ask_result(at[0])

    @property
    def key(self):
        """The 64-bit word of key(): different for different values of it, within this game."""
        return word_of(self.wrapper, self.object.key())

    @property
    def legal_moves(self):
        moves = Moves([Move(str(move), i) for i, move in enumerate(self.moves_now())])
        if len(set(moves)) < len(moves):
            twice = next(move for move in moves if moves.count(move) > 1)
            raise BadPosition(f"legal_moves() has several moves that are written {str(twice)!r}: "
                              "each needs a text of its own")
        return moves

    @property
    def history(self):
        at, moves = self.now(), []
        while at[3] is not None:
            moves.append(at[2])
            at = at[3]
        return Moves(reversed(moves))

    @property
    def capsule(self):
        raise BadPosition("a game in Python has no C functions to hand out: they would not outlive its position")

    def move_text(self, raw):
        return str(self.moves_now()[raw])

    def line(self, raw_moves):
        after = self.copy()             # a raw move is an index, so its text depends on the position
        return Moves([after.push(after.move_text(raw)) for raw in raw_moves])

    def normal_text(self, text):
        return text

    def code(self, move):
        legal = self.find_move(move)
        return ask_code(self.game, self.object, self.moves_now()[legal.raw]) if self.game.n_codes else 0

    cdef list legal_codes(self):
        self.need_codes()
        at = self.now()
        return [ask_code(self.game, at[0], move) for move in ask_moves(self.game, at[0], at[1])]

    cdef tuple shape(self):
        raise BadPosition("a game in Python has no planes: make arrays of its objects in your own code")

    # Moves

    def push(self, move):
        while True:
            at = self.now()
            legal = self.find_move(move)
            if self.at is not at:
                continue                # another thread has pushed or popped meanwhile
            after = copy_of(at[0])
            its_moves = list(after.legal_moves())
            if legal.raw >= len(its_moves) or str(its_moves[legal.raw]) != legal:
                raise BadPosition(f"a copy of this {type(after).__name__} has other legal moves than the position "
                                  "itself: copy() must give an equal position, and legal_moves() the same list "
                                  "every time")
            after.play(its_moves[legal.raw])
            if self.at is at:
                self.at = after, at[1] + 1, legal, at
                return legal

    def push_index(self, move_index):
        legal, chosen = self.legal_moves, index(move_index)
        if not 0 <= chosen < len(legal):
            raise no_such_move(move_index, len(legal))
        return self.push(legal[chosen])

    def pop(self):
        at = self.now()
        if at[3] is None:
            raise IndexError("pop: no move has been pushed")
        self.at = at[3]
        return at[2]

    def children(self):
        here = self.copy()              # another thread may push or pop
        children = []
        for move in here.legal_moves:
            children.append(here.copy())
            children[-1].push(move)
        return children

    def copy(self, *, bint past=True):
        cdef PythonPosition twin = PythonPosition.__new__(PythonPosition)
        twin.at, twin.asked = self.now(), self.asked
        if not past:
            twin.at = twin.at[0], twin.at[1], None, None
        twin.wrapper = self.wrapper
        twin.game = self.game
        return twin

    def perft(self, plies):
        cdef int left, depth = perft_depth(plies)
        at = self.now()
        if depth == 0:
            return 1
        leaves = 0
        waiting = [(at[0], depth)]
        while waiting:
            position, left = waiting.pop()
            legal = ask_moves(self.game, position, at[1] + depth - left)
            if left == 1:
                leaves += len(legal)
                continue
            for move in legal:
                after = copy_of(position)
                after.play(move)
                waiting.append((after, left - 1))
        return leaves

    # Text and equality

    def __eq__(self, other):
        if not isinstance(other, PythonPosition):
            return NotImplemented
        return type(self.object) is type(other.object) and self.object.key() == other.object.key()

    def __hash__(self):
        return hash(self.object.key())

    def __str__(self):
        return str(self.object)

    def __repr__(self):
        return f"<position of {self.object!r}>"

    _repr_svg_ = None

    def __reduce__(self):
        return PythonPosition, (self.object,)
