"""search() and analysis(): limits, seeds, all arguments, and errors."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import playout as po
from support.helpers import Heap, facts, random_game, run_python
from support.searching import tree_search

METHODS = [
    po.Flat(),
    po.Flat("recent"),
    po.UCB(),
    po.UCB("thompson"),
    po.AMAF(),
    po.UCT(),
    po.UCTTuned(),
    po.RAVE(),
    po.GRAVE(),
]
TREES = [po.UCT(), po.UCTTuned(), po.RAVE(), po.GRAVE()]


def one_move_left() -> po.Position:
    """A position in the middle of a game in which there is just one legal move."""
    return po.Othello.from_fen("XO-------------- X")


def finished() -> po.Position:
    *_, last = random_game(po.Breakthrough(4), seed=1)
    return last


# Seeds


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize("start", [po.Breakthrough(5), po.Othello(6)], ids=["5x5", "othello"])
def test_same_seed_same_answer(start: po.Position, method: po.Method) -> None:
    first = facts(po.search(start, method, playouts=300, seed=5))
    for _ in range(20):
        assert facts(po.search(start, method, playouts=300, seed=5)) == first


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_other_seed_other_search(method: po.Method) -> None:
    results = {
        po.search(po.Breakthrough(), method, playouts=200, seed=seed).moves.tobytes()
        for seed in range(5)
    }
    assert len(results) == 5


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_the_result_knows_its_seed(method: po.Method) -> None:
    first = po.search(po.Breakthrough(5), method, playouts=200)
    assert isinstance(first.seed, int)
    assert facts(po.search(po.Breakthrough(5), method, playouts=200, seed=first.seed)) == facts(
        first
    )
    sequence = np.random.SeedSequence(3, spawn_key=(1,))
    second = po.search(po.Breakthrough(5), method, playouts=200, seed=sequence)
    assert second.seed is sequence
    assert facts(po.search(po.Breakthrough(5), method, playouts=200, seed=sequence)) == facts(
        second
    )


def test_ties_are_drawn_unless_the_first_is_wanted() -> None:
    """One playout each: most moves are tied."""
    b = po.Breakthrough()
    drawn = {po.search(b, po.UCT(), playouts=22, seed=seed).move for seed in range(60)}
    assert len(drawn) > 10
    for seed in range(20):
        result = po.search(b, po.UCT(ties="first"), playouts=22, seed=seed)
        best = max(zip(result.moves["visits"], result.moves["mean"]))
        tied = {row["move"] for row in result.moves if (row["visits"], row["mean"]) == best}
        assert result.move == next(move for move in b.legal_moves if move in tied)


# Limits


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize("i", range(13))
def test_playout_budgets(method: po.Method, i: int) -> None:
    n = int(100 * 1.5**i)
    result = po.search(po.Breakthrough(5), method, playouts=n, seed=i)
    assert (result.playouts, result.reason) == (n, "playouts")
    assert result.moves["visits"].sum() == n


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize(
    "start", [po.Breakthrough(), po.Othello()], ids=["breakthrough", "othello"]
)
def test_a_budget_of_one(start: po.Position, method: po.Method) -> None:
    result = po.search(start, method, playouts=1, seed=1)
    assert result.playouts == result.moves["visits"].sum() == 1
    assert result.move in start.legal_moves
    assert 0 <= result.value <= 1


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_one_legal_move(method: po.Method) -> None:
    """A single legal move is searched too, to find its value."""
    position = one_move_left()
    assert len(position.legal_moves) == 1
    result = po.search(position, method, playouts=100, seed=1)
    assert result.move == position.legal_moves[0]
    assert result.playouts == 100
    assert result.value == 1.0


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_any_time_limit_plays_at_least_once(method: po.Method) -> None:
    result = po.search(po.Breakthrough(), method, seconds=1e-9, seed=1)
    assert result.playouts >= 1
    assert result.reason == "seconds"
    assert result.move in po.Breakthrough().legal_moves


@pytest.mark.serial
@pytest.mark.parametrize("method", [po.Flat(), po.UCB(), po.UCT(), po.GRAVE()], ids=repr)
def test_time_limits_are_kept(method: po.Method) -> None:
    """Asserted generously: one of five searches ends in time, in case the machine is busy."""

    def overrun(seconds: float, seed: int) -> float:
        began = time.perf_counter()
        result = po.search(po.Othello(), method, seconds=seconds, seed=seed)
        assert result.reason == "seconds"
        assert result.seconds >= seconds
        return time.perf_counter() - began - seconds

    for seconds in (0.001, 0.01, 0.05, 0.2):
        assert any(overrun(seconds, seed) < 0.02 for seed in range(5))


def test_the_first_limit_met_ends_the_search() -> None:
    b = po.Breakthrough(5)
    assert po.search(b, playouts=50, seconds=60, until_sure=1e-6, seed=1).reason == "playouts"
    assert po.search(b, playouts=10**9, seconds=0.01, seed=1).reason == "seconds"
    assert po.search(b, playouts=10**6, seconds=60, until_sure=0.3, seed=1).reason == "sure"


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_until_sure(method: po.Method) -> None:
    b = po.Breakthrough(5)
    result = po.search(b, method, until_sure=0.08, playouts=10**6, seed=1)
    assert result.reason == "sure"
    assert result.playouts % 100 == 0
    if not isinstance(method, (po.AMAF, po.Flat)):
        best, second = result.moves["stderr"][:2] ** 2
        assert math.sqrt(best + second) < 0.08
        before = po.search(b, method, playouts=result.playouts - 100, seed=1)
        best, second = before.moves["stderr"][:2] ** 2
        assert math.sqrt(best + second) >= 0.08


# Settings


@pytest.mark.traced_slowly
@pytest.mark.parametrize("method", [po.Flat(), po.AMAF()], ids=repr)
def test_threads_change_nothing_where_playouts_are_independent(method: po.Method) -> None:
    results = [
        facts(po.search(po.Breakthrough(5), method, playouts=3001, seed=1, threads=threads))
        for threads in (1, 2, 3)
    ]
    assert results[0] == results[1] == results[2]


@pytest.mark.traced_slowly
@pytest.mark.parametrize("method", TREES, ids=repr)
def test_threads_share_a_tree(method: po.Method) -> None:
    result = po.search(po.Breakthrough(5), method, playouts=5000, seed=1, threads=3)
    assert result.playouts == result.moves["visits"].sum() == 5000


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_policies(method: po.Method) -> None:
    random, guided = (
        po.search(po.Breakthrough(), method, playouts=200, seed=1, policy=policy)
        for policy in ("random", "guided")
    )
    assert random.moves.tobytes() != guided.moves.tobytes()


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_a_full_table_stops_growing_and_the_search_goes_on(method: po.Method) -> None:
    small = po.search(po.Breakthrough(), method, playouts=20_000, seed=1, memory="100 kB")
    large = po.search(po.Breakthrough(), method, playouts=20_000, seed=1)
    assert small.playouts == large.playouts == small.moves["visits"].sum() == 20_000
    assert small.bytes <= 100_000 < large.bytes
    assert small.nodes < large.nodes <= 20_001
    again = po.search(po.Breakthrough(), method, playouts=20_000, seed=1, memory=100_000)
    assert facts(again) == facts(small)


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_solver(method: po.Method) -> None:
    """White reaches the last row at once: the move is proven and chosen, and the search ends."""
    b = po.Breakthrough.from_fen("bb.b/...w/..../w... w")
    result = po.search(b, method, playouts=10_000, seed=1, solver=True)
    assert (result.reason, result.value) == ("proven", 1.0)
    assert result.playouts < 1000
    assert result.moves["proven"][0] == 1.0
    b.push(result.move)
    assert b.result == 1.0


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_solver_sees_losses_and_draws(tictactoe: ModuleType, method: po.Method) -> None:
    start = tictactoe.TicTacToe()
    drawn = po.search(start, method, playouts=200_000, seed=1, solver=True)
    assert (drawn.reason, drawn.value) == ("proven", 0.5)
    lost = po.Breakthrough.from_fen("bb.b/..ww/..../w... b")  # one of the two can be taken
    result = po.search(lost, method, playouts=10_000, seed=1, solver=True)
    assert (result.reason, result.value) == ("proven", 0.0)
    assert "0.000" in str(result)


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_a_game_from_outside(tictactoe: ModuleType, method: po.Method) -> None:
    """Two in a row for either side: the only move that wins is the best."""
    position = tictactoe.TicTacToe("XX-OO----", "X")
    result = po.search(position, method, playouts=2000, seed=1)
    assert result.move == position.legal_moves[0]
    assert result.value > 0.9


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_a_game_in_python(method: po.Method) -> None:
    result = po.search(Heap(6), method, playouts=500, seed=1)
    assert result.moves["move"].tolist().index("take 2") == 0
    assert result.pv[0] == "take 2"
    assert "Heap: take 2" in str(result)
    assert "viewBox" not in result._repr_html_()  # bars in the table, and no board
    assert result.to_dict()["game"] == "Heap"
    if method.grows_tree:
        assert result.tree.children[0].position.object.size == 4


# Analysis


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_analysis_ends_with_the_result_of_search(method: po.Method) -> None:
    b = po.Breakthrough(5)
    whole = po.search(b, method, playouts=1000, seed=3)
    for every in (1, 64, 333, 1000, 5000):
        *before, last = po.analysis(b, method, playouts=1000, every=every, seed=3)
        assert facts(last) == facts(whole)
        assert [r.playouts for r in before] == list(range(every, 1000, every))
        assert all(r.reason == "running" for r in before)
        assert all(r.moves["visits"].sum() == r.playouts for r in before)


def test_analysis_ends_like_search_for_every_limit() -> None:
    b = po.Breakthrough(5)
    sure = po.search(b, "uct", until_sure=0.05, seed=3)
    assert facts(list(po.analysis(b, "uct", until_sure=0.05, seed=3, every=70))[-1]) == facts(sure)
    won = po.Breakthrough.from_fen("bb.b/...w/..../w... w")
    proven = po.search(won, "rave", playouts=10_000, seed=1, solver=True)
    *_, last = po.analysis(won, "rave", playouts=10_000, seed=1, solver=True, every=7)
    assert facts(last) == facts(proven)


@pytest.mark.serial
def test_analysis_by_the_clock() -> None:
    began = time.perf_counter()
    results = list(po.analysis(po.Breakthrough(), "rave", seconds=0.3, interval=0.05, seed=1))
    assert 0.3 <= time.perf_counter() - began < 1
    assert 3 <= len(results) <= 7
    assert [r.playouts for r in results] == sorted(r.playouts for r in results)
    assert results[-1].reason == "seconds"
    assert results[-1].seconds >= 0.3


def test_analysis_checks_its_arguments_at_once() -> None:
    """Errors are raised at the call, not at the first result."""
    with pytest.raises(ValueError, match="needs a limit"):
        po.analysis(po.Breakthrough())
    with pytest.raises(ValueError, match="interval must be a number above 0, not 0"):
        po.analysis(po.Breakthrough(), seconds=1, interval=0)
    with pytest.raises(ValueError, match="every must be a whole number from 1"):
        po.analysis(po.Breakthrough(), seconds=1, every=0)


def test_leaving_analysis_ends_the_search() -> None:
    for result in po.analysis(po.Breakthrough(), "uct", seconds=60, every=100):
        if result.playouts >= 500:
            break
    assert result.playouts == 500


# Errors

BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "a search needs a limit: playouts=10_000, seconds=1.0 or until_sure=0.01"),
    ({"playouts": 0}, "playouts must be a whole number from 1 to 2147483647, not 0"),
    ({"playouts": -5}, "playouts must be a whole number from 1 to 2147483647, not -5"),
    ({"playouts": 10.0}, "playouts must be a whole number from 1 to 2147483647, not 10.0"),
    ({"playouts": True}, "playouts must be a whole number from 1 to 2147483647, not True"),
    ({"playouts": 2**31}, "playouts must be a whole number from 1 to 2147483647, not 2147483648"),
    ({"seconds": 0}, "seconds must be a number above 0, not 0"),
    ({"seconds": math.nan}, "seconds must be a number above 0, not nan"),
    ({"seconds": math.inf}, "seconds must be a number above 0, not inf"),
    ({"seconds": "1"}, "seconds must be a number above 0, not '1'"),
    ({"until_sure": 0}, "until_sure must be a number above 0, not 0"),
    ({"until_sure": math.nan}, "until_sure must be a number above 0, not nan"),
    (
        {"playouts": 9, "seed": "x"},
        "seed must be an int, a numpy SeedSequence or Generator, or",
    ),
    ({"playouts": 9, "seed": -1}, "seed must not be negative, but it is -1"),
    ({"playouts": 9, "threads": 0}, "threads must be a whole number from 1 to 1024, not 0"),
    (
        {"playouts": 9, "policy": "gided"},
        "policy must be one of 'random', 'guided', 'mast', 'ppaf', not 'gided'; did",
    ),
    ({"playouts": 9, "memory": 0}, "memory must be bytes, 65536 or more, or a text like '512MB'"),
    ({"playouts": 9, "memory": "1 apple"}, "or '2GiB', not '1 apple'"),
    ({"playouts": 9, "memory": 1e9}, "or '2GiB', not 1000000000.0"),
    ({"playouts": 9, "memory": "9999999 GB"}, "not '9999999 GB'"),
    ({"playouts": 9, "solver": "yes"}, "solver must be True or False, not 'yes'"),
    ({"playouts": 9, "executor": 4}, "executor must be a concurrent.futures.Executor"),
]
BAD_METHODS: list[tuple[dict[str, Any], str]] = [
    ({"method": "rav"}, "there is no method 'rav'; did you mean 'rave'?"),
    ({"method": po.UCT}, "UCT is a class: write UCT()"),
    (
        {"method": "flat", "solver": True},
        "solver=True needs a tree, and Flat() grows none: use UCT",
    ),
    ({"method": "ucb", "threads": 2}, "runs on one thread: use executor="),
]


@pytest.mark.parametrize(("arguments", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_bad_arguments(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the sentence is checked below
        po.search(po.Breakthrough(5), **arguments)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(("arguments", "sentence"), BAD_METHODS, ids=[s for _, s in BAD_METHODS])
def test_bad_methods(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(po.BadMethod) as caught:
        po.search(po.Breakthrough(5), playouts=9, **arguments)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("run", [po.search, po.analysis], ids=["search", "analysis"])
@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_a_finished_game(run: Callable[..., object], method: po.Method) -> None:
    with pytest.raises(po.BadPosition, match="this game is over, so there is nothing to search"):
        run(finished(), method, playouts=10)


@pytest.mark.parametrize("thing", [None, "a2a3", po.Breakthrough, 3])
def test_not_a_position(thing: Any) -> None:
    with pytest.raises(
        po.BadPosition, match=r"a search starts from a position, such as playout\.Br"
    ):
        po.search(thing, playouts=10)


def test_guided_playouts_of_a_game_without(tictactoe: ModuleType) -> None:
    with pytest.raises(ValueError, match="no guided playouts; use policy='random'"):
        po.search(tictactoe.TicTacToe(), playouts=10, policy="guided")


def test_the_position_is_left_alone() -> None:
    b = po.Breakthrough(5)
    result = po.search(b, playouts=100, seed=1)
    assert b == po.Breakthrough(5)
    b.push("a2a3")
    assert result.position == po.Breakthrough(5)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("65536", 65536),
        ("100k", 100_000),
        ("1 MB", 10**6),
        ("1MiB", 2**20),
        ("2gib", 2**31),
        ("0.5 GB", 5 * 10**8),
        ("100 KiB", 102_400),
    ],
)
def test_memory_as_text(text: str, size: int) -> None:
    small = po.search(po.Breakthrough(5), playouts=2000, seed=1, memory=text)
    assert facts(small) == facts(po.search(po.Breakthrough(5), playouts=2000, seed=1, memory=size))


# Ctrl-C

INTERRUPTED = """
import os, signal, threading, time
import playout as po
searcher = po.Searcher(po.Breakthrough(), "rave", seed=1)
def press():
    global pressed
    time.sleep(0.1)
    pressed = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
