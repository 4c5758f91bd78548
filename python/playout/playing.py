"""Many random playouts, from one position or from several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import shown
from mcts_core.games.python_game import PythonPosition
from mcts_core.playouts import Batch, Playout
from mcts_core.playouts import playout as play_one
from mcts_core.position import Position
from mcts_core.rng import known_seed
from playout.arguments import AnySeed, Seed, whole_number
from playout.names import PlayoutPolicy, Rewards
from playout.policies import AnyPolicy, compiled_policy
from playout.render import playouts as render
from playout.task import PythonGame, is_position, wrapped

if TYPE_CHECKING:
    from concurrent.futures import Executor

Count = TypeVar("Count", int, NDArray[np.int64])
Value = TypeVar("Value", float, NDArray[np.float64])

BatchJob: TypeAlias = tuple[
    list[Position], int, Seed, AnyPolicy, Rewards
]  # what a Batch is made of

UNIT = 2.0**-32  # the engine returns sums of results in this unit


@dataclass(frozen=True, slots=True, eq=False)
class Playouts(Generic[Count, Value]):
    """The statistics of `n` playouts, as the side to move in the position sees them.

    Numbers for one position; for several, arrays with one element for each position.

    >>> import playout as po
    >>> found = po.playouts(po.Othello(), 1000, seed=1)
    >>> found.wins + found.draws + found.losses == found.n
    True
    >>> round(found.mean, 2), round(found.stderr, 3)
    (0.46, 0.015)
    """

    n: int  # playouts of each position
    wins: Count
    draws: Count
    losses: Count
    mean: Value  # a win counts 1, a draw 0.5
    stderr: Value  # the standard error of the mean
    plies: Count  # in all n games together, passes included
    seconds: float  # for the whole call
    seed: Seed  # repeats the result

    def _repr_html_(self) -> str:
        return render.html(self)


def playout(
    position: Position | PythonGame,
    seed: AnySeed | None = None,
    policy: PlayoutPolicy | AnyPolicy = "random",
    rewards: Rewards = "result",
) -> Playout:
    """Play one game to its end, game 0 of `playouts(position, n, seed)`, and return its record.

    >>> import playout as po
    >>> po.playout(po.Breakthrough(5), seed=1).result
    0.0
    """
    return play_one(
        wrapped(position, "a playout starts from"), seed, compiled_policy(policy), rewards
    )


@overload
def playouts(
    positions: Position | PythonGame,
    n: int,
    *,
    seed: AnySeed | None = None,
    threads: int = 1,
    policy: PlayoutPolicy | AnyPolicy = "random",
    rewards: Rewards = "result",
    executor: Executor | None = None,
    workers: int = 4,
) -> Playouts[int, float]: ...
@overload
def playouts(
    positions: Sequence[Position | PythonGame],
    n: int,
    *,
    seed: AnySeed | None = None,
    threads: int = 1,
    policy: PlayoutPolicy | AnyPolicy = "random",
    rewards: Rewards = "result",
    executor: Executor | None = None,
    workers: int = 4,
) -> Playouts[NDArray[np.int64], NDArray[np.float64]]: ...
def playouts(
    positions: Position | PythonGame | Sequence[Position | PythonGame],
    n: int,
    *,
    seed: AnySeed | None = None,
    threads: int = 1,
    policy: PlayoutPolicy | AnyPolicy = "random",
    rewards: Rewards = "result",
    executor: Executor | None = None,
    workers: int = 4,
) -> Playouts[int, float] | Playouts[NDArray[np.int64], NDArray[np.float64]]:
    """Play `n` games from a position, or from each of several, and sum up their results.

    The result depends only on the positions, `n`, the seed and the policy; `threads` only makes the
    call faster, and so does an `executor` with its `workers`. `policy="guided"` plays with a little
    knowledge of the game. A function `policy(position, moves)` returns the index of a move, or a
    list with a weight for each (slow). With `rewards="margin"` a finished game of Othello counts
    its share of the discs: `mean` is that of the shares, and each between 0 and 1 is a draw.

    >>> import playout as po
    >>> po.playouts(po.Breakthrough(5), 1000, seed=1).wins
    534
    >>> after = [po.Breakthrough.from_fen(fen) for fen in ("bb./.../.ww w", "bb./w../..w w")]
    >>> po.playouts(after, 1000, seed=1).wins.shape
    (2,)
    """
    n = whole_number("n", n, 1, 2**31 - 1)
    threads = whole_number("threads", threads, 1, 1024)
    known = known_seed(seed)
    began = perf_counter()
    if is_position(positions):
        job = [wrapped(cast(Any, positions), "playouts start from")], n, known, policy, rewards
        batch = _batch(job)
        row = _rows(batch, job, threads, executor, workers)[0].tolist()
        return Playouts(n, *_seen_by(int(batch.turns[0]), n, *row), perf_counter() - began, known)
    job = _listed(positions), n, known, policy, rewards
    batch = _batch(job)
    columns = _rows(batch, job, threads, executor, workers).T
    return Playouts(n, *_seen_by(batch.turns, n, *columns), perf_counter() - began, known)


def _rows(
    batch: Batch, job: BatchJob, threads: int, executor: Executor | None, workers: int
) -> NDArray[np.int64]:
    """The sums of all games, played here or in equal shares by workers."""
    if executor is None:
        return batch.run(threads)
    from playout.executors import checked, gathered

    if threads > 1:
        raise ValueError("threads= and executor= are two ways to play in parallel: choose one")
    workers = min(checked(executor, workers), max(1, batch.units))
    ends = [batch.units * number // workers for number in range(workers + 1)]
    parts = gathered(_share, [(job, begin, end) for begin, end in pairwise(ends)], executor, [])
    return sum(parts[1:], parts[0])


def _share(part: tuple[BatchJob, int, int]) -> NDArray[np.int64]:
    """Play some of the games, in any process."""
    (positions, n, seed, policy, rewards), begin, end = part
    # objects of a game in Python arrive each with a game of its own
    own = _listed([getattr(position, "object", position) for position in positions])
    return _batch((own, n, seed, policy, rewards)).run(1, begin, end)


def _batch(job: BatchJob) -> Batch:
    positions, n, seed, policy, rewards = job
    return Batch(positions, n, seed, compiled_policy(policy), rewards)


def _listed(positions: Any) -> list[Position]:
    """The positions. Objects of one class in Python are positions of one game."""
    if not isinstance(positions, Iterable):
        raise TypeError(f"positions must be a position or a list of them, not {shown(positions)}")
    listed: list[Position] = []
    for position in positions:
        first = listed[0] if listed else None
        if isinstance(first, PythonPosition) and not isinstance(position, Position):
            listed.append(first.another(position))
        else:
            listed.append(wrapped(position, "playouts start from"))
    return listed


def _seen_by(
    turn: Any, n: int, wins: Any, draws: Any, losses: Any, plies: Any, total: Any, squares: Any
) -> tuple[Any, Any, Any, Any, Any, Any]:
    """The fields from wins to plies as the side to move sees them. Takes numbers or arrays."""
    wins, losses = wins + turn * (losses - wins), losses + turn * (wins - losses)
    total = total * UNIT
    variance = squares * UNIT / n - (total / n) ** 2
    stderr = (variance * (variance > 0) / n) ** 0.5
    mean = (total + turn * (n - 2 * total)) / n
    return wins, draws, losses, mean, stderr, plies
