"""PUCT and Gumbel: the twin, mctx, many trees, threads, memory, what goes wrong."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import playout as po
import playout.reference as ref
from playout.reference.base import Task
from playout.reference.batched import BatchedSearch, Node
from playout.reference.search import begin, run
from support.evaluators import flat, scattered
from support.noughts import Noughts
from support.searching import drawn_positions

DATA = Path(__file__).parents[1] / "data" / "mctx.json"
METHODS: list[po.Method] = [
    po.PUCT(scattered),
    po.PUCT(flat, temperature=0.0, dirichlet_fraction=0.0),
    po.PUCT(scattered, lanes=4, dirichlet_alpha=1.5, temperature=0.5),
    po.PUCT(flat, lanes=7, fpu=0.6, pb_c_init=0.5, pb_c_base=50.0),
    po.Gumbel(scattered),
    po.Gumbel(flat, num_considered=4, gumbel_scale=0.0, ties="first"),
    po.Gumbel(scattered, num_considered=100, value_scale=1.0, maxvisit_init=3.0),
]


def assert_same_tree(
    position: po.Position, method: po.Method, playouts: int, seed: int, solver: bool
) -> po.Result:
    """Compare engine and twin, node for node, and the choice."""
    ours = po.search(position, method, playouts=playouts, seed=seed, solver=solver)
    task = Task(ref.position(position), seed, solver=solver, playouts=playouts)
    running = begin(task, method)
    assert isinstance(running, BatchedSearch)
    assert run(running, playouts, None) == ours.reason
    assert running.playouts == ours.playouts
    assert ours._reader is not None
    waiting: list[tuple[po.Position, Node]] = [(ours.position, running.root)]
    nodes = 0
    while waiting:
        here, node = waiting.pop()
        nodes += 1
        if here.is_over:
            continue
        rows = ours._reader(here)
        assert rows is not None
        assert rows["visits"].tolist() == [move.played.visits for move in node.moves]
        assert rows["wins"].tolist() == [move.played.wins for move in node.moves]
        assert rows["low"].tolist() == [move.bounds.low for move in node.moves]
        assert rows["high"].tolist() == [move.bounds.high for move in node.moves]
        for edge in node.edges:
            if edge.child:
                after = here.copy()
                after.push(edge.move.text)
                waiting.append((after, edge.child))
    assert nodes == ours.nodes
    chosen = running.chosen()
    assert (ours.move, list(ours.pv)) == (chosen.move.text, running.variation(chosen))
    assert ours.value == running.value(chosen)
    return ours


@pytest.mark.parametrize("solver", [False, True])
def test_same_tree(solver: bool) -> None:
    positions = drawn_positions(2 * len(METHODS), seed=5 + solver)
    for seed, (method, position) in enumerate(zip(2 * METHODS, positions)):
        assert_same_tree(position, method, 120, seed, solver)


def test_same_tree_near_the_end_of_games() -> None:
    """The solver strikes out moves, and ends searches."""
    proven = struck_out = 0
    for seed, start in enumerate([po.Breakthrough(4), po.ConnectFour(4, 4), po.Othello(4)] * 7):
        (position,) = po.random_positions(start, 1, plies=6, seed=seed)
        found = assert_same_tree(position, METHODS[seed % len(METHODS)], 400, seed, True)
        proven += found.reason == "proven"
        struck_out += int((found.moves["proven"] == 0.0).any())
        if found.reason == "proven":
            assert found.value == po.solve(position).value
    assert proven > 2
    assert struck_out > 2


@pytest.mark.parametrize("playouts", [1, 2, 5, 17, 300])
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_any_number_of_playouts(method: po.Method, playouts: int) -> None:
    found = assert_same_tree(po.Breakthrough(4), method, playouts, 3, False)
    assert found.moves["visits"].sum() == found.playouts == playouts


# mctx


def case_name(case: dict[str, Any]) -> str:
    return f"{case['game']}-{case['method']}-{case['playouts']}-{case['seed']}"


@pytest.mark.parametrize("case", json.loads(DATA.read_text()), ids=case_name)
def test_same_as_mctx(case: dict[str, Any]) -> None:
    """`tests/data/mctx_values.py` has written the numbers."""
    position = getattr(po, case["game"]).from_fen(case["position"])
    if case["method"] == "gumbel":
        method: po.Method = po.Gumbel(scattered, **case["settings"])
    else:
        method = po.PUCT(scattered, dirichlet_fraction=0.0, temperature=0.0)
    found = po.search([position], method, playouts=case["playouts"], seed=case["seed"])
    codes = [position.action(move) for move in position.legal_moves]
    assert found.visits[0, codes].tolist() == case["visits"]
    assert found.weights[0, codes].tolist() == pytest.approx(case["weights"], abs=1e-9)
    assert found.values[0] == pytest.approx(case["value"], abs=1e-12)
    best = [visits for visits in case["visits"] if visits == max(case["visits"])]
    if case["method"] == "gumbel" or len(best) == 1:  # mctx draws among equals
        assert found.moves[0] == case["move"]


# Many trees


def some_positions(n: int, seed: int = 1) -> list[po.Position]:
    return list(po.random_positions(po.Breakthrough(5), n, plies=(0, 12), seed=seed))


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_each_tree_is_that_of_its_stream(method: po.Method) -> None:
    """Tree i of a list is the twin's with stream i of the seed."""
    positions = some_positions(5)
    found = po.search(positions, method, playouts=60, seed=4, solver=True)
    for i, position in enumerate(positions):
        twin = begin(Task(ref.position(position), 4, solver=True, playouts=60), method)
        twin.generator = ref.SFC64(4, i)
        run(twin, 60, None)
        codes = [position.action(move) for move in position.legal_moves]
        assert found.visits[i, codes].tolist() == [row.visits for row in twin.statistics()]
        assert found.visits[i].sum() == found.playouts[i] == twin.playouts
        assert found.weights[i].sum() == pytest.approx(1.0)
        assert found.moves[i] == twin.chosen().move.text
        assert found.actions[i] == position.action(found.moves[i])


