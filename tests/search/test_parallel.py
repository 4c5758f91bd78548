"""Root-parallel search: repeatable, and the same on every executor."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import playout as po
from mcts_core.rng import SFC64
from support.helpers import facts, run_python

METHODS = [
    po.Flat(),
    po.Flat("recent"),
    po.UCB("tuned"),
    po.AMAF(),
    po.UCT(),
    po.UCTTuned(),
    po.RAVE(),
    po.GRAVE(),
]


STARTS = multiprocessing.get_all_start_methods()


class Serial(Executor):
    """Runs each job when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Pickling(Serial):
    """Pickles jobs and results, as a process pool or a cluster does."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        fn, args, kwargs = pickle.loads(pickle.dumps((fn, args, kwargs)))
        future: Future[Any] = Future()
        future.set_result(pickle.loads(pickle.dumps(fn(*args, **kwargs))))
        return future


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    """Two spawned processes, which share no memory with this one."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize(
    ("method", "solver"),
    [*((method, False) for method in METHODS), *((m, True) for m in METHODS if m.grows_tree)],
    ids=repr,
)
@pytest.mark.parametrize("start", [po.Breakthrough(5), po.Othello(6)], ids=["5x5", "othello"])
def test_every_executor_gives_the_same(
    start: po.Position, method: po.Method, solver: bool, processes: Executor
) -> None:
    settings: dict[str, Any] = {"playouts": 1003, "seed": 5, "workers": 3, "solver": solver}
    with ThreadPoolExecutor(3) as threads:
        executors = [Serial(), Pickling(), threads, processes, Serial()]
        results = [po.search(start, method, executor=e, **settings) for e in executors]
    assert all(facts(result) == facts(results[0]) for result in results)
    assert results[0].playouts == results[0].moves["visits"].sum() == 1003
    assert results[0].pv[0] == results[0].move


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_the_sum_of_its_workers(method: po.Method) -> None:
    """Each worker's search equals `po.search` with the worker's seed."""
    b = po.Breakthrough(5)
    merged = po.search(b, method, playouts=1002, seed=9, executor=Serial(), workers=4)
    shares = [251, 251, 250, 250]
    parts = [
        po.search(b, method, playouts=n, seed=seed)
        for n, seed in zip(shares, np.random.SeedSequence(9).spawn(4))
    ]
    for row in merged.moves:
        rows = [part.moves[part.moves["move"] == row["move"]][0] for part in parts]
        assert row["visits"] == sum(r["visits"] for r in rows)
        if method != po.Flat("recent"):
            wins = sum(r["visits"] * r["mean"] for r in rows if r["visits"])
            assert row["mean"] * row["visits"] == pytest.approx(wins) or not row["visits"]
        if "amaf_visits" in (merged.moves.dtype.names or ()):
            assert row["amaf_visits"] == sum(r["amaf_visits"] for r in rows)
    assert merged.nodes == sum(part.nodes for part in parts)
    assert not {"score", "beta"} & set(merged.moves.dtype.names or ())


def test_one_worker_is_a_search_with_the_first_spawned_seed() -> None:
    b = po.Breakthrough(5)
    for method in METHODS:
        merged = po.search(b, method, playouts=500, seed=9, executor=Serial(), workers=1)
        (seed,) = np.random.SeedSequence(9).spawn(1)
        alone = po.search(b, method, playouts=500, seed=seed)
        assert merged.move == alone.move
        assert merged.value == alone.value
        assert merged.pv == alone.pv


def test_seeds_are_not_used_up() -> None:
    sequence = np.random.SeedSequence(4, spawn_key=(2,))
    sequence.spawn(3)
    results = [
        po.search(po.Breakthrough(5), playouts=200, seed=sequence, executor=Serial())
        for _ in range(3)
    ]
    assert sequence.n_children_spawned == 3
    assert len({facts(result) for result in results}) == 1
    fresh = np.random.SeedSequence(4, spawn_key=(2,))
    again = po.search(po.Breakthrough(5), playouts=200, seed=fresh, executor=Serial())
    assert facts(again) == facts(results[0])


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_few_playouts(method: po.Method) -> None:
    """There are at most as many workers as playouts."""
    result = po.search(po.Breakthrough(), method, playouts=3, seed=1, executor=Serial(), workers=8)
    assert result.playouts == result.moves["visits"].sum() == 3


@pytest.mark.parametrize(
    ("method", "stream"), [(po.Flat, 22), (po.AMAF, 1), (po.UCB, 0), (po.UCT, 0)]
)
def test_ties_are_drawn_from_the_searchs_own_stream(
    method: Callable[..., po.Method], stream: int
) -> None:
    b = po.Breakthrough()
    ties = 0
    for seed in range(30):
        settings: dict[str, Any] = {"playouts": 40, "seed": seed, "executor": Serial()}
        result = po.search(b, method(), **settings)
        names = {po.Flat: ["mean"], po.AMAF: ["amaf_mean"]}.get(method, ["visits", "mean"])
        rows = result.moves[names].tolist()
        best = {m for m, row in zip(result.moves["move"].tolist(), rows) if row == rows[0]}
        tied = [move for move in b.legal_moves if move in best]
        drawn = SFC64(seed, stream).below(len(tied)) if len(tied) > 1 else 0
        assert result.move == tied[drawn]
        assert po.search(b, method(ties="first"), **settings).move == tied[0]
        ties += len(tied) > 1
    assert ties > 0


