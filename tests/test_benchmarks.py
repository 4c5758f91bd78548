"""The yardstick of the benchmarks plays by the rules."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

import list_board


def test_perft_of_the_list_boards() -> None:
    assert list_board.main() == 0


@pytest.mark.parametrize(
    ("board", "first_player_wins"),
    [(list_board.Breakthrough(5, 5), 0.5177), (list_board.Othello(8), 0.4534 + 0.0419 / 2)],
)
def test_random_games_of_the_list_boards(
    board: list_board.Breakthrough | list_board.Othello, first_player_wins: float
) -> None:
    random.seed(1)
    games = 1000
    mean = sum(board.copy().playout() for _ in range(games)) / games
    assert mean == pytest.approx(first_player_wins, abs=4 * 0.5 / games**0.5)