def arrays(found: po.Searches) -> list[NDArray[Any]]:
    return [found.visits, found.weights, found.values, found.actions, found.proven]


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_threads_and_batches_change_nothing(method: po.Method) -> None:
    positions = some_positions(37)
    alone = arrays(po.search(positions, method, playouts=50, seed=1))
    small = type(method)(**{**settings(method), "batch": 8})
    for found in (
        po.search(positions, method, playouts=50, seed=1, threads=3),
        po.search(positions, small, playouts=50, seed=1, threads=2),
    ):
        for ours, theirs in zip(arrays(found), alone):
            assert np.array_equal(ours, theirs, equal_nan=True)


def settings(method: po.Method) -> dict[str, Any]:
    return {name: getattr(method, name) for name in method._settings()}


def test_batches_have_the_leaves_of_many_trees() -> None:
    sizes: list[int] = []

    def counted(planes: NDArray[Any], mask: NDArray[Any]) -> Any:
        assert planes.dtype == np.uint8
        assert mask.dtype == np.bool_
        assert planes.shape == (len(mask), 2, 5, 5)
        sizes.append(len(planes))
        return scattered(planes, mask)

    positions = some_positions(30)
    po.search(positions, po.PUCT(counted, lanes=4), playouts=40, seed=1)
    assert sizes[0] == 30
    assert sum(size > 60 for size in sizes) >= 9
    sizes.clear()
    po.search(positions, po.PUCT(counted, lanes=4, batch=16), playouts=40, seed=1)
    assert max(sizes) == 16


def test_it_gets_the_arrays_of_positions() -> None:
    """The planes and masks are those of `stack` and `legal_mask`."""
    seen: list[tuple[NDArray[Any], NDArray[Any]]] = []

    def kept(planes: NDArray[Any], mask: NDArray[Any]) -> Any:
        seen.append((planes.copy(), mask.copy()))
        return flat(planes, mask)

    for start in (po.Breakthrough(6, 5), po.ConnectFour(4, 5), po.Othello(6)):
        positions = list(po.random_positions(start, 20, plies=(0, 9), seed=2))
        seen.clear()
        po.search(positions, po.Gumbel(kept), playouts=1, seed=1)
        assert (seen[0][0] == po.stack(positions)).all()
        assert (seen[0][1] == np.stack([each.legal_mask for each in positions])).all()


def test_proven_trees_stop() -> None:
    """The others go on."""
    won = po.Breakthrough.from_fen("...b./..w../...../...../..... w")
    found = po.search([won, po.Breakthrough(5)], METHODS[1], playouts=300, seed=1, solver=True)
    assert found.proven[0] == found.values[0] == 1.0
    assert math.isnan(found.proven[1])
    assert found.playouts[0] < found.playouts[1] == 300
    assert found.moves[0] in {"c4b5", "c4c5", "c4d5"}
    only = po.search([won, won], METHODS[1], playouts=300, seed=1, solver=True)
    assert only.reason == "proven"


def test_seconds() -> None:
    found = po.search(some_positions(3), po.PUCT(flat), seconds=0.05, seed=1)
    assert found.reason == "seconds"
    assert len(set(found.playouts.tolist())) == 1
    assert "3 positions" in repr(found)
    assert len(found) == 3


# Noise and temperature


