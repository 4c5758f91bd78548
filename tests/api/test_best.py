"""`"best"` chooses a method that suits the board and the limit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import playout as po
from mcts_core.errors import BadMethod
from support.noughts import Noughts

KNOWING = po.UCT(c=0.1, cut=0, prior="shallow")
SHUSS = po.Halving(po.GRAVE(), amaf=128)


@pytest.mark.parametrize(
    ("start", "by_playouts", "in_time"),
    [
        (po.Breakthrough(), KNOWING, po.AlphaBeta()),
        (po.Breakthrough(6, 5), KNOWING, po.AlphaBeta()),
        (po.ConnectFour(), KNOWING, po.AlphaBeta()),
        (po.ConnectFour(4, 5), SHUSS, po.RAVE()),
        (po.Othello(6), SHUSS, po.UCT()),
        (Noughts(), po.UCT(), po.UCT()),
    ],
    ids=lambda given: type(given).__name__,
)
def test_choice(start: po.Position, by_playouts: po.Method, in_time: po.Method) -> None:
    result = po.search(start, "best", playouts=50, seed=1)
    assert result.method == by_playouts
    assert result.playouts <= 50
    assert po.search(start, po.Best(), seconds=0.01).method == in_time
    if in_time == po.AlphaBeta():
        assert po.search(start, "best", nodes=500).method == in_time
    else:
        with pytest.raises(BadMethod, match="nodes= limits alpha-beta, and best chooses"):
            po.search(start, "best", nodes=500)


def test_same_as_the_chosen_method() -> None:
    best = po.search(po.Breakthrough(5), "best", playouts=300, seed=1)
    same = po.search(po.Breakthrough(5), KNOWING, playouts=300, seed=1, solver=True)
    assert best.moves["move"].tolist() == same.moves["move"].tolist()
    assert best.moves["visits"].tolist() == same.moves["visits"].tolist()


def test_rounds_are_not_planned_if_time_may_end_the_search() -> None:
    assert po.search(po.Othello(6), "best", playouts=50, seconds=60).method == po.UCT()


def test_everywhere() -> None:
    """In snapshots, on an executor, and as a player."""
    snapshots = po.analysis(po.Othello(6), "best", playouts=90, every=30)
    assert [snapshot.playouts for snapshot in snapshots] == [30, 60, 90]
    with ThreadPoolExecutor(2) as pool:
        found = po.search(po.Breakthrough(5), "best", playouts=90, executor=pool, workers=2)
    assert (found.playouts, found.method) == (90, po.RAVE())
    start = po.Breakthrough(5)
    assert po.match("best@300n", "uct@300", games=8, game=start, seed=1, workers=1).score > 0.7


def test_margins_need_playouts_to_the_end() -> None:
    found = po.search(po.Othello(), "best", playouts=50, seed=1, rewards="margin")
    assert found.method == SHUSS
    assert found.playouts == 50


def test_refusals() -> None:
    with pytest.raises(BadMethod, match="best chooses policy= and solver= itself"):
        po.search(po.Breakthrough(5), "best", playouts=10, solver=True)
    with pytest.raises(BadMethod, match="name a method such as UCT"):
        po.Searcher(po.Breakthrough(5), "best")
    with pytest.raises(BadMethod, match="name a method such as UCT"):
        po.compare(po.Breakthrough(5), methods=["best"], playouts=10)
