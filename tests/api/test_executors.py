"""What takes `executor=` gives the same result on threads, processes and a Dask cluster."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

import playout as po
from support.noughts import Noughts


@pytest.fixture(scope="module", params=["threads", "processes", "dask"])
def pool(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with ExitStack() as stack:
        if request.param == "threads":
            yield stack.enter_context(ThreadPoolExecutor(2))
        elif request.param == "processes":
            fresh = multiprocessing.get_context("spawn")
            yield stack.enter_context(ProcessPoolExecutor(2, fresh))
        else:
            distributed = pytest.importorskip("distributed")
            cluster = stack.enter_context(
                distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=":0")
            )
            yield stack.enter_context(distributed.Client(cluster)).get_executor(pure=False)


@pytest.mark.parametrize("workers", [1, 3, 1000])
def test_playouts_are_those_of_one_process(pool: Executor, workers: int) -> None:
    start = po.Breakthrough(5)
    one = po.playouts(start, 1000, seed=3)
    shared = po.playouts(start, 1000, seed=3, executor=pool, workers=workers)
    assert (one.wins, one.losses, one.plies) == (shared.wins, shared.losses, shared.plies)
    positions = po.random_positions(start, 7, plies=(2, 9), seed=1)
    many = po.playouts(positions, 200, seed=3)
    found = po.playouts(positions, 200, seed=3, executor=pool, workers=workers)
    assert np.array_equal(many.wins, found.wins)
    assert np.array_equal(many.stderr, found.stderr)


def test_playouts_of_a_game_in_python(pool: Executor) -> None:
    found = po.playouts([Noughts(), Noughts("x........", 1)], 100, seed=1, executor=pool)
    assert np.array_equal(
        found.wins, po.playouts([Noughts(), Noughts("x........", 1)], 100, seed=1).wins
    )


def test_comparisons_are_those_of_one_process(pool: Executor) -> None:
    how: dict[str, Any] = {"playouts": 300, "runs": 5, "seed": 1}
    one = po.compare(po.Breakthrough(4), ["uct", "flat"], **how)
    shared = po.compare(po.Breakthrough(4), ["uct", "flat"], **how, executor=pool, workers=3)
    assert np.array_equal(one.moves, shared.moves)
    assert np.array_equal(one.values, shared.values)


ENDING = "bb./b../.ww/ww. w"


def test_positions_are_solved_by_their_moves(pool: Executor) -> None:
    won = po.solve(po.Breakthrough.from_fen(ENDING), executor=pool)
    assert (won.value, won.score, won.reason) == (1.0, 1, "solved")
    exact = po.Breakthrough.from_fen(ENDING)
    for move in won.pv:
        exact.push(move)
    assert exact.is_over
    lost = po.solve(po.Breakthrough(4), executor=pool)
    assert (lost.value, lost.score) == (0.0, -1)
    drawn = po.solve(Noughts(), executor=pool)
    assert drawn.value == 0.5
    assert len(drawn.pv) == 9


def test_a_limit_ends_the_solving_of_moves(pool: Executor) -> None:
    found = po.solve(po.Breakthrough(), nodes=1000, executor=pool)
    assert (found.value, found.reason) == (None, "nodes")
    assert found.move in po.Breakthrough().legal_moves


@pytest.mark.serial
def test_seconds_hold_with_more_workers_than_slots(pool: Executor) -> None:
    po.search(po.Breakthrough(), "uct", playouts=8, executor=pool, workers=4)  # all have begun
    began = time.perf_counter()
    found = po.search(po.Breakthrough(), "uct", seconds=0.3, executor=pool, workers=6)
    assert 0.25 < time.perf_counter() - began < 0.8
    assert found.playouts == found.moves["visits"].sum() > 1000
    began = time.perf_counter()
    assert po.solve(po.Breakthrough(), seconds=0.3, executor=pool).reason == "seconds"
    assert 0.25 < time.perf_counter() - began < 1.0


def test_an_analysis_ends_as_the_search(pool: Executor) -> None:
    how: dict[str, Any] = {"playouts": 60_000, "seed": 1, "executor": pool, "workers": 3}
    *_, end = po.analysis(po.Breakthrough(), "uct", interval=0.02, **how)
    found = po.search(po.Breakthrough(), "uct", **how)
    assert end.reason == found.reason == "playouts"
    assert end.moves["visits"].tolist() == found.moves["visits"].tolist()


@pytest.mark.serial
def test_an_analysis_shows_what_is_known_in_time(pool: Executor) -> None:
    """More workers than slots: `seconds=` holds, and snapshots come meanwhile."""
    po.search(po.Breakthrough(), "uct", playouts=8, executor=pool, workers=4)  # all have begun
    began = time.perf_counter()
    how: dict[str, Any] = {"seconds": 0.4, "interval": 0.08, "executor": pool, "workers": 6}
    *snapshots, end = po.analysis(po.Breakthrough(), "uct", **how)
    assert 0.35 < time.perf_counter() - began < 1.0
    assert end.reason == "seconds"
    assert 2 <= len(snapshots) <= 6
    assert all(result.reason == "running" for result in snapshots)
    played = [result.playouts for result in snapshots]
    assert played == sorted(played)
    assert all(result.playouts == result.moves["visits"].sum() for result in snapshots)


def test_leaving_an_analysis_ends_the_workers() -> None:
    with ThreadPoolExecutor(2) as pool:
        began = time.perf_counter()
        how: dict[str, Any] = {"seconds": 60, "interval": 0.05, "executor": pool}
        for result in po.analysis(po.Breakthrough(), "uct", workers=4, **how):
            assert result.playouts > 0
            break
    assert time.perf_counter() - began < 5  # the pool waits for its threads


def test_what_an_analysis_on_an_executor_refuses(pool: Executor) -> None:
    with pytest.raises(ValueError, match="every= counts the playouts of one tree"):
        po.analysis(po.Breakthrough(), "uct", playouts=10, every=5, executor=pool)
    with pytest.raises(po.BadMethod, match="executor"):
        po.analysis(po.Breakthrough(), "alphabeta", seconds=1, executor=pool)

    def fails(position: Any, moves: Any) -> int:
        raise RuntimeError("as asked")

    with ThreadPoolExecutor(2) as threads, pytest.raises(RuntimeError, match="as asked"):
        list(po.analysis(po.Breakthrough(), "uct", seconds=9, policy=fails, executor=threads))


class Breaking(Executor):
    """An executor that loses every second part."""

    def __init__(self) -> None:
        self.n = 0

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        self.n += 1
        future: Future[Any] = Future()
        if self.n % 2:
            future.set_result(function(*arguments))
        else:
            future.set_exception(BrokenProcessPool("a worker has died"))
        return future


def test_lost_parts_are_done_again() -> None:
    start = po.Breakthrough(5)
    with pytest.warns(
        RuntimeWarning, match=r"of 4 parts of this call these were lost: \[2, 4\]"
    ) as seen:
        shared = po.playouts(start, 1000, seed=1, executor=Breaking())
    assert seen[0].filename == __file__
    for call in (
        lambda how: po.search(start, "uct", playouts=1000, **how),
        lambda how: list(po.analysis(start, "uct", playouts=1000, **how)),
    ):
        with pytest.warns(RuntimeWarning, match="were lost") as seen:
            call({"seed": 1, "executor": Breaking()})
        assert seen[0].filename == __file__
    assert shared.wins == po.playouts(start, 1000, seed=1).wins


def test_wrong_uses_are_named() -> None:
    start, pool = po.Breakthrough(5), Breaking()
    with pytest.raises(ValueError, match=r"executor must be a concurrent\.futures\.Executor"):
        po.playouts(start, 10, executor=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads= and executor= are two ways"):
        po.playouts(start, 10, threads=2, executor=pool)
    with pytest.raises(ValueError, match="workers must be a whole number from 1"):
        po.compare(start, ["uct"], runs=1, executor=pool, workers=0)
    with pytest.raises(ValueError, match="executor= is for games without a solver of their own"):
        po.solve(po.Othello(4), executor=pool)
    with pytest.raises(ValueError, match="need the whole search in this process"):
        po.solve(start, executor=pool, progress=print)
