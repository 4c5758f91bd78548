"""Self-play of alpha-beta: positions to learn an evaluation from.

A game begins with random moves; then both sides play the best move of a search with a fixed number of nodes. Each
quiet position gives a row: its planes, the score of its search, and the result of the game. Positions whose best
move is noisy, or in which the opponent threatens to win, are left out, because the search looks beyond them before
it trusts an evaluation. A game ends as soon as its result is proven.

If the game has an exact solver that knows margins, the results are margins: a game goes on until the solver takes over,
and each later position gets its exact margin. A game that ends before is left out.
"""
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int16_t, int64_t, uint64_t

from mcts_core.base.bits cimport count_bits
from mcts_core.evaluator cimport Evaluator
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, is_threatened, move_t
from mcts_core.minimax.alphabeta cimport AlphaBetaSearch
from mcts_core.minimax.alphabeta_root cimport is_proven, root_move_t
from mcts_core.position cimport Position
from mcts_core.rng cimport below, open_stream, rng_t, seed_t, seed_words

import numpy as np

from mcts_core.errors import BadMethod

cdef enum:
    MOST_DEPTH = 100                    # plies; the nodes end a search before
    MOST_BARREN = 500                   # games in a row without a row; then there is nothing to learn
    MOST_GAME = 512                     # rows of a game; later positions are left out
    UNSOLVED = -128

cdef struct rows_t:                     # a game's rows
    int n
    uint64_t[MOST_GAME] own
    uint64_t[MOST_GAME] enemy
    int16_t[MOST_GAME] score
    int8_t[MOST_GAME] margin            # of the mover, from the solver; UNSOLVED: that of the game counts
    int8_t[MOST_GAME] turn


