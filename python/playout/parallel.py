"""Root-parallel search: independent searches on an executor, their statistics added up.

Every worker has a seed of its own, spawned from the search's seed, and the results are merged in
the workers' order, so that the outcome depends on neither the executor nor on who finishes first.
"""

from __future__ import annotations

import itertools
import os
import threading
from concurrent.futures import Executor, Future
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from mcts_core.errors import shown
from mcts_core.position import Moves, Position
from mcts_core.tree import TreeSearch
from playout.arguments import whole_number
from playout.columns import Columns
from playout.ranking import choose, criterion, ranking
from playout.result import Result, line_from, statistics
from playout.task import Engine, Limits, Task, columns_of, engine_of

MOST_WORKERS = 2**16
REASONS = ("proven", "stopped", "playouts", "seconds", "sure")  # the first of those met is told
COUNTERS = ("visits", "wins", "squares", "amaf_visits", "amaf_wins")
RECENT = ("recent_wins", "recent_visits", "recent_squares")


class Job(NamedTuple):
    """One worker's search: plain data, to be pickled."""

    position: Position
    options: dict[str, Any]
    sequence: np.random.SeedSequence
    limits: Limits
    group: tuple[int, int]  # the process and the number of the whole search


class Part(NamedTuple):
    """What one worker found."""

    columns: Columns
    lines: list[list[int]]  # the principal variation behind each move of the root
    playouts: int
    nodes: int
    bytes: int
    reason: str


def search(task: Task, limits: Limits, executor: Executor, workers: int) -> Result:
    """The search of a task by `workers` independent workers."""
    workers = whole_number("workers", workers, 1, MOST_WORKERS)
    if not callable(getattr(executor, "submit", None)):
        raise ValueError(
            "executor must be a concurrent.futures.Executor, such as ThreadPoolExecutor(4), "
            f"not {shown(executor)}"
        )
    if task.threads > 1:
        raise ValueError("threads= and executor= are two ways to search in parallel: choose one")
    began = perf_counter()
    parts = _run(jobs_of(task, limits, workers), executor)
    return _merged(task, parts, perf_counter() - began)


_numbers = itertools.count()


def jobs_of(task: Task, limits: Limits, workers: int) -> list[Job]:
    """The workers' shares: seeds spawned from the search's, playouts and memory divided."""
    parent, group = task.sequence, (os.getpid(), next(_numbers))
    if limits.playouts is not None:
        workers = min(workers, limits.playouts)
    # A fresh copy, so that the caller's SeedSequence is not used up by spawning from it.
    copy = np.random.SeedSequence(
        parent.entropy, spawn_key=parent.spawn_key, pool_size=parent.pool_size
    )
    options = task.options()
    if "memory" in options:
        options["memory"] //= workers
    return [
        Job(task.position, options, sequence, _share(limits, workers, number), group)
        for number, sequence in enumerate(copy.spawn(workers))
    ]


def _share(limits: Limits, workers: int, number: int) -> Limits:
    if limits.playouts is None:
        return limits
    playouts = limits.playouts // workers + (number < limits.playouts % workers)
    return Limits(playouts, limits.seconds, limits.until_sure)


def _run(jobs: list[Job], executor: Executor) -> list[Part]:
    """All parts in the jobs' order; if one fails, or at Ctrl-C, the others are told to end."""
    futures: list[Future[Part]] = []
    try:
        futures += [executor.submit(run_job, job) for job in jobs]
        return [future.result() for future in futures]
    except BaseException:
        for future in futures:
            future.cancel()
        _running.stop(jobs[0].group)
        raise


class _Running:
    """The engines at work in this process, by the search they belong to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engines: dict[tuple[int, int], list[Engine]] = {}

    def add(self, group: tuple[int, int], engine: Engine) -> None:
        with self._lock:
            self._engines.setdefault(group, []).append(engine)

    def remove(self, group: tuple[int, int], engine: Engine) -> None:
        with self._lock:
            self._engines[group].remove(engine)
            if not self._engines[group]:
                del self._engines[group]

    def stop(self, group: tuple[int, int]) -> None:
        with self._lock:
            for engine in self._engines.get(group, []):
                engine.stop()


_running = _Running()


def run_job(job: Job) -> Part:
    """What a worker does, wherever it is."""
    engine = engine_of(job.position, job.options, job.sequence)
    _running.add(job.group, engine)
    try:
        reason = engine.run(job.limits.playouts, job.limits.seconds, job.limits.until_sure, 1)
    finally:
        _running.remove(job.group, engine)
    columns = columns_of(engine, job.options.get("solver", False))
    tree = engine if isinstance(engine, TreeSearch) else None
    visits = columns["visits"].tolist()
    return Part(
        columns=columns,
        lines=[tree.pv(index) if tree and n else [] for index, n in enumerate(visits)],
        playouts=engine.playouts,
        nodes=tree.nodes if tree else 0,
        bytes=tree.bytes if tree else 0,
        reason=reason,
    )


def _merged(task: Task, parts: list[Part], seconds: float) -> Result:
    """The parts as one result, without beta and score: those belong to a search that goes on."""
    columns = added_up([part.columns for part in parts])
    keys = criterion(task.method, columns, task.position.turn)
    chosen = choose(task.method, keys, task.sequence)
    found = statistics(task.position, task.method, columns, chosen, ranking(keys))
    return Result(
        position=task.position,
        method=task.method,
        pv=_line(task.position, parts, chosen) or Moves([found["move"]]),
        playouts=sum(part.playouts for part in parts),
        seconds=seconds,
        seed=task.seed,
        reason=next(reason for reason in REASONS if any(part.reason == reason for part in parts)),
        nodes=sum(part.nodes for part in parts),
        bytes=sum(part.bytes for part in parts),
        **found,
    )


def added_up(parts: list[Columns]) -> Columns:
    """Counters summed in the parts' order; bounds intersected, as each worker's are certain."""
    total = {"raw": parts[0]["raw"]}
    for name in COUNTERS + RECENT:
        if name in parts[0]:
            total[name] = parts[0][name].copy()
            for part in parts[1:]:
                total[name] += part[name]
    if "low" in parts[0]:
        total["low"] = np.max([part["low"] for part in parts], axis=0)
        total["high"] = np.min([part["high"] for part in parts], axis=0)
    return total


def _line(position: Position, parts: list[Part], chosen: int) -> Moves:
    """The principal variation of the worker that visited the chosen move most."""
    most = max(parts, key=lambda part: int(part.columns["visits"][chosen]))
    return line_from(position, most.lines[chosen])
