"""Searching many positions in one call: the trees share the batches of an evaluator."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from mcts_core.batched.search import BatchedSearch
from mcts_core.errors import BadMethod
from mcts_core.position import Moves, Position
from playout.arguments import Seed, whole_number
from playout.task import MOST_THREADS, Limits, Task, searchable

if TYPE_CHECKING:
    from playout.method import Method
    from playout.request import Request


@dataclass(frozen=True, eq=False, repr=False)
class Searches:
    """What searches of many positions have found, as arrays with a row for each position.

    Actions are the AMAF codes of moves (`Position.action`); values are seen by the side to move.

    >>> import numpy as np
    >>> import playout as po
    >>> def even(planes, mask):
    ...     return np.zeros(mask.shape), np.full(len(mask), 0.5)
    >>> positions = [po.Breakthrough(5), po.Breakthrough(5)]
    >>> po.search(positions, po.PUCT(even), playouts=100, seed=1).visits.sum(axis=1)
    array([100, 100])
    """

    positions: list[Position] = field(repr=False)
    method: Method
    moves: Moves
    """The moves to play."""
    actions: NDArray[np.int64]
    """Their actions [n]."""
    visits: NDArray[np.int64]
    """Of each action of the root [n, actions]."""
    weights: NDArray[np.float64]
    """The policy to learn [n, actions]: shares of the visits (PUCT) or `softmax(logits + s(q))`."""
    values: NDArray[np.float64]
    """Of the roots [n]: the mean of evaluation and playouts; the result if it is proven."""
    proven: NDArray[np.float64]
    """The proven results [n]; nan: not proven."""
    playouts: NDArray[np.int64]
    """Of each position [n]."""
    seconds: float
    seed: Seed
    reason: str
    """Why they ended: playouts, seconds, proven."""
    nodes: int
    bytes: int

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        done = f"{int(self.playouts.sum())} playouts of {self.method!r}"
        return f"<Searches of {len(self)} positions: {done}, ended: {self.reason}>"


def search_many(method: Method, request: Request) -> Searches:
    """Search a position and those in `more` at once, each for the same number of playouts."""
    for name in ("until_sure", "nodes", "executor"):
        if getattr(request, name) is not None:
            raise BadMethod(
                f"{name}= is for one position: limit a list of them by playouts= or seconds="
            )
    limits = Limits.checked(request.playouts, request.seconds, None)
    threads = whole_number("threads", request.threads, 1, MOST_THREADS)
    task = Task.checked(
        request.position,
        method,
        seed=request.seed,
        threads=1,  # of the task; the trees are shared out below
        memory=request.memory,
        policy=request.policy,
        rewards=request.rewards,
        solver=request.solver,
    )
    more = [searchable(position) for position in request.more]
    options: dict[str, Any] = task.options(limits.playouts) | {"more": more}
    began = perf_counter()
    engine = cast(BatchedSearch, method.engine(task.position, options, task.seed))
    reason = engine.run(limits.playouts, limits.seconds, None, threads)
    positions = [task.position, *more]
    indices, visits, weights, values, playouts, proven = engine.tables()
    chosen = [p.legal_moves[i] for p, i in zip(positions, indices, strict=True)]
    codes = [p.action(move) for p, move in zip(positions, chosen, strict=True)]
    return Searches(
        positions=positions,
        method=method,
        moves=Moves(chosen),
        actions=np.array(codes, np.int64),
        visits=visits,
        weights=weights,
        values=values,
        proven=proven,
        playouts=playouts,
        seconds=perf_counter() - began,
        seed=task.seed,
        reason=reason,
        nodes=engine.nodes,
        bytes=engine.bytes,
    )
