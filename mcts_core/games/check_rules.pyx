"""The check of a compiled game's rules against the contract of game.pxd, on random games.

A game writes into buffers with guard words behind them, and every function is called twice. check.pyx
checks the game's own playouts.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.string cimport memset

from mcts_core.game cimport MOVES_ROOM, code_words, copy_state, drop_state
from mcts_core.rng cimport below, open_stream, rng_t, seed_words

from collections import namedtuple

import numpy as np

from mcts_core.errors import bad_game, place

cdef enum:
    MOST_KNOWN = 1 << 18                # positions remembered, to find two with one key: some 100 MB at most

FILLS[:] = [0xA5, 0x3C]

Facts = namedtuple("Facts", "moves turn key code progress result")


cdef class State:
    """A state of a game, with guard words behind it, and the moves that lead there: (path before, text)."""

    def __dealloc__(self):
        if self.game != NULL:
            drop_state(self.game, self.words)

    @property
    def bytes(self):
        """The state's bytes; None if the game supplies `copy`, because then they are not all of it."""
        if self.game.copy != NULL:
            return None
        return PyBytes_FromStringAndSize(<const char*> self.words, self.game.state_size)

    cdef bint is_intact(self) except -1:
        cdef const unsigned char* here = <const unsigned char*> self.words
        cdef size_t i
        for i in range(self.game.state_size, sizeof(self.words)):
            if here[i] != self.fill:
                return False
        return True


cdef State copy_of(const game_t* game, const void* state, object path, int fill):
    cdef State copy = State.__new__(State)
    copy.path, copy.fill = path, fill
    memset(copy.words, fill, sizeof(copy.words))
    copy_state(game, copy.words, state)
    copy.game = game                    # after the copy, because with a game `__dealloc__` drops it
    return copy


def moves_along(path):
    """Return the texts of the moves of a path, from the first."""
    moves = []
    while path is not None:
        path, text = path
        moves.append(text)
    return moves[::-1]


def fault_at(State state, fault, remedy):
    """Return the error for a fault at a state."""
    return bad_game(fault, moves_along(state.path), remedy)


def raw_text(move):
    """Return the text of a move's code. One with the top bit set is also shown as a negative number."""
    return f"{move} ({move - (1 << 32)})" if move >> 31 else str(move)


def first_difference(one, other):
    """Return the index of the first byte in which two states differ."""
    return next(i for i in range(len(one)) if one[i] != other[i])


cdef bint are_alike(const game_t* game, const game_t* other) noexcept:
    """Return whether two games have the same states, moves and codes, as far as their fields tell, and results."""
    return (game.moves == other.moves and game.play == other.play and game.turn == other.turn
            and game.key == other.key and game.code == other.code and game.n_codes == other.n_codes
            and game.state_size == other.state_size and game.max_moves == other.max_moves
            and game.max_plies == other.max_plies and game.copy == other.copy and other.result != NULL)


