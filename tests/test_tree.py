"""UCT, RAVE and GRAVE: the compiled tree is the twin's, position for position and sum for sum."""

from __future__ import annotations

import itertools
import random

import pytest
from searching import (
    assert_same_moves,
    assert_stopped_alike,
    drawn_positions,
    fewer_for_big_othello,
    tree_search,
)

import playout as po
import playout.reference as ref
from mcts_core.search.tree import TreeSearch

METHODS: list[po.Method] = [
    po.UCT(),
    po.UCT(c=0.0),
    po.UCT(c=1.4, ties="first"),
    po.UCT(fpu=0.5),
    po.UCT(fpu=1.1, c=0.2),
    po.RAVE(),
    po.RAVE(beta="heuristic"),
    po.RAVE(beta="hand"),
    po.RAVE(beta="hand", k=20.0, ties="first"),
    po.RAVE(beta="variance"),
    po.RAVE(beta="variance", min_samples=3, c=0.1),
    po.RAVE(bias=0.01, c=0.3),
    po.RAVE(bias=(0.001, 0.0, 0.3), scale="kind"),
    po.RAVE(bias=(0.3, 0.1, 0.01, 0.001, 0.0), scale="phase"),
    po.GRAVE(),
    po.GRAVE(ref=0),
    po.GRAVE(ref=5, bias=0.01),
    po.GRAVE(ref=5, c=0.2, ties="first"),
]
POLICIES = ["random", "guided"]
CASES = list(itertools.product(METHODS, POLICIES, [False, True]))
TREES = [po.UCT(), po.RAVE(), po.GRAVE(ref=5)]


def assert_same_tree(
    position: po.Position, method: po.Method, policy: str, solver: bool, playouts: int, seed: int
) -> None:
    """Compiled and twin: every entry of the table, the end of the search and the move chosen."""
    playouts = fewer_for_big_othello(position, playouts)
    ours = tree_search(position, method, seed, policy, solver=solver)
    reason = ours.run(playouts)
    twin = ref.search(position, method, playouts=playouts, seed=seed, policy=policy, solver=solver)
    assert (reason, ours.playouts, ours.nodes) == (twin.reason, twin.playouts, len(twin.table))
    for twin_position, entry in twin.table.items():
        assert isinstance(twin_position, ref.BoardPosition)
        here = type(position).from_fen(twin_position.fen)
        columns = ours.entry(here)
        assert columns is not None, here
        # a GRAVE entry that was never asked for AMAF values does not hold them ready
        is_young = isinstance(method, po.GRAVE) and entry.total <= method.ref and here != position
        without = ("amaf_visits", "amaf_wins") if is_young else ()
        assert_same_moves(columns, here, entry.statistics(), *without)
    chosen = ours.choose()
    assert position.legal_moves[chosen] == twin.move
    assert [position.move_text(raw) for raw in ours.pv(chosen)] == twin.pv


def test_same_tree() -> None:
    """Each method once on a position of its own, playouts and solver in turn."""
    positions = drawn_positions(len(METHODS), seed=1)
    for seed, (method, position) in enumerate(zip(METHODS, positions)):
        policy, solver = POLICIES[seed // 2 % 2], seed % 2 == 1
        assert_same_tree(position, method, policy, solver, playouts=300, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_same_tree_in_full(seed: int) -> None:
    """Each combination of method and options, each on a position and with a seed of its own."""
    cases = random.Random(seed).sample(CASES, len(CASES))
    for case, position in zip(cases, drawn_positions(len(CASES), seed=seed)):
        assert_same_tree(position, *case, playouts=1000, seed=random.Random(seed).getrandbits(64))


@pytest.mark.parametrize("method", TREES, ids=repr)
@pytest.mark.parametrize("solver", [False, True])
def test_same_result(method: po.Method, solver: bool) -> None:
    """What `po.search` makes of it is the twin's result too."""
    for seed, position in enumerate(drawn_positions(10, seed=2)):
        ours = po.search(position, method, playouts=150, seed=seed, solver=solver)
        twin = ref.search(position, method, playouts=150, seed=seed, solver=solver)
        assert (ours.move, list(ours.pv), ours.reason) == (twin.move, twin.pv, twin.reason)
        assert ours.value == twin.value


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_sure_of_the_same_move(method: po.Method) -> None:
    """Stopping by certainty happens after the same playout."""
    assert_stopped_alike(tree_search, [method])


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_slices_are_one_search(method: po.Method) -> None:
    """Running on, by playouts or by time, gives what running at once gives."""
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


def assert_same_search(one: TreeSearch, other: TreeSearch, position: po.Position) -> None:
    assert (one.playouts, one.nodes) == (other.playouts, other.nodes)
    columns, others = one.root(), other.root()
    for name in columns.dtype.names or ():
        assert columns[name].tolist() == pytest.approx(others[name].tolist(), abs=0, nan_ok=True)
    chosen = other.choose()
    assert one.choose() == chosen
    assert one.pv(chosen) == other.pv(chosen)


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
    """There are fewer entries than playouts, and the tree is a graph: two ways, one position."""
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
    """A job for a worker may have been changed on its way; no option of it crashes C."""
    b = po.Breakthrough(5)
    with pytest.raises(po.BadMethod, match="lanes must be a whole number from 1 to 64"):
        tree_search(b, po.UCT(), seed=1, lanes=lanes)
    with pytest.raises(po.BadMethod, match="bias needs one number"):
        tree_search(b, po.RAVE(), seed=1, bias=[], scale="phase")
    for options in ({"memory": 0}, {"memory": -1}, {"ref": -1}, {"method": "none"}, {"c": None}):
        with pytest.raises((MemoryError, OverflowError, KeyError, TypeError)):
            tree_search(b, po.GRAVE(), seed=1, **options)  # type: ignore[arg-type]
