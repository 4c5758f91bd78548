"""The checks of `conformance.py`, asked of every game. A new game is one line of GAMES."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import conformance
import pytest

import playout as po

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
    "tic-tac-toe": lambda request: request.getfixturevalue("tictactoe").TicTacToe(),
}


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def start(request: pytest.FixtureRequest) -> po.Position:
    """The start position of one game after another."""
    position: po.Position = request.param(request)
    return position


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_conformance(start: po.Position, check: Callable[[po.Position], None]) -> None:
    check(start)
