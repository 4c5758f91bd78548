"""Proven values are true: all are compared with the full search of support/exact.py."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import playout as po
from mcts_core.search.tree import TreeSearch
from support import exact
from support.helpers import random_game
from support.searching import after, drawn_position, entries, tree_search

TREES: list[po.Method] = [
    po.UCT(),
    po.UCT(fpu=1.0),
    po.UCTTuned(),
    po.RAVE(),
    po.RAVE(beta="variance", c=0.2),
    po.GRAVE(),
    po.GRAVE(ref=5),
]
EXPLORING: list[po.Method] = [
    po.UCT(),
    po.UCT(fpu=1.0),
    po.UCTTuned(),
    po.RAVE(c=0.1),
    po.GRAVE(c=0.1),
]
every_tree = pytest.mark.parametrize("method", TREES, ids=repr)

KNOWN = [  # values of boards solved by others, with two rows of men each
    (po.Breakthrough(4), 0.0),
    (po.Breakthrough(4, 5), 0.0),
    (po.Othello(4), 0.0),
    pytest.param(po.Breakthrough(5, 4), 0.0, marks=pytest.mark.slow),
]


# The exact solver


@pytest.mark.parametrize(("start", "result"), KNOWN, ids=lambda known: repr(known)[:30])
def test_known_values(start: po.Position, result: float) -> None:
    assert exact.value(start) == result


@pytest.mark.parametrize("start", [po.Breakthrough(5), po.Breakthrough(4, 6), po.Othello(4)])
def test_rules_of_the_exact_solver(start: po.Position) -> None:
    """It has as many moves as the engine in every position, and the same results."""
    for seed in range(20):
        for position in random_game(start, seed):
            solver, state = exact.read(position)
            assert solver.rules.result(state) == position.result
            if not position.is_over:
                assert len(solver.rules.children(state)) == len(position.legal_moves)


def test_wins_within() -> None:
    white_in_one = po.Breakthrough.from_fen("b..../..w../...../...../....w w")
    assert exact.wins_within(white_in_one, 1)
    white_in_three = po.Breakthrough.from_fen("....b/...../..w../...../....w w")
    assert not exact.wins_within(white_in_three, 2)
    assert exact.wins_within(white_in_three, 3)
    assert exact.value(white_in_three) == 1.0


# Positions small enough for the exact solver


def placed_men(rows: int, cols: int, men: int, choice: random.Random) -> po.Position:
    """A position with `men` random men of each side, none of them one step from winning."""
    squares = ["."] * (rows * cols)
    for man, first, end in (("w", 0, rows - 2), ("b", 2, rows)):
        empty = [square for square in range(first * cols, end * cols) if squares[square] == "."]
        for square in choice.sample(empty, men):
            squares[square] = man
    lines = ["".join(squares[row * cols : (row + 1) * cols]) for row in reversed(range(rows))]
    return po.Breakthrough.from_fen("/".join(lines) + " " + choice.choice("wb"))


def positions(n: int, seed: int) -> Iterator[po.Position]:
    """Positions of Breakthrough 5x5, 4x4, 4x5 and of Othello 4x4, in turn."""
    choice = random.Random(seed)
    for i in range(n):
        if i % 5 < 2:
            yield placed_men(5, 5, choice.randint(2, 7), choice)
        else:
            start = (po.Breakthrough(4), po.Breakthrough(4, 5), po.Othello(4))[i % 5 - 2]
            yield drawn_position(start, choice)


def draws(n: int, seed: int) -> Iterator[po.Position]:
    """Positions of Othello 4x4 that are drawn under best play, but not by every move."""
    choice = random.Random(seed)
    while n:
        position = drawn_position(po.Othello(4), choice)
        if exact.value(position) == 0.5 and len(set(outcomes(position))) > 1:
            n -= 1
            yield position


def won_in_three(n: int, seed: int) -> Iterator[po.Position]:
    """Positions on 5x5 with several moves that are won in three plies but not in one."""
    choice = random.Random(seed)
    while n:
        position = placed_men(5, 5, choice.randint(2, 6), choice)
        if exact.wins_within(position, 3) and not exact.wins_within(position, 1):
            n -= len(set(outcomes(position))) > 1
            yield position


def outcomes(position: po.Position) -> list[float]:
    """The true values of a position's moves."""
    return [exact.value(after(position, move)) for move in position.legal_moves]


def bounds(search: TreeSearch, root: po.Position) -> Iterator[tuple[po.Position, float, float]]:
    """What the search is certain of: a position and its bounds, where they are not 0 and 1."""
    for position, columns in entries(search, root):
        lows, highs = columns["low"], columns["high"]
        for i in np.flatnonzero((lows != 0.0) | (highs != 1.0)):
            yield after(position, position.legal_moves[i]), float(lows[i]), float(highs[i])


