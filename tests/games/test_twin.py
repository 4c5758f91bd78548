"""The compiled engine agrees with its twin, `playout.reference`, move for move."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import numpy as np
import pytest

import playout as po
import playout.reference as ref
from mcts_core.rng import SFC64
from support.helpers import random_game

BREAKTHROUGHS = [
    (rows, cols, first_rows)
    for rows in range(3, 9)
    for cols in range(3, 9)
    for first_rows in (1, 2)
    if 2 * first_rows <= rows
]
STARTS: dict[str, po.Position] = {f"Othello {size}": po.Othello(size) for size in (4, 6, 8)}
TWINS: dict[str, ref.BoardPosition] = {f"Othello {size}": ref.Othello(size) for size in (4, 6, 8)}
for rows, cols, first_rows in BREAKTHROUGHS:
    name = f"Breakthrough {rows}x{cols} first_rows={first_rows}"
    STARTS[name] = po.Breakthrough(rows, cols, first_rows=first_rows)
    TWINS[name] = ref.Breakthrough(rows, cols, first_rows)
CONNECT_FOURS = [(4, 4), (4, 9), (5, 6), (6, 7), (6, 9), (7, 8), (8, 7), (9, 4), (9, 6)]
for rows, cols in CONNECT_FOURS:
    name = f"Connect Four {rows}x{cols}"
    STARTS[name] = po.ConnectFour(rows, cols)
    TWINS[name] = ref.ConnectFour(rows, cols)
LARGE = ["Breakthrough 8x8 first_rows=2", "Othello 8", "Connect Four 6x7"]
POLICIES = ["random", "guided"]

every_game = pytest.mark.parametrize("name", STARTS)


def test_sizes() -> None:
    """36 boards of Breakthrough, 30 with a second start, 3 of Othello, 9 of Connect Four."""
    assert len(STARTS) == len(TWINS) == 36 + 30 + 3 + 9


@every_game
def test_rules(name: str) -> None:
    """Text, moves, codes and results, at every ply of random games."""
    for seed in range(5):
        twin = TWINS[name]
        for position in random_game(STARTS[name], seed):
            if position.history:
                twin = twin.play(position.history[-1])
            assert_same(position, twin)


def assert_same(position: po.Position, twin: ref.BoardPosition) -> None:
    assert position.fen == twin.fen
    assert repr(position) == repr(twin)
    assert (position.rows, position.cols) == (twin.rows, twin.cols)
    assert position.turn == twin.turn
    assert position.result == twin.result
    assert position.n_codes == twin.n_codes
    assert list(position.legal_moves) == [move.text for move in twin.legal_moves]
    codes = [position.code(move) for move in position.legal_moves]
    assert codes == [twin.code(move) for move in twin.legal_moves]


@every_game
@pytest.mark.parametrize("policy", POLICIES)
def test_one_playout(name: str, policy: str) -> None:
    """Moves, codes and results of playouts, from the start and from later positions."""
    for position in random_game(STARTS[name], seed=6):
        if not position.is_over:
            seed = len(position.history)
            assert_same_game(
                po.playout(position, seed=seed, policy=policy),
                ref.playout(position, seed, policy),
            )


def assert_same_game(game: po.Playout, twin: ref.Playout) -> None:
    assert game.result == twin.result
    assert list(game.moves) == list(twin.moves)
    assert game.codes.tolist() == list(twin.codes)
    assert game.plies == twin.plies


@pytest.mark.parametrize(
    ("name", "policy"),
    [*((name, "random") for name in STARTS), *((name, "guided") for name in LARGE)],
)
def test_many_playouts(name: str, policy: str) -> None:
    """Sums over more than one substream of two positions, one with either side to move.

    Random playouts use the lanes of each board. Guided playouts have no lanes: they run the code
    that `test_one_playout` compares on every board, so one board of each game is enough here.
    """
    start = STARTS[name]
    later = start.copy()
    later.push(later.legal_moves[-1])
    positions = [start, later]
    many = po.playouts(positions, 66, seed=2**40, policy=policy)
    for p, twin in enumerate(ref.playouts(positions, 66, 2**40, policy)):
        assert many.plies[p] == twin.plies
        assert (many.wins[p], many.draws[p], many.losses[p]) == (twin.wins, twin.draws, twin.losses)
        assert many.mean[p] == pytest.approx(twin.mean, abs=1e-15)
        assert many.stderr[p] == pytest.approx(twin.stderr, abs=1e-12)


@pytest.mark.parametrize("seed", [0, 1, 2**64, 10**50, np.random.SeedSequence(3, spawn_key=(4,))])
def test_generator(seed: int | np.random.SeedSequence) -> None:
    for substream in ((0, 0), (0, 1), (5, 0), (2**40, 2**33)):
        ours, twin = SFC64(seed, *substream), ref.SFC64(seed, *substream)
        for n in (1, 2, 48, 2**32 - 1):
            assert ours.random_raw() == twin.next_word()
            assert ours.below(n) == twin.below(n)
            assert ours.uniform() == twin.uniform()


@pytest.mark.traced_slowly
@pytest.mark.parametrize(
    "start",
    [
        *(po.Breakthrough(), po.Breakthrough(4, 7)),
        *(po.Othello(), po.Othello(6), po.Othello(4)),
        *(po.ConnectFour(), po.ConnectFour(9, 4)),
    ],
    ids=lambda start: f"{type(start).__name__} {start.rows}x{start.cols}",
)
def test_perft(start: po.Position) -> None:
    for depth in range(4):
        assert start.perft(depth) == ref.perft(ref.position(start), depth)


def test_the_twin_shares_no_code() -> None:
    """The twin imports only the standard library, numpy and its own modules."""
    files = sorted(Path(ref.__file__).parent.glob("*.py"))
    assert len(files) > 5
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level <= 1, f"{file.name} imports from above its own package"
                names = [node.module or ""] if node.level == 0 else []
            for name in names:
                package = name.partition(".")[0]
                assert package in {*sys.stdlib_module_names, "numpy"}, f"{file.name} imports {name}"
