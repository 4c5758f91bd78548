"""The list boards of the benchmarks play by the rules; the calculations of sample_efficiency.py."""

from __future__ import annotations

import random

import numpy as np
import pytest

import list_board
import playout as po
import sample_efficiency
from support import exact
from support.helpers import random_game


@pytest.mark.traced_slowly
def test_perft_of_the_list_boards() -> None:
    assert list_board.main() == 0


@pytest.mark.traced_slowly
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


# sample_efficiency.py


def test_playouts_needed() -> None:
    """Interpolation is linear on a log scale; also before the first budget, and never."""
    budgets = np.array([10, 100, 1000])
    curves = np.array([[0.1, 0.5, 0.9], [0.3, 0.2, 0.4], [0.5, 0.6, 0.7], [0.1, 0.2, 0.3]])
    wanted = np.array([0.7, 0.4, 0.5, 0.31])
    found = sample_efficiency.needed(curves, wanted, budgets)
    assert found.tolist() == pytest.approx([10**2.5, 1000, 10, np.inf])


def test_a_ratio_of_known_curves() -> None:
    """In every position the slow method needs 100 playouts where the fast one needs 10."""
    budgets = np.array([10, 100, 1000])
    chance = np.repeat([[[0.5], [0.7], [0.9]], [[0.3], [0.5], [0.7]]], 8, axis=2)
    found = sample_efficiency.Measured(["fast", "slow"], budgets, chance, np.zeros(2), [])
    everything = np.ones(8, dtype=bool)
    for playouts in (10, 100):
        times = sample_efficiency.ratio(found, "slow", "fast", playouts, everything)
        assert times == pytest.approx({"ratio": 10, "low": 10, "high": 10})
    never = sample_efficiency.ratio(found, "slow", "fast", 1000, everything)
    assert never == {"ratio": np.inf, "low": np.inf, "high": np.inf}
    assert sample_efficiency.times(never, found, 1000) == "> 1 (> 1 - > 1)"


def test_wins_within_some_plies() -> None:
    seen = {True: 0, False: 0}
    for seed in range(12):
        for position in random_game(po.Breakthrough(5), seed):
            if len(position.history) > 8 and not position.is_over:
                for plies in (1, 3):
                    can = sample_efficiency.can_win(position, plies)
                    assert can == exact.wins_within(position, plies)
                    seen[can] += 1
    assert min(seen.values()) > 20


def test_what_is_tactical() -> None:
    def why(fen: str, *wins: str) -> str:
        position = po.Breakthrough.from_fen(fen)
        is_win = np.array([move in wins for move in position.legal_moves])
        assert any(is_win)
        return sample_efficiency.tactics(position, is_win)

    assert why("bb.../b..../...w./...../w.w.w w", "d3d4", "d3e4") == "race"
    assert why("bbbb./bw.b./...../w.w../w.w.w b", "a5b4", "c5b4") == "capture"
    assert why("bbbb./...bb/...w./w.www/w.... b", "e4e3") == ""


def test_puzzles_have_something_to_find() -> None:
    settings = sample_efficiency.Settings({"late": 4}, 100, 2, seed=5)
    puzzles = list(sample_efficiency.drawn(settings))
    assert [puzzle.source for puzzle in puzzles] == ["random", "search"] * 2
    for puzzle in puzzles:
        assert puzzle.plies >= 13
        assert 0 < len(puzzle.wins) < puzzle.legal
    found = sample_efficiency.measured(puzzles, settings)
    assert found.chance.shape == (7, 4, 4)
    assert set(np.unique(found.chance)) <= {0.0, 0.5, 1.0}
