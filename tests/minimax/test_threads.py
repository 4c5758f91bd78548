"""Alpha-beta on several threads: what stays the same, limits, and what is refused."""

from __future__ import annotations

import math
import random
import threading
import time
from types import ModuleType
from typing import Any

import pytest

import playout as po
from mcts_core.evaluator import Evaluator
from mcts_core.games.python_game import PythonPosition
from mcts_core.minimax.alphabeta import AlphaBetaSearch
from playout.arena.players import Searching, player_from
from playout.evaluation import compiled
from playout.serving.mind import Effort, Mind
from support.noughts import Noughts
from support.searching import drawn_position
from support.timers import ends_with_ctrl_c, needs_timer

BOARDS = [po.Breakthrough(5), po.Breakthrough(8), po.ConnectFour()]
SLACK = 5000  # nodes between two checks of all threads
SOON = 10.0  # seconds; a search that does not end at all takes for ever


def engine_for(position: po.Position, threads: int, **settings: Any) -> AlphaBetaSearch:
    """A search of the engine by the default evaluation."""
    network = compiled(None, position)
    assert isinstance(network, Evaluator)
    return AlphaBetaSearch(position, network, threads=threads, **settings)


@pytest.mark.parametrize("start", BOARDS, ids=repr)
def test_values_of_the_plain_search_do_not_depend_on_threads(start: po.Position) -> None:
    choice = random.Random(3)
    for _ in range(4):
        position = drawn_position(start, choice)
        one, *others = (
            po.search(position, po.AlphaBeta(5, multi_pv=2, selective=False, threads=threads))
            for threads in (1, 2, 3)
        )
        for other in others:
            assert (other.depth, other.reason) == (one.depth, one.reason)
            assert other.moves["value"][:2].tolist() == one.moves["value"][:2].tolist()
            assert other.nodes > 0


def test_proven_values_are_right() -> None:
    choice, proven = random.Random(5), 0
    for _ in range(30):
        position = drawn_position(po.Breakthrough(5, 4), choice)
        found = po.search(position, po.AlphaBeta(depth=6, evaluation="rows", threads=3))
        for row in found.moves:
            after = position.copy()
            after.push(str(row["move"]))
            if not math.isnan(row["proven"]) and not after.is_over:
                assert po.solve(after).value == 1.0 - row["proven"]
                proven += 1
    assert proven > 20


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("nodes", [1, 3_000, 200_000])
def test_nodes_are_those_of_all_threads(threads: int, nodes: int) -> None:
    found = po.search(po.Breakthrough(), po.AlphaBeta(threads=threads), nodes=nodes)
    assert found.reason == "nodes"
    assert found.move in po.Breakthrough().legal_moves
    assert nodes <= found.nodes < nodes + SLACK * threads


def test_seconds_end_a_search() -> None:
    found = po.search(po.Breakthrough(), po.AlphaBeta(), threads=2, seconds=0.1)
    assert found.reason == "seconds"
    assert found.seconds < SOON


def test_the_table_grows_between_the_threads_work() -> None:
    engine = engine_for(po.Breakthrough(), threads=3, memory=1 << 27)
    before = engine.bytes
    assert engine.run(100, nodes=3_000_000) == "nodes"
    assert before < engine.bytes <= 1 << 27
    small = engine_for(po.Breakthrough(), threads=3, memory=1 << 16)
    assert small.run(8) == "depth"
    assert small.bytes <= 1 << 16


@pytest.mark.parametrize("threads", [1, 2])
def test_a_table_that_may_not_grow_loses_nothing(threads: int) -> None:
    """The first runs are stopped every millisecond. A table does not begin to grow after that."""
    start = po.Breakthrough()
    settings: dict[str, Any] = {"threads": threads, "is_selective": False}
    whole, stopped = (engine_for(start, **settings) for _ in range(2))
    stopped.watch = stopped.stop
    for _ in range(300):
        stopped.run(7)
    stopped.watch = None
    assert stopped.run(7) == whole.run(7) == "depth"
    known, other = (engine.root()[0] for engine in (stopped, whole))
    assert known["value"].max() == other["value"].max()


@pytest.mark.parametrize(("size", "stays"), [(1 << 12, False), (1 << 14, True)])
def test_stop_ends_growth_on_the_way(parts: ModuleType, size: int, stays: bool) -> None:
    """`stop` is called in bucket 5,000, and looked at before each 4,096th bucket."""
    total = size * (size - 1) // 2
    assert parts.grow(size, 4, False) == (True, 4 * size, total, size)
    if stays:
        assert parts.grow(size, 4, True) == (False, size, total, 8192)
    else:
        assert parts.grow(size, 4, True) == (True, 4 * size, total, size)


def test_threads_leave_moves_to_each_other(parts: ModuleType) -> None:
    """Moves that another thread searches come last, in their order. The first never waits."""
    assert parts.order(0, []) == []
    assert parts.order(5, []) == [0, 1, 2, 3, 4]
    assert parts.order(5, [1, 3]) == [0, 2, 4, 1, 3]
    assert parts.order(5, [0, 1, 2, 3, 4]) == [0, 1, 2, 3, 4]
    assert parts.order(5, [1, 2, 3], ended=[2]) == [0, 2, 4, 1, 3]
    assert parts.order(100, [63, 64, 99]) == [*range(63), *range(64, 100), 63]


