"""Root-parallel search: independent searches on an executor, their statistics added up.

Every worker has its own seed, spawned from the search's seed, and the results are merged in the
order of the workers. So the result depends neither on the executor nor on which worker finishes
first.

Ctrl-C in this process creates a stop file, for which workers in other processes check regularly.
Workers on other machines never see it, and search to their limit.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import threading
import uuid
import warnings
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Moves, Position
from mcts_core.rng import seed_sequence
from mcts_core.search.driver import Driver
from playout.arguments import LEAST_MEMORY, whole_number
from playout.result import Result, found_in
from playout.task import Limits, Task

MOST_WORKERS = 2**16
REASONS = ("interrupted", "proven", "stopped", "playouts", "seconds", "sure")  # by priority
COUNTERS = (
    *("visits", "wins", "squares", "amaf_visits", "amaf_wins"),
    *("recent_wins", "recent_visits", "recent_squares"),
)
ITS_OWN = ("score", "beta", "minimax")  # columns that sums of several searches do not have
PATIENCE = 5.0  # seconds to wait for workers that were stopped
PAUSE = 0.1  # seconds between two checks of a worker whether to stop; larger delays Ctrl-C


class Job(NamedTuple):
    """One worker's search: plain data, to be pickled."""

    task: Task
    limits: Limits
    origin: int  # the id of the process that started the search
    stop_file: str  # the worker stops when a file with this path exists


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
        self._task, self._executor = task, executor
        self._futures: list[Future[Part]] = []
        self._began = perf_counter()

    def result(self) -> Result:
        """Search to the end."""
        return self._merged(_run(self._jobs, self._executor, self._futures))

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
    workers = whole_number("workers", workers, 1, MOST_WORKERS)
    if not callable(getattr(executor, "submit", None)):
        raise ValueError(
            "executor must be a concurrent.futures.Executor, such as ThreadPoolExecutor(4), "
            f"not {shown(executor)}"
        )
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
    parent, stop_file = seed_sequence(task.seed), _new_stop_file()
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
        Job(part.seeded(child), _share(limits, workers, number), os.getpid(), stop_file)
        for number, child in enumerate(copy.spawn(workers))
    ]


def _new_stop_file() -> str:
    """A path that no other search uses."""
    try:
        folder = tempfile.gettempdir()
    except FileNotFoundError:  # no folder is writable: workers cannot be stopped
        folder = ""
    return os.path.join(folder, f"playout-stop-{uuid.uuid4().hex}")


def _share(limits: Limits, workers: int, number: int) -> Limits:
    if limits.playouts is None:
        return limits
    playouts = limits.playouts // workers + (number < limits.playouts % workers)
    return Limits(playouts, limits.seconds, limits.until_sure)


def _run(jobs: list[Job], executor: Executor, futures: list[Future[Part]]) -> list[Part]:
    """All parts in the order of the jobs. If one fails, or at Ctrl-C, the others are stopped.

    `futures` is filled with theirs.
    """
    try:
        futures.append(executor.submit(run_job, jobs[0]))  # raises if the executor is broken
        for job in jobs[1:]:
            futures.append(_submitted(job, executor))
        faults = [_fault_of(future) for future in futures]
    except BaseException as error:
        _end(futures, jobs[0].stop_file)
        if isinstance(error.__context__, KeyboardInterrupt):
            # Ctrl-C inside Condition.wait can become a RuntimeError about its lock.
            raise KeyboardInterrupt from None
        raise
    if any(faults):
        _accept_loss(jobs, faults)
    return [
        future.result() if fault is None else run_job(job)
        for job, future, fault in zip(jobs, futures, faults, strict=True)
    ]


def _submitted(job: Job, executor: Executor) -> Future[Part]:
    """The job's future; a failed one if the executor has broken since the first job."""
    try:
        return executor.submit(run_job, job)
    except BrokenExecutor as fault:
        lost: Future[Part] = Future()
        lost.set_exception(fault)
        return lost


def _fault_of(future: Future[Part]) -> BrokenExecutor | None:
    """The executor's error if the part was lost because a worker died; else None."""
    try:
        future.result()
    except BrokenExecutor as fault:
        return fault
    return None


def _accept_loss(jobs: list[Job], faults: list[BrokenExecutor | None]) -> None:
    """Warn that lost parts are searched again. With a time limit, raise the error instead."""
    lost = [number for number, fault in enumerate(faults, start=1) if fault is not None]
    fault = next(fault for fault in faults if fault is not None)
    parts = f"of {len(jobs)} parts of this search these were lost: {shown(lost)}"
    if jobs[0].limits.seconds is not None:
        fault.add_note(
            f"{parts}. With seconds= they are not made up for: search again with a new executor, "
            "or limit the search by playouts= alone."
        )
        raise fault
    warnings.warn(
        f"{parts} ({fault}). They are searched in this process, one after the other, and the "
        "result is the same; the next search may need a new executor.",
        RuntimeWarning,
        stacklevel=5,  # blames the caller of playout.search
    )


def _end(futures: list[Future[Part]], stop_file: str) -> None:
    """Cancel the jobs that have not begun, and stop the others by the file until all have ended."""
    running = [future for future in futures if not future.cancel() and not future.done()]

    def remove(_: Future[Part]) -> None:
        if all(future.done() for future in running):
            Path(stop_file).unlink(missing_ok=True)

    with suppress(OSError):  # if it cannot be written, workers search to their limit
        if running:
            Path(stop_file).touch()
    for future in running:
        future.add_done_callback(remove)


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
        limits = job.limits
        # stops=0: a stop before the run begins counts too.
        reason = engine.run(limits.playouts, limits.seconds, limits.until_sure, 1, 0)
    rows = engine.root()
    return Part(
        rows=rows,
        lines=[engine.pv(index) if n else [] for index, n in enumerate(rows["visits"].tolist())],
        playouts=engine.playouts,
        nodes=engine.nodes,
        bytes=engine.bytes,
        reason=reason,
    )


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