# Proofs


@every_tree
def test_no_proven_value_is_wrong(method: po.Method) -> None:
    proven = {0.0: 0, 0.5: 0, 1.0: 0}
    for seed, position in enumerate([*positions(50, seed=21), *draws(20, seed=21)]):
        search = tree_search(position, method, seed, solver=True)
        search.run((100, 500, 1000)[seed % 3])
        for child, low, high in bounds(search, position):
            assert low <= exact.value(child) <= high, child
            if low == high:
                proven[low] += 1
    assert min(proven.values()) > 20, "too few proofs for the test to tell anything"


@every_tree
def test_a_proof_ends_the_search(method: po.Method) -> None:
    """It stops at once, with a move that leads to the proven value."""
    ended = 0
    for seed, position in enumerate(positions(20, seed=22)):
        search = tree_search(position, method, seed, solver=True)
        if search.run(20_000) == "proven":
            ended += 1
            playouts = search.playouts
            assert playouts < 20_000
            assert search.run(30_000) == "proven"
            assert search.playouts == playouts
            chosen = position.legal_moves[search.choose()]
            assert exact.value(after(position, chosen)) == exact.value(position)
            result = po.search(position, method, playouts=20_000, seed=seed, solver=True)
            assert (result.reason, result.playouts, result.move) == ("proven", playouts, chosen)
            assert result.value == abs(position.turn - exact.value(position))
    assert ended > 14


@every_tree
@pytest.mark.parametrize("start", [po.Breakthrough(4), po.Breakthrough(4, 5), po.Othello(4)])
def test_whole_games_are_proven(method: po.Method, start: po.Position) -> None:
    """The second player wins on all of them."""
    result = po.search(start, method, playouts=300_000, seed=1, solver=True)
    assert (result.reason, result.value) == ("proven", 0.0)


@every_tree
def test_a_draw_is_proven(method: po.Method) -> None:
    """A drawn position of Othello has the value 0.5, although other moves lose."""
    for seed, position in enumerate(draws(20, seed=23)):
        result = po.search(position, method, playouts=50_000, seed=seed, solver=True)
        assert (result.reason, result.value) == ("proven", 0.5)
        assert exact.value(after(position, result.move)) == 0.5


@every_tree
def test_moves_that_cannot_help_are_left_alone(method: po.Method) -> None:
    """Once a move is proven to lose it gets no more visits."""
    checked = 0
    for seed, position in enumerate(positions(40, seed=24)):
        search = tree_search(position, method, seed, solver=True)
        search.run(200)
        before = search.root()
        search.run(2000)
        visits = search.root()["visits"]
        lost = before["high"] == 0.0 if position.turn == 0 else before["low"] == 1.0
        checked += lost.sum()
        assert visits[lost].tolist() == before["visits"][lost].tolist()
    assert checked > 20


@every_tree
def test_without_the_solver_nothing_is_proven(method: po.Method) -> None:
    for seed, position in enumerate(positions(10, seed=25)):
        search = tree_search(position, method, seed)
        assert search.run(2000) == "playouts"
        assert not list(bounds(search, position))
        result = po.search(position, method, playouts=2000, seed=seed)
        assert "proven" not in (result.moves.dtype.names or ())


# A win in three plies


@pytest.mark.parametrize("positions", [12, pytest.param(25, marks=pytest.mark.slow)])
@every_tree
def test_a_win_in_three_plies_is_found(method: po.Method, positions: int) -> None:
    """With the solver the chosen move wins, and nearly always that is proven."""
    n, proven = 0, 0
    for n, position in enumerate(won_in_three(positions, seed=26), start=1):
        result = po.search(position, method, playouts=10_000, seed=n, solver=True)
        assert exact.value(after(position, result.move)) == 1.0 - position.turn, position
        proven += (result.reason, result.value) == ("proven", 1.0)
    assert proven >= 0.9 * n


@pytest.mark.parametrize("positions", [12, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize("method", EXPLORING, ids=repr)
def test_a_win_in_three_plies_is_found_without_the_solver(
    method: po.Method, positions: int
) -> None:
    """With methods that explore.

    RAVE and GRAVE with c=0 never return to a reply that lost the first time if all other replies
    lose too. So they miss about one such win in fifty.
    """
    for seed, position in enumerate(won_in_three(positions, seed=26)):
        result = po.search(position, method, playouts=10_000, seed=seed)
        assert exact.value(after(position, result.move)) == 1.0 - position.turn, position