def interrupt(search):
    threading.Thread(target=press).start()
    try:
        search()
    except KeyboardInterrupt:
        print("answered" if time.perf_counter() - pressed < 0.2 else "late")
interrupt(lambda: searcher.search(seconds=60))
known = searcher.result
assert known.playouts == known.moves["visits"].sum() > 1000
assert searcher.search(playouts=1000).moves["visits"].sum() == known.playouts + 1000
for method in ("flat", "ucb", "amaf", "uct", "grave"):
    interrupt(lambda: po.search(po.Othello(), method, seconds=60))
interrupt(lambda: po.search(po.Breakthrough(), "uct", seconds=60, threads=2))
interrupt(lambda: list(po.analysis(po.Breakthrough(), "uct", seconds=60)))
"""


@pytest.mark.serial
@pytest.mark.traced_slowly
def test_ctrl_c_is_answered_and_leaves_the_searcher_usable() -> None:
    ended = run_python(INTERRUPTED)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == ["answered"] * 8


KEPT = """
import os, signal, sys, threading
from concurrent.futures import ThreadPoolExecutor
import playout as po
def search(method, **how):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    found = po.search(po.Othello(), method, seconds=60, on_interrupt="return", **how)
    assert found.reason == "interrupted" and found.seconds < 5, found
    assert found.move in found.position.legal_moves
    return found
