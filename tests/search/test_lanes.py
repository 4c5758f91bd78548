"""Lanes: simulations in flights, whose playouts are played together."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

import mcts_core
import playout as po
import playout.reference as ref
from mcts_core import cpu
from support.helpers import Heap, facts, run_python
from support.searching import assert_stopped_alike, drawn_positions, tree_search
from support.trees import METHODS, assert_same_search, assert_same_tree

LANES = [2, 3, 5, 8, 16, 17, 24, 33, 64]
TREES = [po.UCT(lanes=8), po.UCTTuned(lanes=8), po.RAVE(lanes=8), po.GRAVE(ref=5, lanes=8)]
every_tree = pytest.mark.parametrize("method", TREES, ids=repr)


# The twin


@pytest.mark.parametrize("solver", [False, True])
def test_same_tree(solver: bool) -> None:
    """Each method once, each number of lanes twice; with the solver the pairs differ."""
    lanes_of_each = itertools.islice(itertools.cycle(LANES), solver, None)
    cases = zip(METHODS, lanes_of_each, drawn_positions(len(METHODS), seed=11 + solver))
    for seed, (method, lanes, position) in enumerate(cases):
        method, policy = replace(method, lanes=lanes), "guided" if seed % 5 == 4 else "random"
        assert_same_tree(position, method, policy, solver, playouts=150, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("solver", [False, True])
def test_same_tree_in_full(lanes: int, solver: bool) -> None:
    for seed, (method, position) in enumerate(zip(METHODS, drawn_positions(18, seed=lanes))):
        assert_same_tree(
            position, replace(method, lanes=lanes), "random", solver, playouts=1000, seed=seed
        )


@every_tree
@pytest.mark.parametrize("playouts", [1, 2, 7, 8, 9, 100])
def test_a_budget_that_ends_in_a_flight(method: po.Method, playouts: int) -> None:
    """The last flight is shorter, and is counted like the others."""
    for seed, position in enumerate(drawn_positions(8, seed=12)):
        assert_same_tree(position, method, "random", False, playouts=playouts, seed=seed)


@pytest.mark.slow
@every_tree
def test_sure_of_the_same_move(method: po.Method) -> None:
    """`until_sure` is tested after each flight that contains a hundredth playout."""
    assert_stopped_alike(tree_search, [method])


@every_tree
def test_proven_positions(method: po.Method) -> None:
    """A proof ends the search after its flight, and is right."""
    for seed, start in enumerate([po.Othello(4), po.Breakthrough(4, 3)]):
        ours = po.search(start, method, playouts=20_000, seed=seed, solver=True)
        twin = ref.search(start, method, playouts=20_000, seed=seed, solver=True)
        assert (ours.reason, ours.playouts, ours.move) == ("proven", twin.playouts, twin.move)
        assert ours.value == po.solve(start).value


# Repeatable


DIGEST = """
import hashlib, playout as po
for start in po.Breakthrough(8), po.Breakthrough(5, 7), po.Othello(), po.Othello(6):
    for method in po.UCT(lanes=24), po.RAVE(lanes=16), po.GRAVE(lanes=5):
        r = po.search(start, method, playouts=3001, seed=1, solver=True)
        print(r.move, r.nodes, hashlib.sha256(r.moves.tobytes()).hexdigest())
"""


def test_the_same_at_every_level_of_the_instruction_set() -> None:
    """Equal with vectors of eight lanes, of four lanes, and without vectors."""
    levels = [level for level in mcts_core.built_levels if level in cpu.supported()]
    runs = [run_python(DIGEST, PLAYOUT_CPU=level) for level in levels]
    assert all(run.stdout.count("\n") == 12 for run in runs), runs[0].stderr
    assert len({run.stdout for run in runs}) == 1


@every_tree
def test_slices_are_one_search(method: po.Method) -> None:
    """The clock cuts no flight short. A search can run flight by flight."""
    for seed, position in enumerate(drawn_positions(8, seed=4)):
        at_once = tree_search(position, method, seed, solver=True)
        at_once.run(2003)
        by_time = tree_search(position, method, seed, solver=True)
        while by_time.run(2003, 1e-4) == "seconds":
            assert by_time.playouts % 8 == 0
        by_flights = tree_search(position, method, seed, solver=True)
        for playouts in (8, 16, 104, 1600, 2003):
            by_flights.run(playouts)
        assert_same_search(by_time, at_once, position)
        assert_same_search(by_flights, at_once, position)


@every_tree
def test_stop_and_continue(method: po.Method) -> None:
    """After a flight that was cut short, the search continues with a new flight."""
    search = tree_search(po.Othello(), method, seed=1)
    for playouts in (3, 10, 11, 500, 1000):
        assert search.run(playouts) == "playouts"
        assert search.root()["visits"].sum() == search.playouts == playouts


def test_snapshots_are_of_whole_flights() -> None:
    start, method = po.Breakthrough(5), po.UCT(lanes=8)
    *before, last = po.analysis(start, method, playouts=1000, every=300, seed=1)
    assert [r.playouts for r in before] == [304, 608, 912]
    assert facts(last) == facts(po.search(start, method, playouts=1000, seed=1))


@every_tree
@pytest.mark.parametrize("memory", [20_000, 70_000, 500_000])
def test_a_full_table(method: po.Method, memory: int) -> None:
    """The search continues, and is repeatable."""
    searches = [tree_search(po.Breakthrough(8), method, 1, memory=memory) for _ in range(2)]
    for search in searches:
        assert search.run(5000) == "playouts"
        assert search.full
        assert search.bytes <= memory
        assert search.root()["visits"].sum() == 5000
    assert_same_search(*searches, po.Breakthrough(8))


# Lanes with other options


@every_tree
def test_a_game_without_a_kernel(method: po.Method) -> None:
    """Its playouts are played one by one."""
    result = po.search(Heap(21), method, playouts=5000, seed=1, solver=True)
    assert (result.move, result.value, result.reason) == ("take 1", 1.0, "proven")
    assert result.playouts % 8 == 0
    assert facts(po.search(Heap(21), method, playouts=5000, seed=1, solver=True)) == facts(result)


@every_tree
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_with_lanes(method: po.Method, threads: int) -> None:
    """Each thread has its own flights, and no playout is lost."""
    for start in (po.Breakthrough(8), po.Othello()):
        search = tree_search(start, method, seed=1)
        assert search.run(20_001, threads=threads) == "playouts"
        columns = search.root()
        assert columns["visits"].sum() == search.playouts == 20_001
        assert (columns["wins"] <= columns["visits"]).all()
        assert 0.3 < columns["wins"].sum() / 20_001 < 0.7


@every_tree
def test_a_searcher_with_lanes(method: po.Method) -> None:
    with po.Searcher(po.Othello(6), method, seed=1) as searcher:
        for _ in range(4):
            searcher.advance(searcher.search(playouts=250).move)
        assert searcher.search(playouts=100).playouts == 100


def test_lanes_see_the_visits_of_each_other() -> None:
    """At the root a flight tries as many moves as it has simulations."""
    start = po.Breakthrough(8)
    result = po.search(start, po.UCT(lanes=22), playouts=22, seed=1)
    assert result.moves["visits"].tolist() == [1] * len(start.legal_moves)
