"""Exact results by root moves: each move's position is solved by a worker of an executor."""

from __future__ import annotations

import os
from concurrent.futures import Executor, Future
from time import perf_counter, time
from typing import Any, NamedTuple

from mcts_core.position import Moves, Position
from playout.executors import checked, gathered, new_stop_file
from playout.solving import Solution, best_first, solve

LEAST_SECONDS = 1e-6  # for a worker that begins after the end


class Job(NamedTuple):
    """One root move: plain data, to be pickled."""

    position: Position  # after the move
    mover: int  # who made it
    options: dict[str, Any]  # of `solve`
    ends_at: float | None  # by the clock
    stop_file: str  # the worker stops when a file with this path exists


class Part(NamedTuple):
    """What a root move is worth to the player who makes it; None: a limit was met."""

    value: float | None
    pv: tuple[str, ...]
    nodes: int
    bytes: int
    reason: str


class Stopped(Exception):
    """Another worker has found a win."""


def solve_by_moves(
    position: Position, executor: Executor, options: dict[str, Any], multi: bool
) -> Solution:
    """The result of a position, with a part for each of its moves; with `multi` all are solved."""
    checked(executor, 1)
    began, seconds, stop_file = perf_counter(), options["seconds"], new_stop_file()
    ends_at = None if seconds is None else time() + seconds
    moves = position.legal_moves
    jobs = [
        Job(after.copy(past=False), position.turn, options, ends_at, stop_file)
        for after in position.children()
    ]
    futures: list[Future[Part]] = []

    def is_enough(part: Part) -> bool:
        return not multi and _is_won(part)

    parts = gathered(solve_job, jobs, executor, futures, stop_file=stop_file, is_enough=is_enough)
    best = max(range(len(parts)), key=lambda number: _worth(parts[number]))
    is_solved = _is_won(parts[best]) or all(part.value is not None for part in parts)
    value = parts[best].value if is_solved else None
    unsolved = [part.reason for part in parts if part.value is None]
    scores = {}
    if multi and is_solved:
        known = ((move, part.value) for move, part in zip(moves, parts, strict=True))
        scores = {move: int(2 * value - 1) for move, value in known if value is not None}
    after = position.copy()
    for move in (moves[best], *(parts[best].pv if is_solved else ())):
        after.push(move)
    return Solution(
        position=position,
        move=moves[best],
        score=None if value is None else int(2 * value - 1),
        value=value,
        pv=Moves(after.history[len(position.history) :]),
        nodes=sum(part.nodes for part in parts),
        seconds=perf_counter() - began,
        bytes=sum(part.bytes for part in parts),
        reason=unsolved[0] if unsolved and (multi or not is_solved) else "solved",
        scores=best_first(scores),
    )


def _is_won(part: Part) -> bool:
    return part.value == 1.0


def _worth(part: Part) -> float:
    """A move that is not solved comes last."""
    return -1.0 if part.value is None else part.value


def solve_job(job: Job) -> Part:
    """Solve the position after a move, in any process."""
    if job.position.is_over:
        result = job.position.result
        assert result is not None
        return Part(result if job.mover == 0 else 1.0 - result, (), 0, 0, "solved")
    options = dict(job.options)
    if job.ends_at is not None:
        options["seconds"] = max(LEAST_SECONDS, job.ends_at - time())

    def watch(nodes: int, seconds: float) -> None:
        if os.path.exists(job.stop_file):
            raise Stopped

    try:
        found = solve(job.position, **options, progress=watch)
    except Stopped:
        return Part(None, (), 0, 0, "stopped")
    value = found.value
    if value is not None and job.position.turn != job.mover:
        value = 1.0 - value
    pv = tuple(str(move) for move in found.pv)
    return Part(value, pv, found.nodes, found.bytes, found.reason)
