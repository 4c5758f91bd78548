"""Position: push, pop, legal moves, key, perft, text and pictures, for any game."""
from cython cimport freelist
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.ref cimport PyObject
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from mcts_core.base.array_memory cimport memory_of
from mcts_core.game cimport MOVES_ROOM, any_state_t, check_game, game_capsule, game_t, move_t
from mcts_core.perft cimport perft, perft_depth
from mcts_core.planes cimport write_planes

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from mcts_core import board as pictures
from mcts_core.errors import BadPosition, IllegalMove, breach, did_you_mean, shown, whole


cdef extern from "Python.h":
    Py_ssize_t PyNumber_AsSsize_t(object number, PyObject* too_large) except? -1

cdef enum:
    MOST_KNOWN = 1 << 16                # moves of a game that are kept; each takes some 200 bytes


class Move(str):
    """A move is its text; `raw` is the game's own code of it.

    >>> import playout as po
    >>> move = po.Breakthrough().legal_moves[0]
    >>> move == "a2a3", move.raw == po.Breakthrough().push("a2a3").raw
    (True, True)
    """

    __slots__ = ("raw",)

    def __new__(cls, text, raw):
        move = super().__new__(cls, text)
        move.raw = raw
        return move

    @property
    def original(self):
        """The move as its game has it: the object of a game in Python; else this move itself."""
        return self

    def __reduce__(self):
        return Move, (str(self), self.raw)

    def __repr__(self):
        return f"Move({str(self)!r})"


class Moves(tuple):
    """A tuple of moves.

    >>> import playout as po
    >>> game = po.Othello()
    >>> game.push("f5")
    Move('f5')
    >>> game.history
    <1 moves: f5>
    """

    __slots__ = ()

    def __repr__(self):
        return f"<{len(self)} moves: {' '.join(self)}>" if self else "<no moves>"


cdef object KNOWN_MOVES = WeakKeyDictionary()   # by class, then by game: a dict of the Moves made so far, by raw


cdef dict known_moves(kind, const game_t* game):
    """Return the moves that all positions of one class and game share. A text is made once for each."""
    return KNOWN_MOVES.setdefault(kind, {}).setdefault(<size_t> game, {})


@freelist(16)
cdef class LegalMoves:
    """The legal moves of one position, in the game's order. It behaves like a tuple, and makes moves when asked.

    It belongs to the position from which it was taken and does not change when moves are pushed.

    >>> import playout as po
    >>> moves = po.Othello().legal_moves
    >>> len(moves), moves[0], "f5" in moves
    (4, Move('d3'), True)
    """

    cdef int list_raw(self, move_t* out) noexcept:
        """List the moves in the game's own code, or count them if `out` is NULL."""
        cdef const game_t* game = self.position.game
        return game.moves(game, PyBytes_AS_STRING(self.state), out)

    cdef tuple all(self):
        cdef move_t[MOVES_ROOM] raw
        cdef int i, n
        if self.made is None:
            n = self.list_raw(raw)
            self.made = tuple([self.position.known_move(raw[i]) for i in range(n)])
        return self.made

    def __len__(self):
        return self.list_raw(NULL)

    def __getitem__(self, item):
        cdef move_t[MOVES_ROOM] raw
        cdef Py_ssize_t i
        cdef int n
        if isinstance(item, slice):
            return self.all()[item]
        if self.made is not None:
            return self.made[item]
        i, n = item, self.list_raw(raw)
        i += n if i < 0 else 0
        if not 0 <= i < n:
            raise IndexError(f"there are {n} legal moves, and none has the index {shown(item)}")
        return self.position.known_move(raw[i])

    def __iter__(self):
        return iter(self.all())

    def __reversed__(self):
        return reversed(self.all())

    def __contains__(self, move):
        return self.position.known_legal(self.state, move) is not None or move in self.all()

    def index(self, move, start=0, stop=MOVES_ROOM):
        """Return the place of a move. Raises ValueError if it is not legal."""
        return self.all().index(move, start, stop)

    def count(self, move):
        """Return 1 if a move is legal, 0 if not."""
        return self.all().count(move)

    def __eq__(self, other):
        if isinstance(other, LegalMoves):
            return self.all() == (<LegalMoves> other).all()
        return self.all() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self):
        return hash(self.all())

    def __reduce__(self):
        return Moves, (self.all(),)

    def __repr__(self):
        return repr(Moves(self.all()))