def test_the_noise_of_the_root() -> None:
    quiet, loud = (
        po.search(po.Breakthrough(5), po.PUCT(flat, dirichlet_fraction=share), playouts=1, seed=1)
        for share in (0.0, 1.0)
    )
    assert quiet.moves["prior"].tolist() == pytest.approx([1 / 13] * 13)
    assert loud.moves["prior"].sum() == pytest.approx(1.0)
    assert loud.moves["prior"].max() > 0.2
    positions = [po.Breakthrough(5)] * 2000
    means = po.search(positions, po.Gumbel(flat), playouts=1, seed=1).visits.sum(axis=0)
    assert means[means > 0] == pytest.approx([2000 / 13] * 13, abs=60)  # a fair draw


def test_temperature() -> None:
    """Moves are drawn in proportion to powers of their visits."""
    positions = [po.Breakthrough(5)] * 4000
    for temperature in (1.0, 0.5):
        method = po.PUCT(scattered, dirichlet_fraction=0.0, temperature=temperature)
        found = po.search(positions, method, playouts=30, seed=1)
        share = found.visits[0] ** (1.0 / temperature)
        drawn = np.bincount(found.actions, minlength=len(share)) / 4000
        assert drawn == pytest.approx(share / share.sum(), abs=0.03)
    cold = po.PUCT(scattered, dirichlet_fraction=0.0, temperature=1e-3)
    assert set(po.search(positions[:50], cold, playouts=30, seed=1).actions.tolist()) == {
        int(found.visits[0].argmax())
    }


# Beside the others


def test_a_searcher_keeps_its_tree() -> None:
    method = po.PUCT(scattered, lanes=3)
    with po.Searcher(po.Breakthrough(5), method, seed=1, solver=True) as searcher:
        first = searcher.search(playouts=600)
        below = {child.move: child.visits for child in first.tree.children}
        kept = {row["move"]: int(row["visits"]) for row in first.moves}
        played = searcher.advance(str(first.moves[0]["move"]))
        now = searcher.result
        assert now.moves["visits"].sum() == kept[played] - 1 == below[played] - 1
        second = searcher.search(playouts=50)
        assert second.moves["visits"].sum() == kept[played] - 1 + 50
        searcher.advance(second.moves[-1]["move"])  # perhaps never visited
        assert searcher.search(playouts=20).playouts == 20
        with pytest.raises(AttributeError, match="moved on"):
            _ = first.tree.children[0].children


def test_an_executor() -> None:
    method = po.PUCT(scattered, temperature=0.0)
    with ThreadPoolExecutor(2) as pool:
        one, two = (
            po.search(po.Breakthrough(5), method, playouts=90, seed=1, executor=pool, workers=3)
            for _ in range(2)
        )
    assert one.moves["visits"].tolist() == two.moves["visits"].tolist()
    assert one.moves["visits"].sum() == 90
    with pytest.raises(po.BadMethod, match="cannot be added up"), ThreadPoolExecutor(1) as pool:
        po.search(po.Breakthrough(5), po.Gumbel(flat), playouts=9, executor=pool)


def test_analysis_and_matches() -> None:
    results = list(po.analysis(po.Breakthrough(5), po.Gumbel(flat), playouts=60, every=20, seed=1))
    assert [r.playouts for r in results] == [20, 40, 60]
    match = po.match(
        po.PUCT(scattered), po.UCT(), game=po.Breakthrough(4), games=4, playouts=20, seed=1
    )
    assert match.games == 4


def test_results_in_text() -> None:
    found = po.search(po.Breakthrough(5), po.PUCT(scattered, lanes=2), playouts=10, seed=1)
    assert "10 playouts of PUCT(scattered, lanes=2)" in str(found)
    assert repr(po.Gumbel(flat, batch=7)) == "Gumbel(flat, batch=7)"


# Memory


def test_a_full_memory() -> None:
    """The trees stop growing, and the search goes on."""
    for method in METHODS:
        found = po.search(po.Breakthrough(6), method, playouts=3000, memory=2**16, seed=1)
        assert found.bytes < 2**17
        assert found.moves["visits"].sum() == found.playouts == 3000
        again = po.search(po.Breakthrough(6), method, playouts=3000, memory=2**16, seed=1)
        assert str(again.moves) == str(found.moves)


# What goes wrong


