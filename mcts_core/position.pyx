"""Position: push, pop, legal moves, key, perft, text and pictures, for any game."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from mcts_core.game cimport MOVES_ROOM, any_state_t, check_game, copy_state, drop_state, game_capsule, game_t, move_t
from mcts_core.base.stack cimport stack_close, stack_open, stack_pop, stack_push, stack_t, stack_top

from operator import index

from mcts_core import board as pictures
from mcts_core.errors import BadPosition, IllegalMove, did_you_mean, shown


class Move(str):
    """A move is its text; `raw` is the game's own code of it."""

    __slots__ = ("raw",)

    def __new__(cls, text, raw):
        move = super().__new__(cls, text)
        move.raw = raw
        return move

    def __reduce__(self):
        return Move, (str(self), self.raw)

    def __repr__(self):
        return f"Move({str(self)!r})"


class Moves(tuple):
    """A tuple of moves."""

    __slots__ = ()

    def __repr__(self):
        return f"<{len(self)} moves: {' '.join(self)}>" if self else "<no moves>"


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
        return 0

    cdef const void* state(self) except NULL:
        if self.game == NULL:
            self.refuse()
        return PyBytes_AS_STRING(self._state)

    cdef int refuse(self) except -1:
        raise BadPosition(f"this {type(self).__name__} was never given a position: call __init__ of its game's class")

    # What a game supplies in its derived class

    def move_text(self, raw):
        """Return the text of a move given in the game's own code."""
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
        cdef move_t[MOVES_ROOM] raw
        cdef int i, n = self.game.moves(self.game, self.state(), raw)
        return Moves([Move(self.move_text(raw[i]), raw[i]) for i in range(n)])

    def find_move(self, move):
        """Return the legal move of that text, upper or lower case; IllegalMove if there is none."""
        if not isinstance(move, str):
            raise IllegalMove(f"a move is given as text, like {self._example()!r}, not {shown(move)}")
        legal = self.legal_moves
        text = self.normal_text(move)
        for candidate in legal:
            if candidate == text:
                return candidate
        if not legal:
            raise IllegalMove(f"{shown(str(move))} cannot be played: the game is over")
        raise IllegalMove(f"{shown(str(move))} is not legal here{did_you_mean(text, legal)} Legal: {' '.join(legal)}")

    cdef tuple find_here(self, move):
        """Return a state and its legal move of that text. They belong together even if another thread pushes."""
        while True:
            state = self._state
            legal = self.find_move(move)
            if self._state is state:
                return state, legal

    def _example(self):
        return str(next(iter(self.legal_moves), "a2a3"))

    def code(self, move):
        """Return the AMAF code of a legal move."""
        state, legal = self.find_here(move)
        return self.game.code(self.game, PyBytes_AS_STRING(state), legal.raw)

    def push(self, move):
        """Play a move, given as a Move or its text, and return it."""
        cdef any_state_t after
        state, legal = self.find_here(move)
        memcpy(&after, PyBytes_AS_STRING(state), self.game.state_size)
        self.game.play(self.game, &after, legal.raw)
        played = PyBytes_FromStringAndSize(<const char*> &after, self.game.state_size)
        self._past.append((state, legal))
        self._state = played
        return legal

    def pop(self):
        """Take the last move back and return it."""
        if not self._past:
            raise IndexError("pop: no move has been pushed")
        self._state, move = self._past.pop()
        return move

    def check(self):
        """Raise the failure of the game's own functions, if there was one. Searches call this after each batch."""

    def private(self, like=None):
        """Return a copy for one search, independent of failures of the game in other searches.

        A copy made with `like=` belongs to the same search as that private copy.
        """
        return self.copy()

    def copy(self):
        """Return an independent position with the same past."""
        cdef Position twin = type(self).__new__(type(self))
        twin.game = self.game
        twin._state = self._state
        twin._past = list(self._past)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

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


def rebuild(kind, fen, moves):
    """Return a position from its pickled text. Every move is checked like any other."""
    position = kind.from_fen(fen)
    for move in moves:
        position.push(move)
    return position


# Perft

cdef enum:
    MOST_PLIES = 1 << 20                # the longest game that the contract allows
    LISTEN_EVERY = 4096                 # steps between two checks for Ctrl-C: some milliseconds

cdef struct level_t:                    # a position on the path; its moves follow in memory
    any_state_t state
    int n_moves
    int next                            # index of the move to follow next


cdef int perft_depth(object plies) except -1:
    """Return a number of plies, checked."""
    depth = index(plies)
    if depth < 0:
        raise ValueError(f"perft needs a depth of 0 or more, not {shown(depth)}")
    if depth > MOST_PLIES:
        raise ValueError(f"perft counts {MOST_PLIES} plies at most: no game of this library lasts longer")
    return depth


cdef inline move_t* moves_at(level_t* level) noexcept nogil:
    return <move_t*> (level + 1)


cdef uint64_t perft(const game_t* game, const void* start, int depth) except? 0 nogil:
    """Return the number of leaves `depth` plies below a state."""
    cdef stack_t path
    cdef uint64_t leaves = 0, steps = 0
    if depth == 0:
        return 1
    stack_open(&path, sizeof(level_t) + game.max_moves * sizeof(move_t))
    try:
        enter(game, &path, start)
        while path.depth:
            leaves += go_on(game, &path, depth)
            steps += 1
            if steps % LISTEN_EVERY == 0:
                with gil:
                    PyErr_CheckSignals()
    finally:
        while path.depth:
            leave(game, &path)
        stack_close(&path)
    return leaves


cdef uint64_t go_on(const game_t* game, stack_t* path, int depth) except? 0 nogil:
    """Do one step of perft: count the leaves below the last position of the path, or go one ply down or up."""
    cdef level_t* level = <level_t*> stack_top(path)
    cdef uint64_t leaves = 0
    if level.n_moves == 0:
        leaves = game.perft_counts_ended
    elif path.depth == depth:
        leaves = level.n_moves
    elif path.depth == depth - 1:
        leaves = count_below(game, level)
    elif level.next < level.n_moves:
        enter(game, path, NULL)
        return 0
    leave(game, path)
    return leaves


cdef uint64_t count_below(const game_t* game, level_t* level) noexcept nogil:
    """Return the number of leaves two plies below a position."""
    cdef any_state_t after
    cdef const move_t* moves = moves_at(level)
    cdef uint64_t leaves = 0
    cdef int i, n, n_moves = level.n_moves
    for i in range(n_moves):
        copy_state(game, &after, &level.state)
        game.play(game, &after, moves[i])
        n = game.moves(game, &after, NULL)
        leaves += n if n else game.perft_counts_ended
        drop_state(game, &after)
    return leaves


cdef int enter(const game_t* game, stack_t* path, const void* start) except -1 nogil:
    """Add a position to the path: the start, or the one after the next move of the last position."""
    cdef level_t* level = <level_t*> stack_push(path)
    cdef level_t* before
    if level == NULL:
        with gil:
            raise MemoryError("no memory for perft")
    if path.depth == 1:
        copy_state(game, &level.state, start)
    else:
        before = <level_t*> (<char*> level - path.frame_size)
        copy_state(game, &level.state, &before.state)
        game.play(game, &level.state, moves_at(before)[before.next])
        before.next += 1
    level.n_moves, level.next = game.moves(game, &level.state, moves_at(level)), 0
    return 0


cdef inline void leave(const game_t* game, stack_t* path) noexcept nogil:
    drop_state(game, &(<level_t*> stack_top(path)).state)
    stack_pop(path)