cdef class SelfPlay:
    """Games of an evaluator with itself from one position.

    Without `nodes` all moves are random. `endgame` is a class of solvers, such as EndgameSolver, for positions with at
    least `men` men; `points` of a score are one of its margins.
    """

    cdef AlphaBetaSearch search
    cdef Position start
    cdef int64_t nodes
    cdef int least_random
    cdef int most_random
    cdef object endgame
    cdef int men
    cdef int points

    def __init__(self, Position position not None, Evaluator evaluator not None, nodes, plies=(4, 16),
                 int64_t memory=1 << 22, endgame=None, int men=0, int points=0):
        position.state()                # raises if the position was never set up
        if position.game.planes == NULL:
            raise BadMethod(f"learning needs a game with planes, and {type(position).__name__} has none")
        self.search = AlphaBetaSearch(position, evaluator, memory=memory)
        self.start = position.copy()
        self.nodes = nodes
        self.least_random, self.most_random = plies
        self.endgame, self.men, self.points = endgame, men, points

    def fill(self, seed_sequence, int generation, int chunk, int n):
        """Play games until there are n positions. Returns their own and enemy planes, scores and results, as arrays.

        A result is the mover's: 2 a win, 1 a draw, 0 a loss; with a solver, its margin.
        """
        cdef seed_t words = seed_words(seed_sequence)
        cdef rng_t rng = open_stream(&words, generation, chunk)
        cdef rows_t rows
        cdef bytes own = bytes(8 * n), enemy = bytes(8 * n), scores = bytes(2 * n), results = bytes(n)
        cdef int filled = 0, barren = 0, first_result, i
        cdef int both = 0 if self.endgame is not None else 2    # the results of both sides together
        self.search.begin()
        try:
            while filled < n:
                PyErr_CheckSignals()
                first_result = self.play(&rng, &rows)
                barren = 0 if rows.n else barren + 1
                if barren == MOST_BARREN:
                    raise BadMethod(f"{barren} games gave no position to learn from: searches of {self.nodes} nodes "
                                    "prove the result of almost every position of this board, so use playout.solve")
                for i in range(min(rows.n, n - filled)):
                    (<uint64_t*> PyBytes_AS_STRING(own))[filled] = rows.own[i]
                    (<uint64_t*> PyBytes_AS_STRING(enemy))[filled] = rows.enemy[i]
                    (<int16_t*> PyBytes_AS_STRING(scores))[filled] = rows.score[i]
                    (<int8_t*> PyBytes_AS_STRING(results))[filled] = (
                        rows.margin[i] if rows.margin[i] != UNSOLVED
                        else first_result if rows.turn[i] == 0 else both - first_result)
                    filled += 1
        finally:
            self.search.end()
        return (np.frombuffer(own, np.uint64), np.frombuffer(enemy, np.uint64),
                np.frombuffer(scores, np.int16), np.frombuffer(results, np.int8))

    cdef int play(self, rng_t* rng, rows_t* rows) except -1:
        """Play a game. Returns the first player's result, doubled, or the margin."""
        cdef AlphaBetaSearch search = self.search
        cdef const game_t* game = search.game
        cdef any_state_t* state = &search.root_state
        cdef const root_move_t* best
        cdef int turn, score
        rows.n = 0
        self.open_game(rng)
        while search.place():
            turn = game.turn(game, state)
            if self.endgame is not None and self.is_late():
                score = self.finish(rows)
                return score if turn == 0 else -score
            if self.nodes == 0:
                self.note(rows, 0, UNSOLVED)
                game.play(game, state, search.leader.found[below(rng, search.leader.n_moves)].line[0])
                continue
            search.limits.nodes = 0
            search.set_limits(None, self.nodes, 0)
            with nogil:
                search.search_first_depth()
                search.deepen(MOST_DEPTH)
            search.raise_failure()
            best = &search.leader.found[0]
            if is_proven(search.leader):
                if self.endgame is None:
                    return 2 if (best.score > 0) == (turn == 0) else 0
            elif not self.is_noisy(best.line[0]):
                self.note(rows, best.score, UNSOLVED)
            game.play(game, state, best.line[0])
        if self.endgame is not None:
            rows.n = 0
        return <int> (2.0 * game.result(game, state))

    cdef void note(self, rows_t* rows, int score, int margin) noexcept:
        """Add the position to the rows."""
        cdef const game_t* game = self.search.game
        cdef any_state_t* state = &self.search.root_state
        if rows.n == MOST_GAME:
            return
        game.planes(game, state, &rows.own[rows.n], &rows.enemy[rows.n])
        rows.score[rows.n], rows.margin[rows.n], rows.turn[rows.n] = score, margin, game.turn(game, state)
        rows.n += 1

    cdef bint is_late(self) noexcept:
        """Return whether the solver takes over."""
        cdef uint64_t own, enemy
        self.search.game.planes(self.search.game, &self.search.root_state, &own, &enemy)
        return count_bits(own | enemy) >= self.men

    cdef int finish(self, rows_t* rows) except? -1:
        """Solve the position and each one after it, to the end of the game. Returns the mover's margin in the first."""
        cdef const game_t* game = self.search.game
        cdef any_state_t* state = &self.search.root_state
        cdef Position position
        cdef int first = min(rows.n, MOST_GAME - 1)
        while game.moves(game, state, NULL):
            position = self.start.copy()
            position.start(game, state)
            solver = self.endgame(position)
            solver.run(-64, 64)
            self.note(rows, solver.score * self.points, solver.score)
            game.play(game, state, solver.square)
        return rows.margin[first]

    cdef void open_game(self, rng_t* rng) noexcept:
        """Play the random moves of an opening; it may end the game."""
        cdef const game_t* game = self.search.game
        cdef any_state_t* state = &self.search.root_state
        cdef move_t[MOVES_ROOM] moves
        cdef int plies = self.least_random + below(rng, self.most_random - self.least_random + 1), n
        drop_state(game, state)
        copy_state(game, state, self.start.state())
        while plies:
            n = game.moves(game, state, moves)
            if n == 0:
                break
            game.play(game, state, moves[below(rng, n)])
            plies -= 1

    cdef bint is_noisy(self, move_t best) noexcept:
        """Return whether the best move is noisy, or the opponent threatens to win."""
        cdef AlphaBetaSearch search = self.search
        cdef move_t[MOVES_ROOM] noisy
        cdef int i, n = 0
        if search.game.noisy != NULL:
            n = search.game.noisy(search.game, &search.root_state, noisy)
        for i in range(n):
            if noisy[i] == best:
                return True
        return is_threatened(search.game, &search.root_state)
