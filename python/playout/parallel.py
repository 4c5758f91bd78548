"""Root-parallel search: independent searches on an executor, their statistics added up.

Every worker has its own seed, spawned from the search's seed, and the results are merged in the
order of the workers. So the result depends neither on the executor nor on which worker finishes
first.

A limit in seconds is a time by the clock, so it holds also if there are more workers than the
executor has room for: those that begin too late search next to nothing. The clocks of a cluster
must agree.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter, time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod
from mcts_core.position import Moves, Position
from mcts_core.rng import seed_sequence
from mcts_core.search.driver import Driver
from playout.arguments import LEAST_MEMORY
from playout.executors import Gathered, checked, gathering, last, new_stop_file
from playout.result import Result, found_in
from playout.running import slices
from playout.task import Limits, Task

# By priority: the first that a part has is that of the whole
REASONS = ("running", "interrupted", "proven", "stopped", "playouts", "seconds", "sure")
COUNTERS = (
    *("visits", "wins", "squares", "amaf_visits", "amaf_wins"),
    *("recent_wins", "recent_visits", "recent_squares"),
)
ITS_OWN = ("score", "beta", "minimax")  # columns that sums of several searches do not have
IRREPLACEABLE = (
    "With seconds= they are not made up for: search again with a new executor, or limit the search "
    "by playouts= alone."
)
PATIENCE = 5.0  # seconds to wait for workers that were stopped
PAUSE = 0.1  # seconds between two checks of a worker whether to stop; larger delays Ctrl-C


class Job(NamedTuple):
    """One worker's search: plain data, to be pickled."""

    task: Task
    limits: Limits
    origin: int  # the id of the process that started the search
    stop_file: str  # the worker stops when a file with this path exists
    ends_at: float | None  # by the clock, also for a worker that begins late
    interval: float | None = None  # seconds between two reports; None: there are none
    report: str = ""  # the file that has the last one


class Part(NamedTuple):
    """What one worker found."""

    rows: NDArray[np.void]
    lines: list[list[int]]  # the principal variation after each move of the root
    playouts: int
    nodes: int
    bytes: int
    reason: str


class Gathering:
    """The search of a task by `workers` independent workers."""

    def __init__(self, task: Task, limits: Limits, executor: Executor, workers: int) -> None:
        self._jobs = jobs_of(task, limits, _checked(task, executor, workers))
        self._task, self._limits, self._executor = task, limits, executor
        self._futures: list[Future[Part]] = []
        self._began = perf_counter()

    def result(self) -> Result:
        """Search to the end."""
        return self._merged(last(self._work(self._jobs)))

    def _work(self, jobs: list[Job], pause: float | None = None) -> Gathered[Part]:
        return gathering(
            run_job,
            jobs,
            self._executor,
            self._futures,
            stop_file=jobs[0].stop_file,
            irreplaceable=IRREPLACEABLE if self._limits.seconds is not None else "",
            pause=pause,
        )

    def results(self, interval: float) -> Iterator[Result]:
        """Search, and about every `interval` seconds yield what the workers have reported so far.

        Workers on other machines report only when they have ended.
        """
        with tempfile.TemporaryDirectory(prefix="playout-", ignore_cleanup_errors=True) as folder:
            jobs = [
                job._replace(interval=interval, report=os.path.join(folder, str(number)))
                for number, job in enumerate(self._jobs)
            ]
            work = self._work(jobs, interval)
            with closing(work):
                while (parts := next(work)) is None:
                    reported = [part for part in map(_reported, jobs) if part is not None]
                    if reported:
                        yield self._merged(reported)
        yield self._merged(parts)

    def kept(self) -> Result | None:
        """What the workers have found, after Ctrl-C: they end soon, except on other machines."""
        wait(self._futures, timeout=PATIENCE)
        ended = [future for future in self._futures if future.done() and not future.cancelled()]
        parts = [future.result() for future in ended if future.exception() is None]
        if not parts:
            return None
        return self._merged([part._replace(reason="interrupted") for part in parts])

    def _merged(self, parts: list[Part]) -> Result:
        return _merged(self._task, parts, perf_counter() - self._began)


def _checked(task: Task, executor: Executor, workers: int) -> int:
    """The number of workers, if the task can be searched by them."""
    workers = checked(executor, workers)
    if not task.method.is_random:
        raise BadMethod(
            f"{task.method!r} plays nothing at random, so all workers would search the same tree: "
            "use threads= instead of executor="
        )
    if task.threads > 1:
        raise ValueError("threads= and executor= are two ways to search in parallel: choose one")
    return workers


