"""Elo, intervals, sequential tests and ratings, against published figures and by simulation."""

from __future__ import annotations

import math
import random

import pytest

import playout as po
from playout.arena import statistics
from playout.arena.statistics import SPRT, Pairs, ratings, sprt_of


# Counts of pairs, hypotheses, model and log-likelihood ratio, as a public testing framework for
# chess engines published them.
@pytest.mark.parametrize(
    ("counts", "elos", "model", "llr"),
    [
        ((398, 4112, 7672, 4336, 430), (0, 3), "normalised", 2.96),
        ((56, 1144, 2546, 1310, 77), (0, 3), "normalised", 2.95),
        ((1, 1941, 6275, 2194, 2), (0, 2), "normalised", 2.94),
        ((3, 3455, 10850, 3758, 1), (0.5, 2.5), "normalised", 2.95),
        ((795, 5276, 10352, 5500, 813), (-0.5, 1.5), "logistic", 2.96),
    ],
)
def test_published_ratios(
    counts: tuple[int, int, int, int, int], elos: tuple[float, float], model: str, llr: float
) -> None:
    assert Pairs(counts).llr(*elos, model) == pytest.approx(llr, abs=0.01)


@pytest.mark.parametrize(
    ("counts", "elo", "half"),
    [((398, 4112, 7672, 4336, 430), 2.95, 2.18), ((56, 1144, 2546, 1310, 77), 7.04, 3.62)],
)
def test_published_elo(counts: tuple[int, int, int, int, int], elo: float, half: float) -> None:
    pairs = Pairs(counts)
    low, high = pairs.elo_interval
    assert pairs.elo == pytest.approx(elo, abs=0.005)
    assert (high - low) / 2 == pytest.approx(half, abs=0.005)


def test_both_players_see_the_same_match() -> None:
    pairs, turned = Pairs((1, 2, 3, 4, 5)), Pairs((5, 4, 3, 2, 1))
    assert pairs.score == pytest.approx(1 - turned.score)
    assert pairs.elo == pytest.approx(-turned.elo)
    assert pairs.superiority == pytest.approx(1 - turned.superiority)
    assert pairs.llr(-5, 5) == pytest.approx(-turned.llr(-5, 5))


def test_no_games_and_only_wins() -> None:
    assert (Pairs().score, Pairs().elo, Pairs().llr(0, 10)) == (0.5, 0.0, 0.0)
    won = Pairs((0, 0, 0, 0, 20))
    assert won.elo == statistics.MOST_ELO
    assert won.score_interval[0] > 0.9
    assert 0.99 < won.superiority <= 1


def test_an_interval_of_95_percent_holds_the_truth_as_often() -> None:
    draw = random.Random(1)
    held = 0
    for _ in range(1000):
        counts = [0] * 5
        for _ in range(100):
            counts[2 * (draw.random() < 0.6) + 2 * (draw.random() < 0.6)] += 1
        low, high = Pairs((counts[0], counts[1], counts[2], counts[3], counts[4])).score_interval
        held += low <= 0.6 <= high
    assert 0.93 < held / 1000 < 0.97


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "H1"), (60.0, "H0")])
def test_a_test_is_wrong_as_seldom_as_it_promises(elo: float, wrong: str) -> None:
    """Decisive games of players of known strength, until the test decides: 5 % may be wrong."""
    draw, test = random.Random(2), SPRT(0, 60, model="logistic")
    win = statistics.score_of(elo)
    decisions = []
    for _ in range(300):
        counts, decision = [0] * 5, None
        while decision is None:
            counts[2 * (draw.random() < win) + 2 * (draw.random() < win)] += 1
            pairs = Pairs((counts[0], counts[1], counts[2], counts[3], counts[4]))
            decision = test.decision(pairs)
        decisions.append(decision)
    assert decisions.count(wrong) / 300 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("0,10", "sprt must be two differences in Elo such as \\(0, 10\\), not '0,10'"),
        ((1,), "sprt must be two differences"),
        ((10, 0), "elo0=10 must be less than elo1=0"),
        ((0, math.nan), "elo1 must be a finite number"),
    ],
)
def test_tests_that_make_no_sense(value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sprt_of(value)


def test_models_have_names() -> None:
    with pytest.raises(ValueError, match="did you mean 'logistic'"):
        SPRT(0, 10, model="logstic")


def test_ratings_of_two_are_the_elo_of_their_match() -> None:
    first, second = ratings(2, [(0, 1, 100_000, 64_000)])
    assert first.elo - second.elo == pytest.approx(statistics.elo_of(0.64), rel=1e-3)
    assert first.elo == pytest.approx(-second.elo)


def test_ratings_recover_strengths() -> None:
    """Players of known strengths meet in a ladder; each rating lies within its interval."""
    truth = [300.0, 120.0, 0.0, -150.0, -270.0]
    draw = random.Random(3)
    results = []
    for a in range(4):
        win = statistics.score_of(truth[a] - truth[a + 1])
        results.append((a, a + 1, 2000.0, float(sum(draw.random() < win for _ in range(2000)))))
    for known, found in zip(truth, ratings(5, results), strict=True):
        assert abs(found.elo - known) < 1.6 * found.error


def test_who_has_not_played_has_the_prior() -> None:
    known, unknown, third = ratings(3, [(0, 2, 100, 75)])
    assert unknown.error > 1.9 * known.error
    assert known.elo > unknown.elo > third.elo


def test_the_public_names() -> None:
    assert po.Pairs is Pairs
    assert po.SPRT is SPRT
