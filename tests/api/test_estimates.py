"""The public formulas: worked examples, the engine's own formulas, AMAF beside Monte Carlo."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

import playout as po
from mcts_core.search import formulas
from playout.reference import formulas as twin
from support.helpers import Heap

# Worked examples


def test_ucb1_by_hand() -> None:
    """Move C, with the fewest visits, is chosen although its mean is the lowest."""
    moves = {"A": (3.2, 5), "B": (1.8, 3), "C": (1.1, 2)}
    scores = {name: po.ucb1(w / n, n, total=10) for name, (w, n) in moves.items()}
    assert {name: round(score, 3) for name, score in scores.items()} == {
        "A": 0.911,
        "B": 0.950,
        "C": 0.979,
    }
    assert max(scores, key=lambda name: scores[name]) == "C"


def test_beta_by_hand() -> None:
    beta = po.beta_from(variance=0.25, amaf_variance=0.04, bias_squared=0.01)
    assert round(beta, 2) == 0.83
    assert beta == pytest.approx(0.25 / 0.30)


def test_amaf_by_hand() -> None:
    """Three playouts. A move counts once a playout, and the order of the moves does not matter."""
    playouts = [("ABC", 1.0), ("DAE", 0.0), ("BFA", 1.0)]
    found = {
        name: (
            sum(r for moves, r in playouts if name in moves),
            sum(name in m for m, _ in playouts),
        )
        for name in "ABCD"
    }
    assert found == {"A": (2, 3), "B": (2, 2), "C": (1, 1), "D": (0, 1)}


def test_beta_mse() -> None:
    assert round(po.beta_mse(n=10, n_amaf=100), 6) == 0.909008
    assert po.beta_mse(10, 100, bias=0) == 100 / 110
    assert (po.beta_mse(0, 5), po.beta_mse(5, 0), po.beta_mse(0, 0)) == (1.0, 0.0, 1.0)


def test_schedules_fall_from_one_to_nothing() -> None:
    counts = [10**exponent for exponent in range(8)]
    for schedule in (
        lambda n: po.beta_mse(n, 10 * n),
        lambda n: po.beta_heuristic(n, 10 * n),
        lambda n: po.beta_hand(n),
        lambda n: po.beta_from(0.25 / n, 0.025 / n, 0.01),
    ):
        betas = [schedule(n) for n in counts]
        assert betas == sorted(betas, reverse=True)
        assert 1 >= betas[0] > betas[-1] >= 0
        assert betas[-1] < 0.1


def test_beta_from_at_the_edges() -> None:
    assert po.beta_from(0, 0, 0) == 0.5
    assert po.beta_from(0, 0.1, 0) == 0.0
    assert po.beta_from(0.1, 0, 0) == 1.0
    for bad in (-0.1, math.nan, math.inf):
        with pytest.raises(
            ValueError, match=f"amaf_variance must be a number of at least 0, not {bad}"
        ):
            po.beta_from(0.1, bad, 0.1)


def test_estimators_by_hand() -> None:
    assert po.estimate_variances([1.0, 0.0], [1.0]) == (0.5, 1.0)
    ones, mixed = [1.0] * 10, [1.0, 0.0] * 5
    assert po.estimate_variances(ones, mixed) == (0.0, pytest.approx(np.var(mixed, ddof=1)))
    assert po.estimate_bias_squared(ones, mixed) == 0.25
    assert po.estimate_bias_squared(ones[:9], mixed) == 0.1
    assert po.estimate_bias_squared(ones[:5], mixed[:4], min_samples=4) == 0.25
    assert po.estimate_bias_squared([], [], min_samples=0) == 0.1


def test_variance_is_never_zero() -> None:
    """Without smoothing, beta would be 0 after one playout."""
    assert po.variance_of_mean(1, 1) > 0
    n = 10_000
    assert po.variance_of_mean(0.3 * n, n) == pytest.approx(0.3 * 0.7 / n, rel=1e-3)


# The engine's formulas


def test_formulas_are_the_engines() -> None:
    """Equal bit for bit."""
    draw = random.Random(1)
    for _ in range(2000):
        n, n_amaf = draw.randrange(1, 5000), draw.randrange(1, 50_000)
        total, w = n + draw.randrange(100_000), draw.randrange(2 * n + 1) / 2
        mean, mean_square, c, bias = w / n, draw.random(), 2 * draw.random(), draw.random()
        assert po.ucb1(mean, n, total, c) == formulas.ucb1(mean, n, total, c)
        assert po.ucb_bayes(w, n, total, c) == formulas.ucb_bayes(w, n, total, c)
        tuned = (max(mean * mean, mean_square), n, total, c)
        assert po.ucb_tuned(mean, *tuned) == formulas.ucb_tuned(mean, *tuned)
        assert po.beta_mse(n, n_amaf, bias) == formulas.beta_mse(n, n_amaf, bias)
        assert po.beta_heuristic(n, n_amaf) == formulas.beta_heuristic(n, n_amaf)
        assert po.beta_hand(total, 1000 * c) == formulas.beta_hand(total, 1000 * c)
        assert po.variance_of_mean(w, n) == formulas.variance_of_mean(w, n)
        three = (po.variance_of_mean(w, n), draw.random() / n_amaf, bias * bias)
        assert po.beta_from(*three) == formulas.beta_from(*three)


def test_kl_ucb_is_what_the_results_leave_credible() -> None:
    """KL-UCB is the largest q whose divergence is allowed, and never above Pinsker's bound."""
    draw = random.Random(2)
    for _ in range(2000):
        n = draw.choice([1, draw.randrange(1, 50), draw.randrange(1, 50_000)])
        total, w = n + draw.randrange(1, 100_000), draw.randrange(2 * n + 1) / 2
        mean, c = w / n, 2 * draw.random()
        score = formulas.kl_ucb(mean, n, total, c)
        assert score == twin.kl_ucb(w, n, total, c)  # bit for bit
        allowed = c * math.log(total) / n
        assert mean <= score <= mean + math.sqrt(allowed / 2)
        if score < 1 - 1e-6:
            divergence = (1 - mean) * math.log((1 - mean) / (1 - score))
            divergence += mean * math.log(mean / score) if mean else 0.0
            assert divergence == pytest.approx(allowed, rel=1e-6, abs=1e-9)


