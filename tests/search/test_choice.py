"""The final choice: the same for a search at its end, a snapshot, and sums of several searches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import playout as po
from mcts_core.search.driver import Driver
from support.searching import drawn_positions

METHODS = [
    po.Flat(),
    po.Flat("recent"),
    *(po.UCB(rule) for rule in ("ucb1", "thompson")),
    po.AMAF(),
    *(po.UCT(), po.RAVE(), po.GRAVE()),
]
every_method = pytest.mark.parametrize("method", METHODS, ids=repr)


def engine_of(position: po.Position, method: po.Method, solver: bool = False) -> Driver:
    options = method.options() | {"policy": "random"}
    options |= {"solver": solver, "memory": 1 << 24} if method.grows_tree else {}
    return method.engine(position, options, np.random.SeedSequence(1))


def rows_of(engine: Driver, visits: list[int], wins: list[float]) -> NDArray[np.void]:
    rows = engine.root()
    rows["visits"], rows["wins"] = visits, wins
    return rows


# Breakthrough 3x3 with one row each has seven moves for either side
WHITE = po.Breakthrough(3, first_rows=1)
BLACK = WHITE.copy()
BLACK.push("a1a2")


@every_method
def test_the_ranking_begins_with_the_first_of_the_best(method: po.Method) -> None:
    for position in drawn_positions(8, seed=31):
        engine = engine_of(position, replace(method, ties="first"))
        engine.run(100)
        order = engine.ranking(engine.root())
        assert sorted(order) == list(range(len(order)))
        assert order[0] == engine.choose()


def test_most_visits_then_the_better_mean() -> None:
    engine = engine_of(WHITE, po.UCT())
    rows = rows_of(engine, [3, 5, 5, 0, 1, 4, 0], [3.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0])
    assert engine.ranking(rows) == [2, 1, 5, 0, 4, 3, 6]
    assert engine.choose(rows) == 2


def test_the_best_mean_whatever_the_visits() -> None:
    engine = engine_of(WHITE, po.Flat())
    rows = rows_of(engine, [3, 5, 5, 0, 1, 4, 0], [3.0, 2.0, 3.0, 0.0, 0.5, 0.0, 0.0])
    assert engine.ranking(rows) == [0, 2, 4, 1, 5, 3, 6]


@pytest.mark.parametrize("position", [WHITE, BLACK], ids=["white", "black"])
def test_a_move_that_is_certainly_worse_comes_last(position: po.Position) -> None:
    """However many visits it has. Bounds are the first player's."""
    n = len(position.legal_moves)
    engine = engine_of(position, po.UCT(), solver=True)
    rows = rows_of(engine, [9, 5, 1, *[0] * (n - 3)], [9.0, 5.0, 1.0, *[0.0] * (n - 3)])
    lost, at_least_a_draw, won = (1.0, 1.0), (0.0, 0.5), (0.0, 0.0)
    if position.turn == 0:
        lost, at_least_a_draw, won = (0.0, 0.0), (0.5, 1.0), (1.0, 1.0)
    rows["low"][0], rows["high"][0] = lost
    assert engine.ranking(rows)[0] == 0  # nothing is certainly better yet
    rows["low"][1], rows["high"][1] = at_least_a_draw
    assert engine.ranking(rows)[0] == 1
    assert engine.ranking(rows)[-1] == 0
    rows["low"][2], rows["high"][2] = won  # only what is as certain can be chosen now
    assert engine.choose(rows) == 2


def test_lots_of_another_seed_leave_the_search_as_it_is() -> None:
    asked, other = (engine_of(po.Breakthrough(5), po.UCT()) for _ in range(2))
    for engine in (asked, other):
        engine.run(5)  # five moves with a visit each, and some with the same result
    rows = asked.root()
    drawn = [asked.choose(rows, np.random.SeedSequence(seed)) for seed in range(20)]
    assert len(set(drawn)) > 1
    assert drawn == [other.choose(rows, np.random.SeedSequence(seed)) for seed in range(20)]
    fresh = engine_of(po.Breakthrough(5), po.UCT())
    fresh.run(5)
    assert [asked.choose() for _ in range(5)] == [fresh.choose() for _ in range(5)]


def test_rows_of_another_position_are_refused() -> None:
    engine = engine_of(WHITE, po.UCT())
    with pytest.raises(ValueError, match="the root has 7 moves, not 6"):
        engine.choose(engine.root()[:6])
    with pytest.raises(ValueError, match="there are no rows"):
        engine.ranking(engine.root()[:0])


@pytest.mark.parametrize("rows", [None, [1] * 7, np.zeros(7)], ids=["nothing", "a list", "numbers"])
def test_what_is_no_array_of_rows_is_refused(rows: Any) -> None:
    engine = engine_of(WHITE, po.UCT())
    with pytest.raises(TypeError, match="rows are an array that root"):
        engine.ranking(rows)
    with pytest.raises(TypeError, match="rows are an array that root"):
        engine.ranking(np.zeros((7, 2), engine.root().dtype))


def test_a_line_begins_with_a_move_of_the_root() -> None:
    for method in (po.UCT(), po.UCB()):
        engine = engine_of(WHITE, method)
        assert [engine.pv(index)[0] for index in range(7)] == engine.root()["raw"].tolist()
        for index in (-1, 7):
            with pytest.raises(IndexError, match="the root has 7 moves, and no number"):
                engine.pv(index)


@pytest.mark.parametrize("method", [m for m in METHODS if not m.grows_tree], ids=repr)
def test_an_engine_has_no_settings_of_its_own(method: po.Method) -> None:
    """What a method does not say, the engine asks for: defaults stand in the dataclasses alone."""
    options = method.options() | {"policy": "random"}
    for name in options.keys() - {"method"}:  # which an engine at the root does not read
        less = {key: value for key, value in options.items() if key != name}
        with pytest.raises(KeyError, match=name):
            method.engine(WHITE, less, np.random.SeedSequence(1))
