"""Running searches with playouts, at once or with snapshots, and reading their results."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, cast

from mcts_core.errors import BadMethod
from mcts_core.search.driver import Driver
from playout.arguments import number, whole_number
from playout.request import Request
from playout.result import Result, found_in
from playout.task import MOST_PLAYOUTS, Limits, Task

if TYPE_CHECKING:
    from playout.method import Method
    from playout.parallel import Gathering


class PlayoutRun:
    """A search with playouts, for `playout.search` and `playout.analysis`."""

    def __init__(self, method: Method, request: Request) -> None:
        if request.nodes is not None:
            raise BadMethod(f"nodes= limits alpha-beta; for {method!r} use playouts= or seconds=")
        self.limits = Limits.checked(request.playouts, request.seconds, request.until_sure)
        self.task = Task.checked(
            request.position,
            method,
            seed=request.seed,
            threads=request.threads,
            memory=request.memory,
            policy=request.policy,
            rewards=request.rewards,
            solver=request.solver,
        )
        self.executor, self.workers = request.executor, request.workers
        self.interval, self.every = request.interval, request.every
        self._engine: Driver | None = None  # from the beginning of the search
        self._gathering: Gathering | None = None  # the same on an executor
        self._began = 0.0
        if self.interval is not None:
            self.interval = number("interval", self.interval, 0.0, above=True)
        if self.every is not None:
            every = whole_number("every", self.every, 1, MOST_PLAYOUTS)
            self.every, self.interval = self.task.whole_flights(every), None

    def result(self) -> Result:
        """Search to the end, on the executor if there is one."""
        if self.executor is not None:
            from playout.parallel import Gathering  # imported here: it is slow

            self._gathering = Gathering(self.task, self.limits, self.executor, self.workers)
            return self._gathering.result()
        limits, self._began = self.limits, perf_counter()
        self._engine = engine = self.task.engine(limits.playouts)
        reason = engine.run(limits.playouts, limits.seconds, limits.until_sure, self.task.threads)
        return self._found(reason)

    def kept(self) -> Result | None:
        """The result so far, after Ctrl-C."""
        if self._gathering is not None:
            return self._gathering.kept()
        return None if self._engine is None else self._found("interrupted")

    def _found(self, reason: str) -> Result:
        assert self._engine is not None
        seconds = perf_counter() - self._began
        return result_of(self.task, self._engine, reason, self._engine.playouts, seconds)

    def results(self) -> Iterator[Result]:
        """Search and yield snapshots."""
        if self.executor is not None:
            if self.every is not None:
                raise ValueError(
                    "every= counts the playouts of one tree, and workers of an executor have one "
                    "each: use interval="
                )
            from playout.parallel import Gathering  # imported here: it is slow

            gathering = Gathering(self.task, self.limits, self.executor, self.workers)
            return gathering.results(cast(float, self.interval))
        self._engine = self.task.engine(self.limits.playouts)
        return self._snapshots(self._engine)

    def stop(self) -> None:
        """End the search soon, from another thread."""
        if self._engine is not None:
            self._engine.stop()

    def _snapshots(self, engine: Driver) -> Iterator[Result]:
        task = self.task
        for reason, elapsed in slices(engine, self.limits, task.threads, self.interval, self.every):
            yield result_of(task, engine, reason, engine.playouts, elapsed)


def slices(
    engine: Driver,
    limits: Limits,
    threads: int,
    interval: float | None,
    every: int | None = None,
    stops: int | None = None,
) -> Iterator[tuple[str, float]]:
    """Run in slices, each to the next snapshot or limit, until a limit is met.

    After each slice yields the seconds so far with "running", or after the last with the reason why
    it ended.
    """
    began = perf_counter()
    while True:
        target, pause = limits.playouts, interval
        if every is not None:
            target = min(engine.playouts + every, limits.playouts or MOST_PLAYOUTS)
        if limits.seconds is not None:
            left = limits.seconds - (perf_counter() - began)
            pause = left if pause is None else min(left, pause)
        reason = engine.run(target, pause, limits.until_sure, threads, stops)
        elapsed = perf_counter() - began
        if _has_ended(reason, limits, engine, elapsed):
            break
        yield "running", elapsed
    yield reason, elapsed


def _has_ended(reason: str, limits: Limits, engine: Driver, elapsed: float) -> bool:
    """Whether a search has ended, and not only a slice."""
    if reason == "playouts":
        return engine.playouts >= (limits.playouts or MOST_PLAYOUTS)
    if reason == "seconds":
        return limits.seconds is not None and elapsed >= limits.seconds
    return True


def result_of(task: Task, engine: Driver, reason: str, playouts: int, seconds: float) -> Result:
    """The result of an engine. While it is running, ties are not drawn: that would change it."""
    with engine.lock:  # so that no other thread moves the root meanwhile
        rows = engine.root()
        order = engine.ranking(rows)
        chosen = order[0] if reason == "running" else engine.choose(rows)
        line = engine.pv(chosen)
        nodes, size = engine.nodes, engine.bytes
    return Result(
        position=task.position.copy(),  # the user may push moves
        method=task.method,
        playouts=playouts,
        seconds=seconds,
        seed=task.seed,
        reason=reason,
        pv=task.position.line(line),
        nodes=nodes,
        bytes=size,
        _reader=engine.entry if task.method.grows_tree else None,
        **found_in(task, engine, rows, [chosen, *order], task.columns),
    )