def test_kl_ucb_at_the_ends() -> None:
    assert formulas.kl_ucb(0.0, 10, 100, c=1.0) == pytest.approx(1 - 100 ** (-1 / 10))
    assert formulas.kl_ucb(1.0, 10, 100) == 1.0
    assert formulas.kl_ucb(0.5, 1, 100, c=1000.0) == 1.0  # as close as rounding allows
    assert formulas.kl_ucb(0.5, 10, 100, c=0.0) == formulas.kl_ucb(0.5, 10, 1) == 0.5
    assert formulas.kl_ucb(0.25, 10, 100, c=1e-12) == pytest.approx(0.25, abs=1e-6)


def test_untried_moves_come_first() -> None:
    assert po.ucb1(0, 0, 10) == po.ucb_tuned(0, 0, 0, 10) == math.inf
    assert po.ucb_bayes(0, 0, 1) == 0.5


# Regret


def test_regret() -> None:
    assert po.regret([10, 5, 0], [0.6, 0.4, math.nan]) == pytest.approx(1.0)
    assert po.regret([3], [0.2]) == po.regret([0, 0], [math.nan, math.nan]) == 0.0


def test_regret_is_rounded_once() -> None:
    """So it is the same in every Python. The rounding of `sum` of floats changed in 3.12."""
    means = [place / 7 for place in range(7)]
    exact = sum(Fraction(max(means) - mean) for mean in means)
    assert po.regret([1] * 7, means) == float(exact)


