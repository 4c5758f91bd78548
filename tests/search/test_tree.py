"""Methods with a tree: the compiled tree equals the twin's in every position and sum."""

from __future__ import annotations

import itertools
import random

import pytest

import playout as po
import playout.reference as ref
from support.searching import (
    assert_stopped_alike,
    drawn_positions,
    tree_search,
)
from support.trees import METHODS, assert_same_search, assert_same_tree

POLICIES = ["random", "guided"]
CASES = list(itertools.product(METHODS, POLICIES, [False, True]))
TREES = [po.UCT(), po.UCTTuned(), po.RAVE(), po.GRAVE(ref=5)]


def test_same_tree() -> None:
    """Each method once, on its own position, with policy and solver in turn."""
    positions = drawn_positions(len(METHODS), seed=1)
    for seed, (method, position) in enumerate(zip(METHODS, positions)):
        policy, solver = POLICIES[seed // 2 % 2], seed % 2 == 1
        assert_same_tree(position, method, policy, solver, playouts=200, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_same_tree_in_full(seed: int) -> None:
    """Each combination of method and options, each on its own position with its own seed."""
    cases = random.Random(seed).sample(CASES, len(CASES))
    for case, position in zip(cases, drawn_positions(len(CASES), seed=seed)):
        assert_same_tree(position, *case, playouts=1000, seed=random.Random(seed).getrandbits(64))


@pytest.mark.parametrize("method", TREES, ids=repr)
@pytest.mark.parametrize("solver", [False, True])
def test_same_result(method: po.Method, solver: bool) -> None:
    """What `po.search` makes of it is the twin's result too."""
    for seed, position in enumerate(drawn_positions(5, seed=2)):
        ours = po.search(position, method, playouts=50, seed=seed, solver=solver)
        twin = ref.search(position, method, playouts=50, seed=seed, solver=solver)
        assert (ours.move, list(ours.pv), ours.reason) == (twin.move, twin.pv, twin.reason)
        assert ours.value == twin.value


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_sure_of_the_same_move(method: po.Method) -> None:
    """`until_sure` stops after the same playout."""
    assert_stopped_alike(tree_search, [method])


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_slices_are_one_search(method: po.Method) -> None:
    """A search in slices of playouts or time gives the same result as one run."""
    for seed, position in enumerate(drawn_positions(16, seed=4)):
        at_once = tree_search(position, method, seed, solver=True)
        reason = at_once.run(2000)
        by_playouts = tree_search(position, method, seed, solver=True)
        reasons = [by_playouts.run(n) for n in (1, 2, 99, 100, 1111, 2000)]
        by_time = tree_search(position, method, seed, solver=True)
        while by_time.run(2000, 1e-4) == "seconds":
            pass
        assert reasons[-1] == reason
        for sliced in (by_playouts, by_time):
            assert_same_search(sliced, at_once, position)


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_visits_are_the_playouts(method: po.Method) -> None:
    """Every playout begins with a move of the root; one playout is a search too."""
    for seed, position in enumerate(drawn_positions(16, seed=5)):
        for playouts in (1, 2, 500):
            search = tree_search(position, method, seed)
            assert search.run(playouts) == "playouts"
            columns = search.root()
            assert columns["visits"].sum() == search.playouts == playouts
            assert (columns["wins"] >= 0).all()
            assert (columns["wins"] <= columns["visits"]).all()
            assert columns["visits"][search.choose()] == columns["visits"].max()


def test_transpositions_share_an_entry() -> None:
    """There are fewer entries than playouts, because positions are reached in several ways."""
    start = po.Breakthrough(5)
    search = tree_search(start, po.UCT(), seed=1)
    search.run(20_000)
    assert search.nodes < search.playouts
    one, other = start.copy(), start.copy()
    for move in ("a2a3", "e4e3", "b2b3"):
        one.push(move)
    for move in ("b2b3", "e4e3", "a2a3"):
        other.push(move)
    columns, others = search.entry(one), search.entry(other)
    assert columns is not None
    assert others is not None
    assert columns["visits"].tolist() == others["visits"].tolist()


@pytest.mark.parametrize("lanes", [0, -1, 65, 2**40, True, 1.5, "8"])
def test_options_from_elsewhere_are_checked(lanes: object) -> None:
    """A job for another process may be damaged. No option of it can crash the engine."""
    b = po.Breakthrough(5)
    with pytest.raises(po.BadMethod, match="lanes must be a whole number from 1 to 64"):
        tree_search(b, po.UCT(), seed=1, lanes=lanes)
    with pytest.raises(po.BadMethod, match="bias needs one number"):
        tree_search(b, po.RAVE(), seed=1, bias=[], scale="phase")
    for options in ({"memory": 0}, {"memory": -1}, {"ref": -1}, {"method": "none"}, {"c": None}):
        with pytest.raises((MemoryError, OverflowError, KeyError, TypeError)):
            tree_search(b, po.GRAVE(), seed=1, **options)  # type: ignore[arg-type]