def test_other_limits() -> None:
    b = po.Breakthrough(5)
    with ThreadPoolExecutor(2) as pool:
        timed = po.search(b, "rave", seconds=0.05, executor=pool, workers=2)
        assert timed.reason == "seconds"
        assert timed.seconds < 1
        sure = po.search(b, "uct", until_sure=0.1, executor=pool, workers=2, seed=1)
        assert sure.reason == "sure"
        won = po.Breakthrough.from_fen("bb.b/...w/..../w... w")
        proven = po.search(won, "uct", playouts=10_000, executor=pool, solver=True, seed=1)
        assert (proven.reason, proven.value) == ("proven", 1.0)


def test_memory_is_shared_out() -> None:
    result = po.search(
        po.Breakthrough(), "rave", playouts=20_000, seed=1, executor=Serial(), memory="400kB"
    )
    assert result.bytes <= 400_000
    assert result.playouts == 20_000


def test_bad_arguments() -> None:
    b = po.Breakthrough(5)
    with pytest.raises(ValueError, match="workers must be a whole number from 1 to 65536, not 0"):
        po.search(b, playouts=10, executor=Serial(), workers=0)
    with pytest.raises(ValueError, match=r"threads= and executor= are two ways .* choose one"):
        po.search(b, playouts=10, executor=Serial(), threads=2)
    with pytest.raises(AttributeError, match="comes from an executor"):
        _ = po.search(b, playouts=10, executor=Serial()).tree


class Failing(Serial):
    """Its second task fails."""

    def __init__(self) -> None:
        self.given = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.given += 1
        if self.given == 2:
            future: Future[Any] = Future()
            future.set_exception(OSError("worker lost"))
            return future
        return super().submit(fn, *args, **kwargs)


def test_a_failure_of_a_worker_is_raised() -> None:
    with pytest.raises(OSError, match="worker lost"):
        po.search(po.Breakthrough(5), playouts=100, executor=Failing())


def test_a_failure_ends_the_other_workers() -> None:
    class Late(ThreadPoolExecutor):
        given = 0

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            self.given += 1
            if self.given < 3:
                return super().submit(fn, *args, **kwargs)
            time.sleep(0.1)
            raise OSError("no more room")

    began = time.perf_counter()
    with Late(2) as pool, pytest.raises(OSError, match="no more room"):
        po.search(po.Breakthrough(), "uct", seconds=60, executor=pool)
    assert time.perf_counter() - began < 10


# Lost workers


class Losing(Serial):
    """Some jobs are lost, and from job number `broken_from` on it refuses jobs."""

    def __init__(self, lost: set[int], broken_from: int = 99) -> None:
        self.lost, self.broken_from, self.given = lost, broken_from, 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.given += 1
        if self.given >= self.broken_from:
            raise BrokenProcessPool("not usable anymore")
        if self.given not in self.lost:
            return super().submit(fn, *args, **kwargs)
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("terminated abruptly"))
        return future


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize(
    ("executor", "parts"),
    [
        (lambda: Losing({2}), r"\[2\]"),
        (lambda: Losing({1, 4}), r"\[1, 4\]"),
        (lambda: Losing({1, 2, 3, 4}), r"\[1, 2, 3, 4\]"),
        (lambda: Losing({2}, broken_from=4), r"\[2, 4\]"),
    ],
)
def test_lost_parts_are_searched_again(
    method: po.Method, executor: Callable[[], Executor], parts: str
) -> None:
    settings: dict[str, Any] = {"playouts": 1003, "seed": 5, "workers": 4}
    whole = po.search(po.Breakthrough(5), method, executor=Serial(), **settings)
    with pytest.warns(RuntimeWarning, match=rf"of 4 parts .* were lost: {parts} .*process"):
        mended = po.search(po.Breakthrough(5), method, executor=executor(), **settings)
    assert facts(mended) == facts(whole)


def test_parts_that_the_clock_limits_are_not_searched_again() -> None:
    for limits in ({"seconds": 0.01}, {"seconds": 0.01, "playouts": 10**6}):
        with pytest.raises(BrokenProcessPool, match="terminated abruptly") as caught:
            po.search(po.Breakthrough(5), executor=Losing({2, 3}), **limits)
        (note,) = caught.value.__notes__
        assert "of 4 parts of this call these were lost: [2, 3]. With seconds=" in note


