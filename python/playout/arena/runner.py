"""Hands games out to workers, and keeps what comes back.

Nothing is lost with a worker: a game that does not come back is given out once more, and a game
counts when it is in the store, where it can be only once.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from itertools import islice
from multiprocessing import parent_process
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

from mcts_core.errors import shown
from playout.arena.contest import Contest, Fixture, Row
from playout.arena.store import Store
from playout.engines.process import kill_all
from playout.interrupts import held_back

AHEAD = 3  # games given out for each worker, so that none waits for its next one
UNKNOWN_WORKERS = 64  # of an executor that does not say how many it has
MOST_DEATHS = 5  # of workers in a row, without a game that came back

Given: TypeAlias = dict[Fixture, Future[Row] | None]  # games that were given out


def play_games(
    contest: Contest,
    pairs: int,
    store: Store,
    workers: int | Executor | None,
) -> Iterator[Row]:
    """Play all games that the store lacks, and give each as soon as it is stored.

    `workers`: an executor, a number of processes, or None for this process. Leave the loop to end
    sooner: games under way are given up then.
    """
    known = store.fixtures()
    missing = (fixture for fixture in contest.fixtures(pairs) if fixture not in known)
    rows: Iterator[Row]
    if workers is None:
        rows = map(contest.play, missing)
    elif isinstance(workers, int):
        games = 2 * pairs * len(contest.pairings) - len(known)
        rows = _played_by_processes(contest, missing, min(workers, max(1, games)))
    else:
        rows = _played_by(contest, missing, workers)
    for row in rows:
        store.add(row)
        yield row


def _played_by_processes(
    contest: Contest, fixtures: Iterator[Fixture], workers: int
) -> Iterator[Row]:
    """By processes of our own. If one dies there is a new pool, and its games are played again."""
    _refuse_unsendable(contest)
    given: Given = {}
    deaths = 0
    while True:
        pool = ProcessPoolExecutor(workers, initializer=_end_with_parent)
        is_done = False
        try:
            for row in _handed_out(contest, fixtures, pool, given):
                deaths = 0
                yield row
            is_done = True
            return
        except BrokenExecutor as fault:
            deaths += 1
            if deaths > MOST_DEATHS:
                fault.add_note(f"{deaths} times in a row, and no game came to its end")
                raise
        finally:
            _close(pool, is_done=is_done)


def _end_with_parent() -> None:
    """In a worker: end when told to, or when the process that wants its games was killed."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        _end()

    signal.signal(signal.SIGTERM, lambda *_: _end())
    Thread(target=watch, daemon=True).start()


def _end() -> None:
    """End this worker at once, in the middle of a game, and its engines with it."""
    kill_all()
    os._exit(1)


def _close(pool: ProcessPoolExecutor, *, is_done: bool) -> None:
    """End a pool; if it is not done, without waiting for the games under way."""
    with held_back():
        processes = [] if is_done else [*(getattr(pool, "_processes", None) or {}).values()]
        pool.shutdown(wait=is_done, cancel_futures=True)
        for process in processes:
            process.terminate()


def _played_by(contest: Contest, fixtures: Iterator[Fixture], executor: Executor) -> Iterator[Row]:
    """By an executor of the user's."""
    given: Given = {}
    try:
        yield from _handed_out(contest, fixtures, executor, given)
    except BrokenExecutor as fault:
        fault.add_note(
            "The games that had ended are in the record: play on with a new executor and record=."
        )
        raise
    except (pickle.PicklingError, AttributeError, TypeError):
        _refuse_unsendable(contest)
        raise
    finally:
        for future in given.values():
            if future is not None:
                future.cancel()


def _handed_out(
    contest: Contest, fixtures: Iterator[Fixture], executor: Executor, given: Given
) -> Iterator[Row]:
    """Give games to an executor, some ahead of need, and take them as they end.

    `given` holds the games that have not come back. Those of an executor that has broken down are
    in it at the start, and are given out first.
    """
    most = AHEAD * (getattr(executor, "_max_workers", None) or UNKNOWN_WORKERS)
    ended: SimpleQueue[tuple[Fixture, Future[Row]]] = SimpleQueue()

    def give(fixture: Fixture) -> None:
        given[fixture] = None  # or it would be lost with an executor that refuses it
        with held_back():
            given[fixture] = future = executor.submit(contest.task(fixture).play)
        future.add_done_callback(lambda done: ended.put((fixture, done)))

    for fixture in [*given]:
        give(fixture)
    for fixture in islice(fixtures, max(0, most - len(given))):
        give(fixture)
    while given:
        fixture, future = ended.get()
        try:
            row = future.result()
        except CancelledError:  # its worker has left the cluster
            give(fixture)
            continue
        del given[fixture]
        yield row
        for fixture in islice(fixtures, 1):
            give(fixture)


def _refuse_unsendable(contest: Contest) -> None:
    """Raise ValueError for a player that no other process can be given."""
    for player in contest.players:
        try:
            pickle.dumps(player)
        except Exception as fault:
            raise ValueError(
                f"the player {shown(player.name)} cannot be sent to another process: make it a "
                "function at the top of a module, or play in this process"
            ) from fault
