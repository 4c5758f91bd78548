"""Hands games out to workers, and keeps what comes back.

Nothing is lost with a worker: a game that does not come back is given out once more, and a game
counts when it is in the store, where it can be only once.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from itertools import islice

from mcts_core.errors import shown
from playout.arena.contest import Contest, Fixture, Row
from playout.arena.store import Store

AHEAD = 3  # games given out for each worker, so that none waits for its next one
UNKNOWN_WORKERS = 64  # of an executor that does not say how many it has
MOST_DEATHS = 5  # of workers in a row, without a game that came back


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
        rows = _played_by_processes(contest, missing, workers)
    else:
        rows = _played_by(contest, missing, workers)
    for row in rows:
        store.add(row)
        yield row


def _played_by_processes(
    contest: Contest, fixtures: Iterator[Fixture], workers: int
) -> Iterator[Row]:
    """By processes of our own. If one dies there is a new pool, and its games are played again."""
    waiting: list[Fixture] = []
    deaths = 0
    while True:
        pool = ProcessPoolExecutor(workers)
        under_way: dict[Future[Row], Fixture] = {}
        ended = False
        try:
            for row in _handed_out(contest, waiting, fixtures, pool, under_way):
                deaths = 0
                yield row
            ended = True
        except BrokenExecutor as fault:
            deaths += 1
            waiting = [*under_way.values()]
            if deaths > MOST_DEATHS:
                fault.add_note(f"{deaths} times in a row, and no game came to its end")
                raise
        finally:
            pool.shutdown(wait=ended, cancel_futures=True)
            if not ended:
                _kill(pool)
        if ended:
            return


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the workers of a pool that nobody waits for."""
    for process in (getattr(pool, "_processes", None) or {}).values():
        process.terminate()


def _played_by(contest: Contest, fixtures: Iterator[Fixture], executor: Executor) -> Iterator[Row]:
    """By an executor of the user's."""
    under_way: dict[Future[Row], Fixture] = {}
    try:
        yield from _handed_out(contest, [], fixtures, executor, under_way)
    except BrokenExecutor as fault:
        fault.add_note(
            "The games that had ended are in the record: play on with a new executor and record=."
        )
        raise
    finally:
        for future in under_way:
            future.cancel()


def _handed_out(
    contest: Contest,
    waiting: list[Fixture],
    fixtures: Iterator[Fixture],
    executor: Executor,
    under_way: dict[Future[Row], Fixture],
) -> Iterator[Row]:
    """Give games to an executor, some ahead of need, and take them as they end.

    `waiting` is given out first. `under_way` holds what has not come back.
    """
    most = AHEAD * (getattr(executor, "_max_workers", None) or UNKNOWN_WORKERS)

    def give_out(chosen: Iterator[Fixture]) -> None:
        for fixture in chosen:
            under_way[executor.submit(contest.play, fixture)] = fixture

    with _named_pickling(contest):
        give_out(iter(waiting))
        give_out(islice(fixtures, most - len(under_way)))
        while under_way:
            ended, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in ended:
                try:
                    row = future.result()
                except CancelledError:  # its worker has left the cluster
                    give_out(iter([under_way.pop(future)]))
                    continue
                del under_way[future]
                yield row
                give_out(islice(fixtures, 1))


@contextmanager
def _named_pickling(contest: Contest) -> Iterator[None]:
    """What cannot be sent to another process, in words."""
    try:
        yield
    except (pickle.PicklingError, AttributeError, TypeError) as fault:
        for player in contest.players:
            if not _can_be_sent(player):
                raise ValueError(
                    f"the player {shown(player.name)} cannot be sent to another process: make it "
                    "a function at the top of a module, or play in this process"
                ) from fault
        raise


def _can_be_sent(player: object) -> bool:
    try:
        pickle.dumps(player)
    except Exception:
        return False
    return True


def count_workers(workers: int | Executor | None) -> int:
    """How many games are played at a time."""
    if isinstance(workers, int):
        return workers
    return getattr(workers, "_max_workers", 1) if workers is not None else 1


Progress = Callable[[Row], None]
