"""Self-play of alpha-beta: positions to learn an evaluation from.

A game begins with random moves; then both sides play the best move of a search with a fixed number of nodes. Each
quiet position gives a row: its planes, the score of its search, and the result of the game. Positions whose best
move is noisy, or in which the opponent threatens to win, are left out, because the search looks beyond them before
it trusts an evaluation. A game ends as soon as its result is proven.
"""
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int16_t, int64_t, uint64_t

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

cdef struct rows_t:                     # a game's rows
    int n
    uint64_t[MOST_GAME] own
    uint64_t[MOST_GAME] enemy
    int16_t[MOST_GAME] score
    int8_t[MOST_GAME] turn


cdef class SelfPlay:
    """Games of an evaluator with itself from one position."""

    cdef AlphaBetaSearch search
    cdef Position start
    cdef int64_t nodes
    cdef int least_random
    cdef int most_random

    def __init__(self, Position position not None, Evaluator evaluator not None, nodes, plies=(4, 16),
                 int64_t memory=1 << 22):
        position.state()                # raises if the position was never set up
        if position.game.planes == NULL:
            raise BadMethod(f"learning needs a game with planes, and {type(position).__name__} has none")
        self.search = AlphaBetaSearch(position, evaluator, memory=memory)
        self.start = position.copy()
        self.nodes = nodes
        self.least_random, self.most_random = plies

    def fill(self, seed_sequence, int generation, int chunk, int n):
        """Play games until there are n positions. Returns their own and enemy planes, scores and results, as arrays.

        A result is the mover's: 2 a win, 1 a draw, 0 a loss.
        """
        cdef seed_t words = seed_words(seed_sequence)
        cdef rng_t rng = open_stream(&words, generation, chunk)
        cdef rows_t rows
        cdef bytes own = bytes(8 * n), enemy = bytes(8 * n), scores = bytes(2 * n), results = bytes(n)
        cdef int filled = 0, barren = 0, first_result, i
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
                        first_result if rows.turn[i] == 0 else 2 - first_result)
                    filled += 1
        finally:
            self.search.end()
        return (np.frombuffer(own, np.uint64), np.frombuffer(enemy, np.uint64),
                np.frombuffer(scores, np.int16), np.frombuffer(results, np.int8))

    cdef int play(self, rng_t* rng, rows_t* rows) except -1:
        """Play a game. Returns the first player's result, doubled."""
        cdef AlphaBetaSearch search = self.search
        cdef const game_t* game = search.game
        cdef any_state_t* state = &search.root_state
        cdef const root_move_t* best
        cdef int turn, score
        rows.n = 0
        self.open_game(rng)
        while search.place():
            search.limits.nodes = 0
            search.set_limits(None, self.nodes, 0)
            with nogil:
                search.search_first_depth()
                search.deepen(MOST_DEPTH)
            search.raise_failure()
            best = &search.leader.found[0]
            turn, score = game.turn(game, state), best.score
            if is_proven(search.leader):
                return 2 if (score > 0) == (turn == 0) else 0
            if rows.n < MOST_GAME and not self.is_noisy(best.line[0]):
                game.planes(game, state, &rows.own[rows.n], &rows.enemy[rows.n])
                rows.score[rows.n], rows.turn[rows.n] = score, turn
                rows.n += 1
            game.play(game, state, best.line[0])
        return <int> (2.0 * game.result(game, state))

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
