"""An evaluation compiled outside the package, and what is refused."""

from __future__ import annotations

import math
from types import ModuleType

import pytest

import playout as po
from support.helpers import random_game


def test_it_evaluates(material: ModuleType) -> None:
    for start in (po.Breakthrough(5), po.ConnectFour(), po.Othello()):
        for position in [p.copy() for p in random_game(start, 1)][:-1]:
            own, enemy = po.reference.position(position).planes
            assert po.evaluate(position, material.MATERIAL) == 100 * (len(own) - len(enemy))


def test_it_is_searched(material: ModuleType) -> None:
    """White takes a man."""
    position = po.Breakthrough.from_fen("bb.bb/..b../.w.../...../ww.ww w")
    method = po.AlphaBeta(depth=1, evaluation=material.MATERIAL, selective=False)
    found = po.search(position, method)
    assert found.move == "b3c4"
    assert found.moves["score"][0] == 100 * (5 - 4)
    assert found.value == 1 / (1 + math.exp(-100 / 200))


def test_scores_are_kept_below_proven_results(material: ModuleType) -> None:
    assert po.evaluate(po.Breakthrough(), material.HUGE) == 25_000
    found = po.search(po.Breakthrough(), po.AlphaBeta(2, material.HUGE))
    assert math.isnan(found.moves["proven"][0])


def test_a_game_without_planes_is_refused(material: ModuleType, tictactoe: ModuleType) -> None:
    with pytest.raises(po.BadMethod, match="needs a game with planes"):
        po.search(tictactoe.TicTacToe(), po.AlphaBeta(2, material.MATERIAL))
    with pytest.raises(po.BadMethod, match="no evaluation for TicTacToe"):
        po.search(tictactoe.TicTacToe(), po.AlphaBeta(2))


def test_faulty_evaluators_are_refused(material: ModuleType) -> None:
    for capsule, says in (
        (material.OLD, "compiled for version 0"),
        (material.UNSCALED, "a scale above 0"),
        (material.EMPTY, "needs a score"),
    ):
        with pytest.raises(po.BadMethod, match=says):
            po.evaluate(po.Breakthrough(), capsule)
    with pytest.raises(TypeError, match="an evaluator is a capsule"):
        po.evaluate(po.Breakthrough(), po.Breakthrough().capsule)