Sequence.register(LegalMoves)


cdef class Position:
    """A position of some game, with the moves that led to it.

    Derived classes supply the text: `move_text`, `fen`, `from_fen` and `board`.
    """

    cdef int start(self, const game_t* game, const void* state) except -1:
        """Set the game and the first state. A derived class calls it once."""
        check_game(game)
        self.game = game
        self._state = PyBytes_FromStringAndSize(<const char*> state, game.state_size)
        self._past = []
        self._known = known_moves(type(self), game)
        return 0

    cdef const void* state(self) except NULL:
        if self.game == NULL:
            self.refuse()
        return PyBytes_AS_STRING(self._state)

    cdef bytes current(self):
        """Return the state. It never changes, even if another thread pushes a move."""
        self.state()
        return self._state

    cdef int refuse(self) except -1:
        raise BadPosition(f"this {type(self).__name__} was never given a position: call __init__ of its game's class")

    # What a game supplies in its derived class

    def move_text(self, raw):
        """Return the text of a move given in the game's own code. It must not depend on the position."""
        raise NotImplementedError(f"{type(self).__name__} has no move_text")

    def normal_text(self, text):
        """Return the text of a move as `move_text` would write it."""
        return text.strip().lower()

    @property
    def fen(self):
        """The position and the side to move, in one line."""
        raise NotImplementedError(f"{type(self).__name__} has no fen")

    @property
    def board(self):
        """The board that `str` and the SVG picture show: an `mcts_core.board.Board`."""
        raise NotImplementedError(f"{type(self).__name__} has no board")

    # Facts

    @property
    def turn(self):
        """0: the first player is to move, 1: the second."""
        return self.game.turn(self.game, self.state())

    @property
    def is_over(self):
        return self.game.moves(self.game, self.state(), NULL) == 0

    @property
    def result(self):
        """1.0, 0.5 or 0.0 for the first player; None while the game goes on."""
        return self.game.result(self.game, self.state()) if self.is_over else None

    @property
    def key(self):
        """The 64-bit Zobrist key of the position and the side to move."""
        return self.game.key(self.game, self.state())

    @property
    def n_codes(self):
        """The number of the game's AMAF codes."""
        self.state()
        return self.game.n_codes

    @property
    def capsule(self):
        """The game's C functions, for other compiled code: a capsule "mcts_core.game_t"."""
        self.state()
        return game_capsule(self.game)

    @property
    def history(self):
        """The moves pushed so far."""
        return Moves([move for _, move in self._past])

    # Moves

    @property
    def legal_moves(self):
        """The legal moves in the game's order; none when the game is over."""
        return self.legal_in(self.current())

    cdef LegalMoves legal_in(self, bytes state):
        cdef LegalMoves legal = LegalMoves.__new__(LegalMoves)
        legal.position, legal.state = self, state
        return legal

    cdef object known_move(self, move_t raw):
        """Return the Move of the game's own code. It is made once, because its text takes the most time."""
        move = self._known.get(raw)
        if move is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            move = self._known.setdefault(raw, Move(self.move_text(raw), raw))
        return move

    cdef object known_legal(self, bytes state, move):
        """Return `move` if it is a Move of this game and legal in a state, else None. Compares no texts."""
        cdef move_t[MOVES_ROOM] legal
        cdef move_t raw
        cdef int i
        if type(move) is not Move:
            return None
        number = move.raw               # anything, if a user has made the Move
        if type(number) is not int or self._known.get(number) is not move:
            return None
        raw = number
        for i in range(self.game.moves(self.game, PyBytes_AS_STRING(state), legal)):
            if legal[i] == raw:
                return move
        return None

    cdef object move_in(self, bytes state, move):
        """Return the legal move of a state, given as a Move or its text."""
        known = self.known_legal(state, move)
        return self.find_among(self.legal_in(state), move) if known is None else known

    def line(self, raw_moves):
        """Return moves that engines give in the game's own code, in the order in which they are played from here."""
        return Moves([self.known_move(raw) for raw in raw_moves])

    def find_move(self, move):
        """Return the legal move of that text, upper or lower case; IllegalMove if there is none."""
        return self.find_among(self.legal_moves, move)

    cdef object find_among(self, legal, move):
        if not isinstance(move, str):
            raise IllegalMove(f"a move is given as text, like {self._example()!r}, not {shown(move)}")
        text = self.normal_text(move)
        for candidate in legal:
            if candidate == text:
                return candidate
        if not legal:
            raise IllegalMove(f"{shown(str(move))} cannot be played: the game is over")
        raise IllegalMove(f"{shown(str(move))} is not legal here{did_you_mean(text, legal)} Legal: {' '.join(legal)}")

    def _example(self):
        return str(next(iter(self.legal_moves), "a2a3"))

    def code(self, move):
        """Return the AMAF code of a legal move."""
        state = self.current()
        return self.game.code(self.game, PyBytes_AS_STRING(state), self.move_in(state, move).raw)

    def push(self, move):
        """Play a move, given as a Move or its text, and return it."""
        state = self.current()
        legal = self.move_in(state, move)
        self.play(state, legal, legal.raw)
        return legal

    def push_index(self, move_index):
        """Play `legal_moves[move_index]` and return it. The fastest way to play a move."""
        cdef move_t[MOVES_ROOM] legal
        cdef bytes state = self.current()
        cdef int n = self.game.moves(self.game, PyBytes_AS_STRING(state), legal)
        cdef Py_ssize_t i = PyNumber_AsSsize_t(move_index, NULL)    # of a huge number: the largest of its type
        if not 0 <= i < n:
            raise no_such_move(move_index, n)
        move = self.known_move(legal[i])
        self.play(state, move, legal[i])
        return move

    cdef int play(self, bytes state, move, move_t raw) except -1:
        """Go on to the position after a legal move of `state`, all at once or, without memory, not at all."""
        cdef any_state_t after
        memcpy(&after, PyBytes_AS_STRING(state), self.game.state_size)
        self.game.play(self.game, &after, raw)
        played = PyBytes_FromStringAndSize(<const char*> &after, self.game.state_size)
        self._past.append((state, move))
        self._state = played
        return 0

    def random_move(self, rng):
        """Return a legal move drawn uniformly by `rng.random()`, which `random` and numpy's generators have.

        >>> import random
        >>> from mcts_core.games.othello import Othello
        >>> Othello().random_move(random.Random(1))
        Move('d3')
        """
        legal = self.legal_moves
        n = len(legal)
        if n == 0:
            raise BadPosition("no move can be drawn: the game is over")
        try:
            drawn = rng.random()
        except (AttributeError, TypeError):
            raise TypeError("random_move draws by random.Random() or numpy.random.default_rng(), "
                            f"not {shown(rng)}") from None
        if not isinstance(drawn, float) or not 0.0 <= drawn < 1.0:
            raise ValueError(f"rng.random() must give a number from 0 to less than 1, not {shown(drawn)}")
        return legal[<int> (n * <double> drawn)]

    def pop(self):
        """Take the last move back and return it."""
        if not self._past:
            raise IndexError("pop: no move has been pushed")
        self._state, move = self._past.pop()
        return move

    def children(self):
        """Return the position after each legal move, in the order of `legal_moves`."""
        cdef any_state_t after
        cdef Position child, here = self.copy()         # another thread may push or pop
        children = []
        for move in here.legal_moves:
            memcpy(&after, PyBytes_AS_STRING(here._state), self.game.state_size)
            self.game.play(self.game, &after, move.raw)
            child = here.copy()
            child._past.append((here._state, move))
            child._state = PyBytes_FromStringAndSize(<const char*> &after, self.game.state_size)
            children.append(child)
        return children

    def check(self):
        """Raise the failure of the game's own functions, if there was one. Searches call this after each batch."""

    def private(self, like=None):
        """Return a copy for one search, independent of failures of the game in other searches.

        A copy made with `like=` belongs to the same search as that private copy.
        """
        return self.copy()

    def copy(self, *, bint past=True):
        """Return an independent position, with the same past or, to save memory, with none."""
        cdef Position twin = type(self).__new__(type(self))
        twin.game = self.game
        twin._state = self._state
        twin._past = list(self._past) if past else []
        twin._known = self._known
        return twin

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    # Arrays

    def planes(self):
        """Return the board as uint8 [2, rows, cols]: 1 where the mover has a man, then where the opponent has one.

        Row 0 is the first row of the game's coordinates. In Breakthrough the board is turned upside down when black
        is to move, so that the mover's men always move to higher rows; columns stay.

        >>> from mcts_core.games.connect_four import ConnectFour
        >>> game = ConnectFour(4, 4)
        >>> game.push("2")
        Move('2')
        >>> game.planes()[:, 0].tolist()
        [[0, 0, 0, 0], [0, 1, 0, 0]]
        """
        rows, cols = self.shape()
        planes = np.zeros((2, rows, cols), np.uint8)
        self.write_planes_to(<uint8_t*> memory_of(planes), rows * cols)
        return planes

    cdef tuple shape(self):
        """Return rows and columns of the planes."""
        self.state()
        if self.game.planes == NULL or self.game.square == NULL:
            raise BadPosition(f"{type(self).__name__} has no planes: its game_t has no `planes` and `square`")
        return self.rows, self.cols

    cdef int write_planes_to(self, uint8_t* out, int squares) except -1:
        """Fill zeroed planes of this number of squares each."""
        if not write_planes(self.game, self.state(), squares, out):
            raise breach("`square` gives a square outside the board")
        return 0

    @property
    def legal_mask(self):
        """The actions that are legal here, as bool [n_codes]. An action is the AMAF code of a move."""
        codes = self.legal_codes()
        mask = np.zeros(self.game.n_codes, np.bool_)
        cdef uint8_t* legal = <uint8_t*> memory_of(mask)
        cdef int code
        for code in codes:
            legal[code] = True
        return mask

    def action(self, move):
        """Return the action of a legal move: its AMAF code, a number below `n_codes`.

        >>> from mcts_core.games.othello import Othello
        >>> game = Othello()
        >>> game.action("d3"), game.move_of(19)
        (19, Move('d3'))
        """
        self.need_codes()
        return self.code(move)

    def move_of(self, action):
        """Return the legal move of an action; the first one if several moves share their code."""
        codes, number = self.legal_codes(), whole(action)
        if number not in codes:
            raise IllegalMove(f"no legal move has the action {shown(action)}")
        return self.legal_moves[codes.index(number)]

    cdef int need_codes(self) except -1:
        self.state()
        if self.game.n_codes == 0:
            raise BadPosition("actions are the AMAF codes of moves, and this game has none: give it code() and n_codes")
        return 0

    cdef list legal_codes(self):
        """Return the code of each legal move."""
        cdef move_t[MOVES_ROOM] legal
        cdef bytes state = self.current()
        cdef const game_t* game = self.game
        cdef int i, code
        self.need_codes()
        codes = []
        for i in range(game.moves(game, PyBytes_AS_STRING(state), legal)):
            code = game.code(game, PyBytes_AS_STRING(state), legal[i])
            if not 0 <= code < game.n_codes:
                raise breach(f"a code is {code}")
            codes.append(code)
        return codes

    # Counting

    def perft(self, plies):
        """Return the number of move sequences of that length: the classical check of move generation."""
        cdef int depth = perft_depth(plies)
        cdef any_state_t start
        cdef uint64_t leaves
        memcpy(&start, self.state(), self.game.state_size)
        with nogil:
            leaves = perft(self.game, &start, depth)
        self.check()
        return leaves

    # Text, pictures, equality

    def __str__(self):
        return pictures.text(self.board)

    def __repr__(self):
        return f"{type(self).__name__}.from_fen({self.fen!r})"

    def _repr_svg_(self):
        return pictures.picture(self.board)

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == (<Position> other).game and self._state == (<Position> other)._state

    def __hash__(self):
        return hash(self.key)

    def __reduce__(self):
        cdef Position start = self.copy()
        while start._past:
            start.pop()
        return rebuild, (type(self), start.fen, [str(move) for _, move in self._past])


cdef object no_such_move(index, int n):
    """Return the error for an index that no legal move has."""
    if n == 0:
        return IllegalMove("no move can be played: the game is over")
    return IllegalMove(f"an index of a legal move is 0 to {n - 1} here, not {shown(index)}")


def rebuild(kind, fen, moves):
    """Return a position from its pickled text. Every move is checked like any other."""
    position = kind.from_fen(fen)
    for move in moves:
        position.push(move)
    return position