def jobs_of(task: Task, limits: Limits, workers: int) -> list[Job]:
    """The workers' shares: seeds spawned from the search's, playouts and memory divided."""
    parent, stop_file = seed_sequence(task.seed), new_stop_file()
    ends_at = None if limits.seconds is None else time() + limits.seconds
    if limits.playouts is not None:
        workers = min(workers, limits.playouts)
    if task.method.grows_tree and task.memory < workers * LEAST_MEMORY:
        raise ValueError(
            f"{workers} workers share memory=, and each needs {LEAST_MEMORY} bytes: "
            f"give {workers * LEAST_MEMORY} bytes or more, or fewer workers="
        )
    # A fresh copy, because spawning changes a SeedSequence, and this one is the caller's.
    copy = np.random.SeedSequence(
        parent.entropy, spawn_key=parent.spawn_key, pool_size=parent.pool_size
    )
    part = replace(task, memory=task.memory // workers)
    return [
        Job(part.seeded(child), _share(limits, workers, number), os.getpid(), stop_file, ends_at)
        for number, child in enumerate(copy.spawn(workers))
    ]


def _share(limits: Limits, workers: int, number: int) -> Limits:
    if limits.playouts is None:
        return limits
    playouts = limits.playouts // workers + (number < limits.playouts % workers)
    return Limits(playouts, limits.seconds, limits.until_sure)


@contextmanager
def _stopped_when_unwanted(engine: Driver, job: Job) -> Iterator[None]:
    """Stop the engine when the stop file exists or the searching process has ended."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(PAUSE):
            if os.path.exists(job.stop_file) or _has_lost(job.origin):
                engine.stop()
                break

    watcher = threading.Thread(target=watch, name="playout-stop", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _has_lost(origin: int) -> bool:
    """Whether that process started this one and has ended since."""
    parent = multiprocessing.parent_process()
    if parent is None or parent.pid != origin or os.name != "posix":  # on Windows, kill ends it
        return False
    try:
        os.kill(origin, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


def run_job(job: Job) -> Part:
    """Run a worker's search, in any process."""
    engine = job.task.engine(job.limits.playouts)
    with _stopped_when_unwanted(engine, job):
        limits, seconds = job.limits, job.limits.seconds
        if seconds is not None and job.ends_at is not None:
            limits = replace(limits, seconds=min(seconds, max(0.0, job.ends_at - time())))
        # stops=0: a stop before the run begins counts too.
        for reason, _ in slices(engine, limits, 1, job.interval, stops=0):
            if reason == "running":
                _report(job, _part(engine, reason))
    return _part(engine, reason)


def _part(engine: Driver, reason: str) -> Part:
    rows = engine.root()
    return Part(
        rows=rows,
        lines=[engine.pv(index) if n else [] for index, n in enumerate(rows["visits"].tolist())],
        playouts=engine.playouts,
        nodes=engine.nodes,
        bytes=engine.bytes,
        reason=reason,
    )


def _report(job: Job, part: Part) -> None:
    """Write a worker's report, if its folder is on this machine and still there."""
    with suppress(OSError):
        fresh = Path(f"{job.report}.new")
        fresh.write_bytes(pickle.dumps(part))
        fresh.replace(job.report)


def _reported(job: Job) -> Part | None:
    """A worker's last report; None if there is none yet."""
    try:
        part: Part = pickle.loads(Path(job.report).read_bytes())
    except OSError:
        return None
    return part


def _merged(task: Task, parts: list[Part], seconds: float) -> Result:
    """Merge the parts into one result. An engine that never runs makes the final choice."""
    playouts = sum(part.playouts for part in parts)
    engine = task.engine(playouts)
    rows = added_up([part.rows for part in parts])
    chosen = engine.choose(rows)
    columns = tuple(name for name in task.columns if name not in ITS_OWN)
    found = found_in(task, engine, rows, [chosen, *engine.ranking(rows)], columns)
    return Result(
        position=task.position,
        method=task.method,
        pv=_line(task.position, parts, chosen) or Moves([found["move"]]),
        playouts=playouts,
        seconds=seconds,
        seed=task.seed,
        reason=next(reason for reason in REASONS if any(part.reason == reason for part in parts)),
        nodes=sum(part.nodes for part in parts),
        bytes=sum(part.bytes for part in parts),
        **found,
    )


def added_up(parts: list[NDArray[np.void]]) -> NDArray[np.void]:
    """Add up the counters in the order of the parts, and intersect the bounds."""
    total = parts[0].copy()
    for name in COUNTERS:
        for part in parts[1:]:
            total[name] += part[name]
    total["low"] = np.max([part["low"] for part in parts], axis=0)
    total["high"] = np.min([part["high"] for part in parts], axis=0)
    return total


def _line(position: Position, parts: list[Part], chosen: int) -> Moves:
    """The principal variation of the worker that visited the chosen move most."""
    most = max(parts, key=lambda part: int(part.rows["visits"][chosen]))
    return position.line(most.lines[chosen])