def test_an_executor_that_is_broken_already_is_refused() -> None:
    with pytest.raises(BrokenProcessPool, match="not usable anymore"):
        po.search(po.Breakthrough(5), playouts=100, executor=Losing(set(), broken_from=1))


def test_a_worker_is_killed() -> None:
    """A real worker process is killed during its part."""
    settings: dict[str, Any] = {"playouts": 2_000_000, "seed": 1, "workers": 2}
    pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    pids = {pool.submit(os.getpid).result() for _ in range(20)}
    killing = threading.Timer(0.2, os.kill, (min(pids), signal.SIGKILL))
    with pool:
        killing.start()
        with pytest.warns(RuntimeWarning, match="of 2 parts of this call these were lost"):
            mended = po.search(po.Breakthrough(5), "flat", executor=pool, **settings)
    assert facts(mended) == facts(
        po.search(po.Breakthrough(5), "flat", executor=Serial(), **settings)
    )


# Ctrl-C

INTERRUPTED = """
import multiprocessing, os, signal, threading, time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
import playout as po

def interrupt():
    global interrupted
    interrupted = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)

if __name__ == "__main__":
    with {pool} as pool:
        list(pool.map(abs, range(10)))  # all workers have started
        threading.Timer(0.2, interrupt).start()
        try:
            po.search(po.Breakthrough(), "uct", seconds=60, executor=pool, workers=6)
        except KeyboardInterrupt:
            pass
        answered = time.perf_counter() - interrupted
    idle = time.perf_counter() - interrupted
    print("answered" if answered < 0.5 else "late", "idle" if idle < 2 else "busy")
"""
POOLS = [
    "ThreadPoolExecutor(2)",
    *(f"ProcessPoolExecutor(2, multiprocessing.get_context({start!r}))" for start in STARTS),
]


@pytest.mark.serial
@pytest.mark.traced_slowly
@pytest.mark.parametrize("pool", POOLS)
def test_ctrl_c_ends_all_workers(pool: str, tmp_path: Path) -> None:
    """Only this process gets Ctrl-C. The pool ends when its workers are idle."""
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED.format(pool=pool))
    run = f"import runpy; runpy.run_path({str(script)!r}, run_name='__main__')"
    with TemporaryDirectory() as folder:  # tmp_path may be too long for a forkserver's socket
        ended = run_python(run, TMPDIR=folder)
        assert (ended.returncode, ended.stdout) == (0, "answered idle\n"), ended.stderr
        assert not list(Path(folder).glob("playout-*"))


ABANDONED = """
import multiprocessing, threading, time
from concurrent.futures import ProcessPoolExecutor
import playout as po

if __name__ == "__main__":
    pool = ProcessPoolExecutor(2, multiprocessing.get_context({start!r}))
    for future in [pool.submit(time.sleep, 0.1) for _ in range(2)]:
        future.result()
    print(*pool._processes, flush=True)
    po.search(po.Breakthrough(), "uct", seconds=60, executor=pool, workers=3)
"""


def processor_time(pids: list[int]) -> int:
    """The processor time of some processes, in ticks."""
    texts = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(fields[11]) + int(fields[12]) for fields in texts)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize("start", STARTS)
def test_workers_of_a_dead_process_stop(start: str, tmp_path: Path) -> None:
    """Workers end when their parent is killed, also with a job waiting."""
    script = tmp_path / "script.py"
    script.write_text(ABANDONED.format(start=start))
    searching = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert searching.stdout is not None
    try:
        pids = [int(pid) for pid in searching.stdout.readline().split()]
        assert len(pids) == 2
        begun = processor_time(pids)
        while processor_time(pids) < begun + 20:
            time.sleep(0.05)
        searching.kill()
        searching.wait()
        deadline = time.monotonic() + 5
        before = None
        while (now := processor_time(pids)) != before:  # until they use no processor time
            assert time.monotonic() < deadline
            before = now
            time.sleep(0.5)
    finally:
        searching.stdout.close()
        os.killpg(searching.pid, signal.SIGKILL)


def test_workers_that_get_too_little_memory() -> None:
    with (
        ThreadPoolExecutor(1) as pool,
        pytest.raises(ValueError, match=r"2000 workers share memory=.* or fewer workers="),
    ):
        po.search(po.Othello(), playouts=4000, executor=pool, workers=2000, memory=65536)


class InterruptedFuture(Future[Any]):
    """Raises what `result` raises when Ctrl-C comes inside Condition.wait."""

    def result(self, timeout: float | None = None) -> Any:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise RuntimeError("cannot release un-acquired lock")  # noqa: B904


class InterruptedExecutor(Executor):
    def submit(self, *call: Any, **options: Any) -> Any:
        return InterruptedFuture()


def test_ctrl_c_while_a_future_begins_to_wait() -> None:
    with pytest.raises(KeyboardInterrupt):
        po.search(po.Breakthrough(5), playouts=100, executor=InterruptedExecutor(), workers=2)