class Flaky:
    """An evaluator that fails once, at a call."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.calls = 0

    def __call__(self, planes: NDArray[Any], mask: NDArray[Any]) -> Any:
        self.calls += 1
        if self.calls == self.at:
            raise KeyboardInterrupt
        return scattered(planes, mask)


@pytest.mark.parametrize("at", [1, 2, 9])
def test_a_failure_is_not_counted(at: int) -> None:
    """The search goes on after it as if nothing had happened."""
    flaky = Flaky(at)
    method = po.PUCT(flaky, lanes=5)
    with po.Searcher(po.Breakthrough(5), method, seed=1) as searcher:
        with pytest.raises(KeyboardInterrupt):
            searcher.search(playouts=100)
        before = searcher.result.moves["visits"].sum()
        assert before < 100
        found = searcher.search(playouts=int(100 - before))
    whole = po.search(po.Breakthrough(5), po.PUCT(scattered, lanes=5), playouts=100, seed=1)
    assert found.moves["visits"].sum() == 100
    if at == 1 or before % 5 == 0:
        assert sorted(found.moves["visits"]) == sorted(whole.moves["visits"])
    with pytest.raises(KeyboardInterrupt):
        po.search(some_positions(20), po.PUCT(Flaky(at), batch=4), playouts=30, threads=3)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda p, m: None, "returns .logits .n, actions., value .n.., not None"),
        (lambda p, m: (m,), "returns .logits"),
        (lambda p, m: (m, p), r"its value must have the shape \(1,\), not \(1, 2, 5, 5\)"),
        (lambda p, m: (m[:, 1:], p[:, 0, 0, 0]), r"logits must have the shape \(1, 250\)"),
        (lambda p, m: ("many", [0.5]), "its logits cannot be read as numbers"),
        (lambda p, m: (m, [-0.2]), r"from 0 \(a loss\) to 1 .* return \(value \+ 1\) / 2"),
        (lambda p, m: (m, [math.nan]), "from 0"),
        (lambda p, m: (m * np.nan, [0.5]), "a nan often means"),
        (lambda p, m: (np.where(m, -np.inf, 0.0), [0.5]), "for at least one legal move"),
    ],
)
def test_wrong_answers(answer: Any, says: str) -> None:
    with pytest.raises(po.BadMethod, match=says):
        po.search(po.Breakthrough(5), po.PUCT(answer), playouts=10)


def test_impossible_moves_are_never_tried() -> None:
    """A logit of -inf is a prior of 0."""

    def first_only(planes: NDArray[Any], mask: NDArray[Any]) -> Any:
        logits = np.full(mask.shape, -np.inf)
        logits[np.arange(len(mask)), mask.argmax(axis=1)] = 0.0
        return logits, np.full(len(mask), 0.5)

    found = po.search(po.Breakthrough(5), METHODS[1].__class__(
        first_only, dirichlet_fraction=0.0, temperature=0.0
    ), playouts=50, seed=1)  # fmt: skip
    assert found.moves["visits"].tolist() == [50] + [0] * 12
    assert po.search(po.Breakthrough(5), po.Gumbel(first_only), playouts=50, seed=1).playouts == 50


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: po.PUCT(3), "needs an evaluator: a function"),
        (lambda: po.PUCT(Flaky), "needs an evaluator: a function"),
        (lambda: po.PUCT(flat, dirichlet_fraction=2), "dirichlet_fraction must be a number from 0"),
        (lambda: po.PUCT(flat, pb_c_base=0), "pb_c_base must be a number above 0"),
        (lambda: po.PUCT(flat, temperature=-1), "temperature must be a number of at least 0"),
        (lambda: po.PUCT(flat, lanes=0), "lanes must be a whole number"),
        (lambda: po.PUCT(flat, batch=0), "batch must be a whole number"),
        (lambda: po.Gumbel(flat, num_considered=0), "num_considered must be a whole number"),
        (lambda: po.search(po.Othello(4), po.Gumbel(flat), seconds=1), "give playouts="),
        (lambda: po.Searcher(po.Othello(4), po.Gumbel(flat)), "a Searcher cannot"),
        (lambda: po.search(po.Othello(4), po.PUCT(flat), playouts=1, threads=2), "one tree"),
        (
            lambda: po.search(po.Othello(4), po.PUCT(flat), playouts=1, policy="guided"),
            "no meaning",
        ),
        (lambda: po.search([po.Othello(4)], "uct", playouts=1), "one position at a time"),
        (lambda: po.search([po.Othello(4)], po.PUCT(flat), playouts=1, nodes=3), "nodes= is for"),
    ],
)
def test_what_is_refused(call: Any, says: str) -> None:
    with pytest.raises(po.BadMethod, match=says):
        call()


@pytest.mark.parametrize(
    ("positions", "says"),
    [
        ([], "an empty list has no positions"),
        ([po.Othello(4), po.Othello(6)], "number 1 is of another game or size"),
        ([po.Breakthrough.from_fen("..w/b../... b")], "this game is over"),
        (Noughts(), "has no planes"),
        ([Noughts()], "has no planes"),
    ],
)
def test_positions_that_are_refused(positions: Any, says: str) -> None:
    with pytest.raises(po.BadPosition, match=says):
        po.search(positions, po.PUCT(flat), playouts=5)