for method in ("flat", "uct", "rave"):
    found = search(method)
    assert found.playouts == found.moves["visits"].sum() > 1000
assert search("uct", threads=2).playouts > 1000
assert search(po.AlphaBeta(evaluation="weights")).depth >= 1
with ThreadPoolExecutor(2) as pool:
    found = search("uct", executor=pool, workers=2)
assert found.playouts == found.moves["visits"].sum() > 1000
"""


@pytest.mark.traced_slowly
def test_ctrl_c_keeps_the_result_so_far() -> None:
    ended = run_python(KEPT)
    assert ended.returncode == 0, ended.stderr


def test_what_ctrl_c_does_has_two_names() -> None:
    with pytest.raises(ValueError, match="on_interrupt must be one of 'raise', 'return'"):
        po.search(po.Othello(), playouts=10, on_interrupt="keep")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", [po.UCT(), po.Flat(), po.AlphaBeta(depth=3)], ids=repr)
def test_snapshots_share_no_position_with_the_search(method: po.Method) -> None:
    """Pushing a move on the position of one result affects no other."""
    limits: dict[str, Any] = (
        {} if isinstance(method, po.AlphaBeta) else {"playouts": 300, "every": 100}
    )
    seen = 0
    for result in po.analysis(po.Othello(), method, seed=1, **limits):
        result.position.push(result.move)
        seen += 1
    assert seen == 3


def test_an_engine_needs_a_thread() -> None:
    with pytest.raises(ValueError, match="threads must be 1 or more, not 0"):
        tree_search(po.Breakthrough(5), po.UCT(), 1).run(10, threads=0)