cdef class Checker:
    """The checker of a game's rules, and what it has found so far."""

    def __cinit__(self, Position start, seed_sequence):
        start.state()                   # raises if the position was never set up
        self.start, self.game = start, start.game
        self.seed = seed_words(seed_sequence)
        self.known, self.unfinished = {}, []
        self.out = np.empty(MOVES_ROOM + GUARDS, np.uint32)
        self.moves = np.full(self.game.max_plies + GUARDS, GUARD, np.uint32)
        self.codes = np.full(self.game.max_plies + GUARDS, GUARD, np.int32)
        self.seen = np.full(code_words(self.game.n_codes) + GUARDS, GUARD, np.uint64)

    cdef State first(self):
        return copy_of(self.game, self.start.state(), None, FILLS[0])

    cdef bint is_over(self) except -1:
        return not self.moves_of(self.first(), 0)

    cdef list names(self):
        cdef const game_t* game = self.game
        names = ["moves", "play", "turn", "key"]
        names += ["code"] * (game.n_codes > 0) + ["result"]
        names += ["kind"] * (game.kind != NULL) + ["progress"] * (game.progress != NULL)
        names += ["copy", "drop"] * (game.copy != NULL) + ["playout"] * (game.playout != NULL)
        names += ["guided"] * (game.guided != NULL) + ["batch"] * (game.batch != NULL)
        return names + ["solve"] * (game.solve != NULL) + ["fold"] * (game.fold != NULL) \
            + ["by_margin"] * (game.by_margin != NULL)

    cdef int check_fields(self) except -1:
        """Check the fields and functions that need no state."""
        cdef const game_t* game = self.game
        cdef int code, kind
        if (game.copy == NULL) != (game.drop == NULL):
            raise bad_game("the game has only one of copy and drop", [], "supply both, or neither for plain bytes")
        if game.by_margin != NULL and not are_alike(game, game.by_margin):
            raise bad_game("by_margin is another game", [], "it must be a copy of this one with another result")
        if game.kind != NULL:
            for code in range(game.n_codes):
                kind = game.kind(game, code)
                if not 0 <= kind < game.n_kinds:
                    raise bad_game(f"kind of code {code} is {kind}", [],
                                   f"kinds are 0 .. n_kinds-1, and n_kinds is {game.n_kinds}")
        return 0

    # A position

    cdef object look(self, State state):
        """Return the facts of a state, asked for twice."""
        cdef object one, other
        facts, again = self.ask(state, FILLS[0]), self.ask(state, FILLS[1])
        for name, one, other in zip(Facts._fields, facts, again):
            if one != other:
                raise fault_at(state, f"{name} gives {one}, and {other} when asked again",
                               "it may depend on nothing but the state")
        self.start.check()
        return facts

    cdef object ask(self, State state, int fill):
        cdef const game_t* game = self.game
        before = state.bytes
        moves = self.moves_of(state, fill)
        self.expect_same(state, before, "moves")
        turn = game.turn(game, state.words)
        self.expect_same(state, before, "turn")
        if turn not in (0, 1):
            raise fault_at(state, f"turn is {turn}", "it must be 0 for the first player or 1 for the second")
        key = game.key(game, state.words)
        self.expect_same(state, before, "key")
        codes = [self.code_of(state, move) for move in moves]
        self.expect_same(state, before, "code")
        progress = self.progress_of(state)
        self.expect_same(state, before, "progress")
        result = None if moves else self.result_of(state)
        self.expect_same(state, before, "result")
        return Facts(moves, turn, key, codes, progress, result)

    cdef int expect_same(self, State state, bytes before, name) except -1:
        """Check that a function that must not change a state has not done so."""
        if before is not None and state.bytes != before:
            raise fault_at(state, f"{name} has changed the state", "only play may do that")
        if not state.is_intact():
            raise fault_at(state, f"{name} has written behind the state", "a state has state_size bytes")
        return 0

    cdef list moves_of(self, State state, uint32_t fill):
        cdef const game_t* game = self.game
        cdef move_t* out = &self.out[0]
        cdef int i, n, counted
        counted = game.moves(game, state.words, NULL)
        if counted < 0:
            raise fault_at(state, f"moves returned {counted}",
                           "it must return the number of moves, 0 when the game is over")
        if counted > game.max_moves:
            raise fault_at(state, f"moves returned {counted}, more than max_moves, which is {game.max_moves}",
                           f"raise max_moves, up to {MOVES_ROOM}, or list fewer moves")
        self.out[:] = fill
        n = game.moves(game, state.words, out)
        if n != counted:
            raise fault_at(state, f"moves returned {n}, and {counted} with out == NULL", "it must count the same moves")
        for i in range(game.max_moves, MOVES_ROOM + GUARDS):
            if out[i] != fill:
                raise fault_at(state, f"moves wrote to out[{i}], and max_moves is {game.max_moves}",
                               "write no more than max_moves, or raise it")
        return [out[i] for i in range(n)]

    cdef int code_of(self, State state, move_t move) except -1:
        cdef int code
        if self.game.n_codes == 0:
            return 0
        code = self.game.code(self.game, state.words, move)
        if not 0 <= code < self.game.n_codes:
            raise fault_at(state, f"the code of the move {raw_text(move)} is {code}",
                           f"codes are 0 .. n_codes-1, and n_codes is {self.game.n_codes}")
        return code

    cdef object progress_of(self, State state):
        if self.game.progress == NULL:
            return None
        progress = self.game.progress(self.game, state.words)
        if not 0.0 <= progress <= 1.0:
            raise fault_at(state, f"progress is {progress}", "it must lie between 0 and 1")
        return progress

    cdef object result_of(self, State state):
        result = self.game.result(self.game, state.words)
        if not 0.0 <= result <= 1.0:
            raise fault_at(state, f"the game is over and its result is {result}",
                           "it must lie between 0 and 1, as the first player sees it")
        self.check_margin(state, result)
        return result

    cdef int check_margin(self, State state, double result) except -1:
        """Compare the result of a finished game with its margin."""
        cdef const game_t* game = self.game.by_margin
        cdef double share
        if game == NULL:
            return 0
        share = game.result(game, state.words)
        if not 0.0 <= share <= 1.0:
            raise fault_at(state, f"the game is over and its margin is {share}", "by_margin's result must lie between "
                           "0 and 1: it is the first player's share")
        if (share > 0.5) != (result > 0.5) or (share < 0.5) != (result < 0.5):
            raise fault_at(state, f"the game is over, its result is {result} and its margin {share}",
                           "both must be above 1/2, below it, or 1/2")
        return 0

    cdef list texts_of(self, State state, list moves, Position here):
        """Return the texts of the moves, checked."""
        texts = []
        for move in moves:
            try:
                text = here.move_text(move)
                normal = here.normal_text(text)
            except MemoryError:
                raise
            except Exception as error:
                raise fault_at(state, f"the text of the move {raw_text(move)} could not be made: {error!r}",
                               "move_text must know every move that moves gives") from error
            if normal != text:
                raise fault_at(state, f"normal_text makes {normal!r} of the move {text!r}",
                               "it must leave what move_text writes as it is")
            if text in texts:
                twin = raw_text(moves[texts.index(text)])
                raise fault_at(state, f"the moves {twin} and {raw_text(move)} are both written {text!r}",
                               "moves must give each move once, and move_text must tell moves apart")
            texts.append(text)
        return texts

    cdef int note(self, State state, key, what) except -1:
        """Remember a state by its key, and check that no other state has the same key."""
        if key not in self.known and len(self.known) < MOST_KNOWN:
            self.known[key] = what, state.path
        known, path = self.known.get(key, (what, None))
        if known == what:
            return 0
        place_too = place(moves_along(path))
        if state.bytes is None:
            raise fault_at(state, f"the key is also that of another position, {place_too}",
                           "key must tell positions, and whose move it is, apart")
        raise fault_at(state, f"the key is also that of another state, {place_too}: "
                              f"byte {first_difference(known, what)} differs",
                       "key must tell states apart, and bytes that mean nothing must stay zero")

    # A move

    cdef State played(self, State state, move_t move, text, int fill):
        cdef State after = copy_of(self.game, state.words, (state.path, text), fill)
        if not after.is_intact():
            raise fault_at(state, "copy has written behind the state", "a state has state_size bytes")
        self.game.play(self.game, after.words, move)
        if not after.is_intact():
            raise fault_at(state, f"play of {text} has written behind the state", "a state has state_size bytes")
        return after

    cdef int check_play(self, State state, facts, list texts) except -1:
        """Play each move, twice."""
        cdef State after, again
        for move, text in zip(facts.moves, texts):
            after, again = self.played(state, move, text, FILLS[0]), self.played(state, move, text, FILLS[1])
            if after.bytes is not None and after.bytes == state.bytes:
                raise fault_at(state, f"play of {text} changes nothing", "play must change the state it is given")
            if after.bytes != again.bytes:
                i = first_difference(after.bytes, again.bytes)
                raise fault_at(state, f"play of {text} gives other states when repeated: byte {i} differs",
                               "it may depend on nothing but state and move, and padding must stay zero")
            key = self.game.key(self.game, after.words)
            if key == facts.key:
                raise fault_at(state, f"play of {text} leaves the key as it was",
                               "key must tell positions, and whose move it is, apart")
            if after.bytes is not None:
                self.note(after, key, after.bytes)
        if state.bytes is None and self.look(state) != facts:
            raise fault_at(state, "play on copies of a state has changed it",
                           "copy must give a state that shares nothing with the one it is made of")
        return 0

    # A game

    cdef int check_line(self, int number) except -1:
        """Play a random game, check it ply by ply, then repeat it."""
        cdef rng_t rng = open_stream(&self.seed, number, 0)
        cdef State state = self.first()
        cdef Position here = self.start.copy()
        line, plies = [], {}            # what was played, and the ply of each key
        facts = self.look_at(state, here)
        while facts.moves:
            PyErr_CheckSignals()
            self.expect_new(state, facts.key, plies)
            texts = self.texts_of(state, facts.moves, here)
            self.check_play(state, facts, texts)
            self.unfinished.append((state, facts.moves))
            i = below(&rng, len(facts.moves))
            line.append((facts, facts.moves[i], texts[i]))
            state = self.played(state, facts.moves[i], texts[i], FILLS[0])
            here.push(texts[i])
            facts = self.look_at(state, here)
        self.positions += len(line) + 1
        self.check_again(line, facts)
        return 0

    cdef object look_at(self, State state, Position here):
        """Return the facts of a new state, and check that `push` has reached the same position."""
        facts = self.look(state)
        self.note(state, facts.key, state.bytes or facts)
        if here.key != facts.key or here.turn != facts.turn:
            raise fault_at(state, "push leads to another position than play", "they must do the same")
        return facts

    cdef int expect_new(self, State state, key, dict plies) except -1:
        """Check that a game neither returns to a position nor exceeds max_plies."""
        ply = len(plies)
        before = plies.setdefault(key, ply)
        if before != ply:
            raise fault_at(state, f"the position of ply {before} has come back",
                           "no game may return to a position: count plies in state and key if the rules let it")
        if ply == self.game.max_plies:
            raise fault_at(state, f"the game goes on, and max_plies is {ply}",
                           "raise max_plies, or end the game by then")
        return 0

    cdef int check_again(self, list line, end) except -1:
        """Check that the same moves lead through the same positions."""
        cdef State state = self.first()
        for facts, move, text in line:
            self.expect_facts(state, facts)
            state = self.played(state, move, text, FILLS[0])
        self.expect_facts(state, end)
        return 0

    cdef int expect_facts(self, State state, facts) except -1:
        if self.look(state) != facts:
            raise fault_at(state, "the same moves have led to another position than before",
                           "a position must be in its state alone, and not in variables of the module")
        return 0
