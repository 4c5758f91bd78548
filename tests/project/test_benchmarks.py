"""The list boards of the benchmarks play by the rules; the calculations of sample_efficiency.py."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import calibrate
import ladder
import list_board
import permutations
import playout as po
import sample_efficiency
import tune
from playout.reference.formulas import rave_value_mse
from support import exact
from support.helpers import random_game


@pytest.mark.slow
def test_perft_of_the_list_boards() -> None:
    assert list_board.main() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "first_player_wins"),
    [(list_board.Breakthrough(5, 5), 0.5177), (list_board.Othello(8), 0.4534 + 0.0419 / 2)],
)
def test_random_games_of_the_list_boards(
    board: list_board.Breakthrough | list_board.Othello, first_player_wins: float
) -> None:
    random.seed(1)
    games = 400
    mean = sum(board.copy().playout() for _ in range(games)) / games
    assert mean == pytest.approx(first_player_wins, abs=4 * 0.5 / games**0.5)


# calibrate.py, ladder.py and tune.py


def test_levels_rise_by_equal_steps() -> None:
    """By the first family as far as it goes, then by the next; the strongest player is the last."""
    weak, strong = calibrate.Family("a@{}", (10, 20, 40)), calibrate.Family("b@{}", (100, 200))
    found = calibrate.levels([weak, strong], [[-50.0, 100.0, 250.0], [200.0, 590.0]])
    assert [elo for elo, _ in found] == [0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 640.0]
    players = ["a@10", "a@16", "a@25", "a@40", "b@130", "b@160", "b@200"]
    assert [player for _, player in found] == players


def test_limits_of_levels_have_two_digits() -> None:
    rounded = [calibrate.rounded(limit) for limit in (7, 15.4, 99.6, 123, 1250, 99_999)]
    assert rounded == [7, 15, 100, 120, 1200, 100_000]


def test_tables_replace_those_of_a_page(tmp_path: Path) -> None:
    """Each script its own, and nothing else of the page."""
    page = tmp_path / "strength.md"
    page.write_text("a\n" + "old".join(tune.MARKS) + "\nb\n" + "old".join(ladder.MARKS) + "\nc\n")
    ladder.put(page, tune.MARKS, "tuned")
    ladder.put(page, ladder.MARKS, "rated")
    lines = page.read_text().split("\n")
    assert [line for line in lines if line and line[0] != "<"] == ["a", "tuned", "b", "rated", "c"]
    page.write_text("no marks\n")
    with pytest.raises(SystemExit, match="lacks the lines"):
        ladder.put(page, tune.MARKS, "tuned")
    assert page.read_text() == "no marks\n"


def test_a_tuning_is_a_line_of_the_table() -> None:
    found = po.tune(
        "uct", tune.RANGES["uct c"], game=po.Breakthrough(4), playouts=20, candidates=2, games=2,
        proof=4, seed=1,
    )  # fmt: skip
    cells = [cell.strip() for cell in tune.row("Breakthrough 4x4", found).strip("|").split("|")]
    assert cells[:3] == ["Breakthrough 4x4", "UCT()", repr(found.best)]
    assert cells[5:] == ["4", "not shown"]
    assert len(cells) == tune.HEAD.splitlines()[0].count("|") - 1


# permutations.py


def test_formulas_of_three_sources() -> None:
    """GRAVE's is the twin's; equal means stay; a source far from the better one loses weight."""
    generator = np.random.default_rng(1)
    counts = generator.integers(1, 100, (3, 50)).astype(float)
    means = generator.random((3, 50))
    mixed = permutations.grave(counts, means)
    for i in range(50):
        q, amaf = (counts[row, i] * means[row, i] for row in (0, 1))
        n, others = int(counts[0, i]), int(counts[1, i])
        assert mixed[i] == pytest.approx(rave_value_mse(q, n, amaf, others, permutations.BIAS))
    for formula in permutations.FORMULAS.values():
        assert formula(counts, np.full((3, 50), 0.3)) == pytest.approx(0.3)
    many, far = np.array([[1000.0], [1e6], [1e6]]), np.array([[0.5], [0.9], [0.5]])
    assert permutations.by_errors(many, far)[0] == pytest.approx(0.5, abs=1e-3)
    assert permutations.by_counts(many, far)[0] == pytest.approx(0.7, abs=1e-3)


def test_playouts_that_contain_all_moves() -> None:
    """The third source is counted from all simulations of the search, in any order of moves."""
    search = permutations.Search(po.Breakthrough(4), 60, "counts", seed=1)
    root = search.tree[search.root.key]
    for i, code in enumerate(root.codes):
        assert search.seen[:, code].sum() == root.amaf_visits[code]  # at the root it is AMAF
        assert search.results @ search.seen[:, code] == root.amaf_wins[code]
        assert root.visits[i] <= root.amaf_visits[code]
    assert root.visits.sum() == 60
    assert search.move in search.root.legal_moves


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


@pytest.mark.skipif(shutil.which("git") is None, reason="git applies the patch")
@pytest.mark.parametrize("name", ["uct_pn", "probcut"])
def test_patches_fit(name: str) -> None:
    root = Path(__file__).parents[2]
    subprocess.run(
        ["git", "apply", "--check", f"benchmarks/{name}.patch"],
        cwd=root,
        # a repository around this folder would make git skip the patch
        env=os.environ | {"GIT_CEILING_DIRECTORIES": str(root.parent)},
        check=True,
    )