def test_the_root_leaves_moves_to_other_threads(parts: ModuleType) -> None:
    """All but those that get their exact score."""
    start = po.ConnectFour()
    keys = [child.key for child in start.children()]
    for n_exact in (1, 3):
        scores, alone = parts.search_beside(start, 1, n_exact)
        assert alone == keys
        children = start.children()
        found, beside = parts.search_beside(start, 1, n_exact, [children[2], children[4]])
        assert beside == [
            *(key for i, key in enumerate(keys) if i < n_exact or i not in (2, 4)),
            *(keys[i] for i in (2, 4) if i >= n_exact),
        ]
        assert found[:n_exact] == scores[:n_exact]


def test_positions_below_the_root_leave_moves_to_other_threads(parts: ModuleType) -> None:
    start = po.ConnectFour()
    scores, alone = parts.search_beside(start, 5, 1)
    replies = [child.children()[1] for child in start.children()]
    found, beside = parts.search_beside(start, 5, 1, replies)
    assert found[0] == scores[0]
    assert beside != alone
    assert parts.search_beside(start, 4, 1, replies) == parts.search_beside(start, 4, 1)


def test_a_search_goes_on_after_a_limit() -> None:
    engine = engine_for(po.Breakthrough(), threads=2)
    assert engine.run(100, nodes=20_000) == "nodes"
    depth, nodes = engine.depth, engine.nodes
    assert engine.run(depth + 2) == "depth"
    assert engine.depth == depth + 2
    assert engine.nodes > nodes
    columns, lines = engine.root()
    assert columns["exact"][0]
    assert len(lines[0]) > 1


def test_snapshots() -> None:
    found = list(po.analysis(po.Breakthrough(), po.AlphaBeta(depth=5), threads=2))
    assert [result.depth for result in found] == [1, 2, 3, 4, 5]


def test_stop_ends_all_threads_soon() -> None:
    engine = engine_for(po.Breakthrough(), threads=3)
    reasons: list[str] = []
    running = threading.Thread(target=lambda: reasons.append(engine.run(100)))
    running.start()
    while engine.nodes < 10_000:
        time.sleep(0.001)
    began = time.perf_counter()
    engine.stop()
    running.join()
    assert time.perf_counter() - began < SOON
    assert reasons == ["stopped"]
    nodes = engine.nodes
    time.sleep(0.01)
    assert engine.nodes == nodes


@needs_timer
def test_ctrl_c_ends_all_threads() -> None:
    before = threading.active_count()
    ends_with_ctrl_c(
        lambda: po.search(po.Breakthrough(), po.AlphaBeta(depth=100, threads=3), seconds=60), 0.1
    )
    assert threading.active_count() == before


def test_a_helper_does_nothing_between_runs() -> None:
    engine = engine_for(po.Breakthrough(), threads=2)
    for _ in range(2):
        nodes = engine.nodes
        engine.help(1, 100)
        assert engine.nodes <= nodes + 256  # it looks for its leader as seldom as that
        assert engine.run(engine.depth + 3) == "depth"
    with pytest.raises(IndexError):
        engine.help(2, 100)


def test_many_searches_with_many_threads_at_once() -> None:
    results: list[po.Result] = []

    def work(start: po.Position) -> None:
        for nodes in (10_000, 50_000, 100_000):
            results.append(po.search(start, po.AlphaBeta(threads=3), nodes=nodes))

    workers = [threading.Thread(target=work, args=(start,)) for start in BOARDS]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(results) == 9
    for found in results:
        position = found.position
        for move in found.pv:  # legal, so the table has confused no positions
            position.push(move)


def test_the_larger_number_of_threads_counts() -> None:
    """Evaluations of Othello by hand refuse every number but one."""
    for method, threads in (
        (po.AlphaBeta(3, "weights"), 2),
        (po.AlphaBeta(3, "weights", threads=2), 1),
    ):
        with pytest.raises(po.BadMethod, match="on one thread: leave threads out"):
            po.search(po.Othello(), method, threads=threads)


def test_players_use_threads() -> None:
    player, other = player_from("alphabeta@20000n threads=2"), po.AlphaBeta(threads=2)
    assert isinstance(player, Searching)
    assert player.busy_threads == Searching(other).busy_threads == 2
    assert not player.is_repeatable
    by_hand = Searching(po.AlphaBeta(evaluation="weights", threads=2))
    with pytest.raises(po.BadMethod, match="leave threads out"):
        Mind(by_hand).decide(po.Othello(), Effort(depth=2))
    assert Mind(player).decide(po.Breakthrough(), Effort()).nodes >= 20_000


@pytest.mark.parametrize("threads", [0, -1, 1025, 1.5, "two"])
def test_bad_numbers(threads: Any) -> None:
    with pytest.raises(po.BadMethod, match="AlphaBeta: threads must be a whole number"):
        po.AlphaBeta(threads=threads)
    with pytest.raises(ValueError, match="threads must be a whole number from 1 to 1024"):
        po.search(po.Breakthrough(), po.AlphaBeta(1), threads=threads)


def test_a_game_in_python_takes_one_thread(material: ModuleType) -> None:
    position = PythonPosition(Noughts())
    method = po.AlphaBeta(depth=9, evaluation=material.BLIND, selective=False)
    assert po.search(position, method).value == 0.5
    with pytest.raises(po.BadMethod, match="a game in Python runs on one thread"):
        po.search(position, method, threads=2)
