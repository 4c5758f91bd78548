"""Work in parts on any `concurrent.futures.Executor`: threads, processes, a Dask cluster.

Ctrl-C in this process creates a stop file, for which workers of the same machine check regularly.
Workers on other machines never see it, and work to the end of their part.
"""

from __future__ import annotations

import os
import sys
import tempfile
import uuid
import warnings
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_EXCEPTION, BrokenExecutor, Executor, Future, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from mcts_core.errors import shown
from playout.arguments import whole_number

Job = TypeVar("Job")
Part = TypeVar("Part")

MOST_WORKERS = 2**16


def checked(executor: Executor, workers: int) -> int:
    """The number of workers. Raises if the executor is none."""
    if not callable(getattr(executor, "submit", None)):
        raise ValueError(
            "executor must be a concurrent.futures.Executor, such as ThreadPoolExecutor(4), "
            f"not {shown(executor)}"
        )
    return whole_number("workers", workers, 1, MOST_WORKERS)


def new_stop_file() -> str:
    """A path that no other call uses."""
    try:
        folder = tempfile.gettempdir()
    except FileNotFoundError:  # no folder is writable: workers cannot be stopped
        folder = ""
    return os.path.join(folder, f"playout-stop-{uuid.uuid4().hex}")


Gathered: TypeAlias = Generator[list[Part] | None, None, None]
"""Yields None while it waits, and the parts in the end."""


def last(work: Gathered[Part]) -> list[Part]:
    """What such a generator yields in the end."""
    parts = None
    while parts is None:
        parts = next(work)
    return parts


def gathered(
    function: Callable[[Job], Part],
    jobs: Sequence[Job],
    executor: Executor,
    futures: list[Future[Part]],
    **how: Any,
) -> list[Part]:
    """What a function gives for each job, in their order: `gathering` without a pause."""
    return last(gathering(function, jobs, executor, futures, **how))


def gathering(
    function: Callable[[Job], Part],
    jobs: Sequence[Job],
    executor: Executor,
    futures: list[Future[Part]],
    *,
    stop_file: str | None = None,
    irreplaceable: str = "",
    is_enough: Callable[[Part], bool] = lambda part: False,
    pause: float | None = None,
) -> Gathered[Part]:
    """Yield what a function gives for each job, in their order. `futures` is filled with theirs.

    With a `pause`, in seconds, it yields None each time it has waited that long. If a part fails,
    at Ctrl-C, or if the generator is closed, the others are cancelled or stopped. Parts that are
    lost with a worker are done again in this process, unless `irreplaceable` says why not. After a
    part that `is_enough`, those that follow are left out.
    """
    try:
        futures.append(executor.submit(function, jobs[0]))  # raises if the executor is broken
        for job in jobs[1:]:
            futures.append(_submitted(function, job, executor))
        while pause is not None and _go_on(futures, pause):
            yield None
        faults = _faults(futures, is_enough)
    except BaseException as error:
        end(futures, stop_file)
        if isinstance(error.__context__, KeyboardInterrupt):
            # Ctrl-C inside Condition.wait can become a RuntimeError about its lock.
            raise KeyboardInterrupt from None
        raise
    if len(faults) < len(jobs):
        end(futures[len(faults) :], stop_file)
    if any(faults):
        _accept_loss(faults, irreplaceable)
    yield [
        future.result() if fault is None else function(job)
        for job, future, fault in zip(jobs, futures, faults, strict=False)
    ]


def _go_on(futures: list[Future[Part]], pause: float) -> bool:
    """Wait, at most for the pause. Whether some parts still run and none has failed."""
    done, running = wait(futures, timeout=pause, return_when=FIRST_EXCEPTION)
    return bool(running) and all(future.exception() is None for future in done)


def _submitted(function: Callable[[Job], Part], job: Job, executor: Executor) -> Future[Part]:
    """The job's future; a failed one if the executor has broken since the first job."""
    try:
        return executor.submit(function, job)
    except BrokenExecutor as fault:
        lost: Future[Part] = Future()
        lost.set_exception(fault)
        return lost


def _faults(
    futures: list[Future[Part]], is_enough: Callable[[Part], bool]
) -> list[BrokenExecutor | None]:
    """For each part the executor's error if it was lost because a worker died, else None."""
    faults: list[BrokenExecutor | None] = []
    for future in futures:
        try:
            part = future.result()
        except BrokenExecutor as fault:
            faults.append(fault)
            continue
        faults.append(None)
        if is_enough(part):
            break
    return faults


def _accept_loss(faults: list[BrokenExecutor | None], irreplaceable: str) -> None:
    """Warn that lost parts are done again, or raise the error."""
    lost = [number for number, fault in enumerate(faults, start=1) if fault is not None]
    fault = next(fault for fault in faults if fault is not None)
    parts = f"of {len(faults)} parts of this call these were lost: {shown(lost)}"
    if irreplaceable:
        fault.add_note(f"{parts}. {irreplaceable}")
        raise fault
    warnings.warn(
        f"{parts} ({fault}). They are done again in this process, one after the other, and the "
        "result is the same; the next call may need a new executor.",
        RuntimeWarning,
        stacklevel=_frames_inside(),
    )


def _frames_inside() -> int:
    """The level, for `warnings.warn`, of the caller of the public function."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals["__name__"].startswith("playout."):
        frame, level = frame.f_back, level + 1
    return level


def end(futures: Sequence[Future[Any]], stop_file: str | None) -> None:
    """Cancel the jobs that have not begun, and stop the others by the file until all have ended."""
    running = [future for future in futures if not future.cancel() and not future.done()]
    if stop_file is None:
        return

    def remove(_: Future[Any]) -> None:
        if all(future.done() for future in running):
            Path(stop_file).unlink(missing_ok=True)

    with suppress(OSError):  # if it cannot be written, workers go on to their limit
        if running:
            Path(stop_file).touch()
    for future in running:
        future.add_done_callback(remove)
