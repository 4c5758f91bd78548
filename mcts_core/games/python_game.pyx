"""A game written in plain Python, as positions like those of the compiled ones.

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

The methods of `PythonPosition` call the user's code directly, and raise what it raises. The functions that
searches call are in python_rules.pyx.

A search works on a private copy of its position (`private`), with a contract of its own, so a
failure belongs to one search, and no other thread can push a move. A thread that reads another
thread's search uses a private copy, too.
"""
from cython cimport no_gc_clear
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.ref cimport PyObject
from libc.string cimport memset

from mcts_core.games.python_rules cimport (
    Place, Wrapper, ask_code, ask_moves, ask_result, ask_turn, new_place, share, state_t, word_of
)
from mcts_core.perft cimport perft_depth
from mcts_core.position cimport Position, no_such_move

from operator import index

from mcts_core.errors import BadPosition
from mcts_core.games.python_rules import copy_of
from mcts_core.position import Move, Moves


class PythonMove(Move):
    """A move of a game in Python; `original` is the user's own object."""

    __slots__ = ("original",)

    def __new__(cls, text, raw, original):
        move = super().__new__(cls, text, raw)
        move.original = original
        return move

    def __reduce__(self):
        return PythonMove, (str(self), self.raw, self.original)


@no_gc_clear     # a search in the same cycle of garbage still needs the wrapper
cdef class PythonPosition(Position):
    """A user's position for the engine. `object` is a copy of what was wrapped.

    The position and its past are one tuple, (object, plies, last move, tuple before that move). `push` and `pop`
    replace the tuple and never change it, so other threads see one position or the next.
    """

    cdef Wrapper wrapper
    cdef tuple at                       # that tuple
    cdef tuple asked                    # (`at`, its legal moves) of the last position asked for them
    cdef tuple state_of                 # (`at`, its Place) that `_state` points to

    def __init__(self, example):
        self.wrapper = Wrapper(example)
        self.game = &self.wrapper.c
        self.at = copy_of(example), 0, None, None
        self.legal_moves                # a game that fails at once is refused here

    def another(self, example):
        """Return another position of the same game."""
        cdef PythonPosition twin = PythonPosition.__new__(PythonPosition)
        if type(example) is not type(self.object):
            raise BadPosition(f"{type(example).__name__} is another game than {type(self.object).__name__}: "
                              "ask for each in a call of its own")
        twin.wrapper, twin.game = self.wrapper, self.game
        twin.at = copy_of(example), 0, None, None
        twin.legal_moves
        return twin

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
        cdef Place place
        at = self.now()
        if self.state_of is None or self.state_of[0] is not at:
            place = new_place(at[0], self.moves_now(), at[1])
            share(self.wrapper, place)
            memset(&state, 0, sizeof(state))
            state.place = <PyObject*> place
            self._state = (<char*> &state)[:sizeof(state)]
            self.state_of = at, place
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
        moves = Moves([PythonMove(str(move), i, move) for i, move in enumerate(self.moves_now())])
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
