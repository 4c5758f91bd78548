"""The checks of `playout.testing` on every game. To test a new game, add a line to GAMES.

Further tests check what these games have in common beyond the contract.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from _pytest.mark import ParameterSet

import playout as po
from playout import testing
from support.helpers import Heap, random_game
from support.noughts import Noughts

Start: TypeAlias = Callable[[pytest.FixtureRequest], po.Position]

GAMES: dict[str, Start] = {
    "Breakthrough 8x8": lambda _: po.Breakthrough(),
    "Breakthrough 8x3": lambda _: po.Breakthrough(8, 3),
    "Breakthrough 6x5": lambda _: po.Breakthrough(6, 5),
    "Breakthrough 5x6": lambda _: po.Breakthrough(5, 6),
    "Breakthrough 5x5": lambda _: po.Breakthrough(5),
    "Breakthrough 5x5 first_rows=1": lambda _: po.Breakthrough(5, first_rows=1),
    "Breakthrough 3x8 first_rows=1": lambda _: po.Breakthrough(3, 8, first_rows=1),
    "Othello 8": lambda _: po.Othello(),
    "Othello 6": lambda _: po.Othello(6),
    "Othello 4": lambda _: po.Othello(4),
    "Connect Four 6x7": lambda _: po.ConnectFour(),
    "Connect Four 5x4": lambda _: po.ConnectFour(5, 4),
    "Connect Four 7x8": lambda _: po.ConnectFour(7, 8),
    "tic-tac-toe": lambda request: request.getfixturevalue("tictactoe").TicTacToe(),
}
LONG = ("Breakthrough 8x8", "Othello 8")  # their random games are the longest
UNLIKE: dict[str, Start] = {
    "stairs": lambda request: request.getfixturevalue("broken_games").Stairs(),
}


def position_of(request: pytest.FixtureRequest) -> po.Position:
    """The start position of a game."""
    position: po.Position = request.param(request)
    return position


def each(games: dict[str, Start]) -> list[ParameterSet]:
    """The games as parameters of a fixture."""
    long = {name: [pytest.mark.traced_slowly] for name in LONG}
    return [pytest.param(game, id=name, marks=long.get(name, [])) for name, game in games.items()]


start = pytest.fixture(params=each(GAMES))(position_of)
any_start = pytest.fixture(params=each(GAMES | UNLIKE))(position_of)


@pytest.mark.parametrize("check", testing.CHECKS, ids=lambda check: check.__name__)
def test_conformance(any_start: po.Position, check: Callable[[po.Position], None]) -> None:
    check(any_start)


@pytest.mark.parametrize("check", testing.PYTHON_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", [Noughts(), Heap(10)], ids=["tic-tac-toe", "heap"])
def test_conformance_in_python(game: po.PythonGame, check: Callable[[po.PythonGame], None]) -> None:
    check(game)


# Beyond the contract


def test_games_are_won_drawn_or_lost(start: po.Position) -> None:
    for seed in testing.GAMES:
        *_, end = random_game(start, seed)
        assert end.result in (0.0, 0.5, 1.0)


def test_moves_may_be_given_in_capitals_and_with_spaces(start: po.Position) -> None:
    for position in random_game(start, seed=1):
        for move in position.legal_moves:
            assert position.code(str(move).upper()) == position.code(move)
            for text in (str(move).upper(), f" {move} "):
                played = position.push(text)
                assert (played, played.raw) == (move, move.raw)
                position.pop()


def test_moves_of_a_position_have_codes_of_their_own(start: po.Position) -> None:
    for position in random_game(start, seed=1):
        codes = [position.code(move) for move in position.legal_moves]
        assert len(set(codes)) == len(codes)


def test_orders_of_moves_meet(start: po.Position) -> None:
    """Otherwise the check of positions reached in several ways would test nothing."""
    positions = testing.level(start)
    assert len({position.fen for position in positions}) < len(positions)


def test_a_draw_counts_half(start: po.Position) -> None:
    positions = [p.copy() for p in random_game(start, seed=6) if not p.is_over]
    for n in (1, 64, 65, 500):
        many = po.playouts(positions, n, seed=7)
        assert many.mean == pytest.approx((many.wins + many.draws / 2) / n, abs=1e-15)
        variance = (many.wins + many.draws / 4) / n - many.mean**2
        assert many.stderr == pytest.approx((variance.clip(0) / n) ** 0.5, abs=1e-12)


def test_another_seed_plays_other_games(start: po.Position) -> None:
    assert len({po.playouts(start, 500, seed=seed).plies for seed in range(10)}) > 1