def test_regret_bound() -> None:
    """8 ln n / D + (1 + pi^2/3) D, for the one move that is worse by D."""
    expected = 8 * math.log(100) / 0.2 + (1 + math.pi**2 / 3) * 0.2
    assert po.regret_bound([80, 20], [0.6, 0.4]) == pytest.approx(expected)
    assert po.regret_bound([50, 50], [0.5, 0.5]) == po.regret_bound([1], [1.0]) == 0.0


# Monte Carlo and AMAF


@pytest.mark.parametrize(
    "start", [po.Breakthrough(5), po.Othello(6)], ids=["breakthrough", "othello"]
)
def test_compare_estimates(start: po.Position) -> None:
    table = po.compare_estimates(start, 1000, seed=1)
    names = ("move", "visits", "mean", "amaf_visits", "amaf_mean", "bias", "more")
    assert table.dtype.names == names
    assert table["move"].tolist() == list(start.legal_moves)
    assert table["visits"].sum() == 1000
    assert (table["amaf_visits"] >= table["visits"]).all()
    assert (table["more"] == table["amaf_visits"] - table["visits"]).all()
    assert (table["bias"] == table["amaf_mean"] - table["mean"]).all()


def test_compare_estimates_by_hand() -> None:
    """Checks the first playout move by move, and the sum of a hundred."""
    b = po.Breakthrough(4)
    b.push(b.legal_moves[0])
    table = po.compare_estimates(b, 100, seed=3)
    first = po.playout(b, seed=3)
    one = po.compare_estimates(b, 1, seed=3)
    codes = [b.code(move) for move in b.legal_moves]
    occurred = [code in first.codes for code in codes]
    assert one["amaf_visits"].tolist() == [int(o) for o in occurred]
    assert one["visits"].tolist() == [int(move == first.moves[0]) for move in b.legal_moves]
    value = 1.0 - first.result
    assert [m for m, o in zip(one["amaf_mean"], occurred) if o] == [value] * sum(occurred)
    assert np.isnan(one["bias"]).sum() == len(codes) - 1
    wins = np.nansum(table["visits"] * np.nan_to_num(table["mean"]))
    assert wins == po.playouts(b, 100, seed=3).wins


def test_compare_estimates_is_amafs_table() -> None:
    b = po.Breakthrough(5)
    table = po.compare_estimates(b, 500, seed=7, policy="guided", threads=2)
    found = po.search(b, "amaf", playouts=500, seed=7, policy="guided").moves
    found = found[[found["move"].tolist().index(move) for move in table["move"]]]
    for name in ("visits", "mean", "amaf_visits", "amaf_mean"):
        np.testing.assert_array_equal(table[name], found[name])


def test_compare_estimates_of_a_game_in_python() -> None:
    """Taking all three wins, and no other first move does so often."""
    table = po.compare_estimates(Heap(3), 1000, seed=1)
    assert table["move"].tolist() == ["take 1", "take 2", "take 3"]
    assert table["mean"].tolist()[2] == table["amaf_mean"].tolist()[2] == 1.0
    assert table["mean"].max() == 1.0 > table["mean"][:2].max()


def test_compare_estimates_refuses() -> None:
    b = po.Breakthrough(5)
    with pytest.raises(ValueError, match="n must be a whole number from 1 to 2147483647, not 0"):
        po.compare_estimates(b, 0)
    with pytest.raises(ValueError, match=r"policy must be one of .*; did you mean 'random'\?"):
        po.compare_estimates(b, 1, policy="randm")
    with pytest.raises(ValueError, match="seed must be an int"):
        po.compare_estimates(b, 1, seed="x")
    over = po.Breakthrough.from_fen("b../.../w.. w")
    over.push("a1b2")
    over.push("a3b2")
    with pytest.raises(po.BadPosition, match="over"):
        po.compare_estimates(over, 1)
