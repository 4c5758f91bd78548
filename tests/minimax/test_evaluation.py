"""The compiled evaluations compared with their twin and with counts by hand; their errors."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import playout as po
from playout.reference import evaluation as twin
from playout.reference import position as twin_of
from support.helpers import random_game

FINISHED = 1_000_000


def positions(size: int, games: int) -> list[po.Othello]:
    """All positions of some random games, also the finished ones."""
    return [p.copy() for seed in range(games) for p in random_game(po.Othello(size), seed)]


@pytest.fixture(scope="module")
def sample() -> list[po.Othello]:
    """500 positions of 8x8 and some of smaller boards, with passes and finished games."""
    chosen = random.Random(4).sample(positions(8, 40), 500)
    chosen += positions(6, 3) + positions(4, 5)
    chosen += [p for p in positions(8, 60) if p.is_over or "pass" in p.legal_moves]
    assert sum(p.is_over for p in chosen) >= 60
    assert sum("pass" in p.legal_moves for p in chosen) >= 20
    return chosen


MIXES: list[dict[str, float]] = [
    {"parity": 1.0},
    {"mobility": -1.0},
    {"potential": 0.3},
    {"corners": 7.0},
    {"stability": 1.0},
    {
        "parity": 1.7,
        "mobility": 0.1,
        "potential": -2.0,
        "corners": 1e3,
        "stability": 9.9,
        "divisor": 7,
    },
]


@pytest.mark.parametrize("mix", MIXES, ids=lambda mix: "+".join(mix))
def test_terms_of_the_twin(mix: dict[str, float], sample: list[po.Othello]) -> None:
    evaluation, value_of = po.Evaluation(**mix), twin.mix(**mix)
    for position in sample:
        assert po.evaluate(position, evaluation) == twin.evaluate(twin_of(position), value_of)
        if not position.is_over:
            terms = po.evaluate(position, evaluation, terms=True)
            assert terms == {name: twin.TERMS[name](twin_of(position)) for name in terms}
            assert list(terms) == [name for name in mix if name != "divisor"]


@pytest.mark.parametrize("name", ["weights", "ratios", "washington"])
def test_named_evaluations_of_the_twin(name: str, sample: list[po.Othello]) -> None:
    for position in sample:
        if position.size == 8 or name != "weights":
            assert po.evaluate(position, name) == twin.evaluate(twin_of(position), name)


def test_any_table_of_weights(sample: list[po.Othello]) -> None:
    """Weights whose sum depends on the order in which they are added."""
    table = np.random.default_rng(1).normal(size=(8, 8)) * 10.0 ** np.arange(-3, 5)
    rows = tuple(map(tuple, table.tolist()))
    for position in sample:
        if position.size == 8:
            assert po.evaluate(position, po.Evaluation(weights=table)) == twin.evaluate(
                twin_of(position), twin.mix(rows)
            )


def test_mixes_by_phase(sample: list[po.Othello]) -> None:
    mixes: list[dict[str, float]] = [{"mobility": 1.0}, {"potential": 1.0}, {"parity": 1.0}]
    evaluation = po.Evaluation(by_phase=[po.Evaluation(**mix) for mix in mixes])
    value_of = twin.by_phase([twin.mix(**mix) for mix in mixes])
    for position in sample:
        assert po.evaluate(position, evaluation) == twin.evaluate(twin_of(position), value_of)
    start = po.Othello()
    assert list(po.evaluate(start, evaluation, terms=True)) == ["mobility"]


def test_a_stable_disc_is_never_flipped() -> None:
    """Every disc called stable keeps its colour to the end of the game."""
    for size in (8, 6, 4):
        for seed in range(30):
            game = [twin_of(p) for p in random_game(po.Othello(size), seed)]
            for before, after in pairwise(game):
                for disc in "XO":
                    kept = twin.stable(before, disc)
                    assert all(after.board[square] == disc for square in kept)
                    assert kept <= twin.stable(after, disc)
                    assert not kept & twin.loose(before, disc)


def test_loose_discs_by_playing_all_moves() -> None:
    for position in random_game(po.Othello(), 5):
        board, flipped = position.fen[:64], set()
        for move in position.legal_moves:
            after = position.copy()
            after.push(move)
            flipped |= {i for i in range(64) if {board[i], after.fen[i]} == {"X", "O"}}
        enemy = "OX"[position.turn]
        assert twin.loose(twin_of(position), enemy) == flipped


def test_by_hand() -> None:
    o = po.Othello()
    assert po.evaluate(o, "weights") == 0.0
    o.push("f5")  # Black has d5 e4 e5 f5, White d4: 2 + 2 + 2 + 2 - 2 (f5 is worth 4)
    assert po.evaluate(o, "weights") == 2 - (2 + 2 + 2 + 4)
    assert po.evaluate(o, "ratios", terms=True) == {
        "parity": -60.0,
        "mobility": 0.0,
        "corners": 0.0,
    }
    assert po.evaluate(o, "ratios") == -20.0


def test_the_table_of_weights() -> None:
    """The table is symmetric top to bottom and left to right, but not about the diagonal."""
    for square, weight in {"a1": 100, "c1": 11, "a3": 10, "b2": -20, "h6": 10, "f8": 11}.items():
        board = ["-"] * 64
        board[8 * (int(square[1]) - 1) + "abcdefgh".index(square[0])] = "X"
        board[27] = "O"  # worth 2
        position = po.Othello.from_fen("".join(board) + " X")
        if not position.is_over:
            assert po.evaluate(position, "weights") == weight - 2


def test_finished_games() -> None:
    won = po.Othello.from_fen("XX-------------- X")
    lost = po.Othello.from_fen("XX-------------- O")
    drawn = po.Othello.from_fen("XX------------OO O")
    assert won.is_over
    assert lost.is_over
    assert drawn.is_over
    for evaluation in ("washington", po.Evaluation(parity=3), lambda p: 5.0):
        assert po.evaluate(won, evaluation) == FINISHED + 16
        assert po.evaluate(lost, evaluation) == -FINISHED - 16
        assert po.evaluate(drawn, evaluation) == 0
    assert po.evaluate(won, "ratios", terms=True) == {"result": FINISHED + 16}


def test_a_function() -> None:
    seen = []

    def value_of(position: po.Othello) -> float:
        seen.append(position)
        return position.turn

    for position in random_game(po.Othello(6), 1):
        if not position.is_over:
            assert po.evaluate(position, value_of) == position.turn
            assert seen[-1] == position


def nothing(position: po.Othello) -> Any:
    return None


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: po.evaluate(po.Othello(), "washingtn"), "did you mean 'washington'"),
        (lambda: po.evaluate(po.Othello(), 3), "function of a position"),
        (lambda: po.evaluate(po.Othello(6), "weights"), "for the 8x8 board, and this one is 6x6"),
        (lambda: po.evaluate(po.Othello(), nothing), "returns a number, not None"),
        (lambda: po.evaluate(po.Othello(), lambda p: 1e6), "lies between"),
        (lambda: po.evaluate(po.Othello(), lambda p: float("nan")), "lies between"),
        (lambda: po.evaluate(po.Othello(), abs, terms=True), "a function has no terms"),
        (lambda: po.Evaluation(), "no term has a weight"),
        (lambda: po.Evaluation(parity=float("inf")), "parity must be a finite number"),
        (lambda: po.Evaluation(parity="1"), "parity must be a finite number"),
        (lambda: po.Evaluation(parity=1, divisor=0), "divisor must be a number above 0"),
        (lambda: po.Evaluation(weights=[[1] * 8] * 7), r"not of shape \(7, 8\)"),
        (lambda: po.Evaluation(weights="abc"), "must be 8x8 numbers"),
        (lambda: po.Evaluation(weights=np.diag([1] * 7 + [np.nan])), "weight of h8"),
        (lambda: po.Evaluation(corners=10_000), "make the weights smaller"),
        (lambda: po.Evaluation(by_phase=[]), "by_phase is a list"),
        (lambda: po.Evaluation(by_phase=[1]), "by_phase is a list"),
        (
            lambda: po.Evaluation(parity=1, by_phase=[po.Evaluation(parity=1)]),
            "in one of its mixes",
        ),
    ],
)
def test_errors(call: Any, says: str) -> None:
    with pytest.raises(po.BadMethod, match=says):
        call()


def test_evaluations_by_hand_are_for_othello() -> None:
    with pytest.raises(po.BadMethod, match="evaluates Othello"):
        po.evaluate(po.Breakthrough(), "weights")
    with pytest.raises(po.BadPosition, match="positions of this package"):
        po.evaluate("a2a3")  # type: ignore[call-overload]
    with pytest.raises(po.BadMethod, match="only a mix has terms"):
        po.evaluate(po.Breakthrough(), "rows", terms=True)
    assert po.evaluate(po.Breakthrough.from_fen("bwb/.../www b"), "rows") == -np.inf
