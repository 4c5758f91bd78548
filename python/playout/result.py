"""The result of a search."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.position import Move, Moves, Position
from mcts_core.search.driver import Driver
from playout.arguments import Seed
from playout.columns import as_rows
from playout.estimates import regret, regret_bound
from playout.render import html as render_html
from playout.render import text as render
from playout.task import Task
from playout.tree import Node, Reader, root_node

if TYPE_CHECKING:
    from playout.method import Method


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The move to play, and the statistics of all moves. `print` shows them as a table.

    >>> import playout as po
    >>> result = po.search(po.Breakthrough(5), "ucb", playouts=1000, seed=1)
    >>> result.playouts, result.moves.dtype.names
    (1000, ('move', 'visits', 'mean', 'stderr', 'score'))

    `moves` has a row for each legal move, the best first. A method has some of these columns:

    - `move`: its text; `visits`: its playouts; `mean`: their mean result, as the player to move
      sees it (nan without playouts);
    - `stderr`: the standard error of that mean, smoothed so that it is never 0:
      `sqrt(playout.variance_of_mean(wins, visits))`;
    - `score`: the move with the highest score gets the next playout;
    - `amaf_visits`, `amaf_mean`: playouts in which the move occurred at all, and their mean;
    - `beta`: the weight of `amaf_mean` in `score`;
    - `proven`: 1, 0.5 or 0 for a proven win, draw or loss of the player to move; otherwise nan.

    Alpha-beta has other columns: `value`, the expected result, or points of an evaluation by hand
    (`is_in_points`); `score` in points; `exact`, True if `value` is exact and False if it is an
    upper bound; `nodes` searched; `line`, the best play after the move; with patterns `margin`, the
    discs by which the mover is expected to win.
    """

    position: Position
    method: Method
    move: Move
    value: float  # of the move, to the player to move: 0 a loss to 1 a win; or in points
    pv: Moves  # the principal variation: the expected play
    moves: NDArray[np.void]
    playouts: int  # of this search
    seconds: float
    # repeats the result if the limit is in playouts and there is one thread; None: alpha-beta
    seed: Seed | None
    # why it ended: playouts, seconds, sure, proven, stopped, interrupted, depth, nodes, memory; a
    # snapshot: "running"
    reason: str
    nodes: int = 0  # positions in the table
    bytes: int = 0  # of these positions
    depth: int = 0  # plies: alpha-beta's last complete depth; best-first: its best line
    regret: float | None = None  # UCB: the cost of trying other moves than the best one, in wins
    regret_bound: float | None = None  # UCB1's bound on its expectation
    _reader: Reader | None = field(default=None, repr=False)

    @property
    def is_in_points(self) -> bool:
        """Whether values are points of an evaluation by hand, not results from 0 to 1."""
        return not self.method.plays_out and "score" not in (self.moves.dtype.names or ())

    @property
    def tree(self) -> Node:
        """The root of the searched tree. It keeps the table of the search in memory.

        >>> import playout as po
        >>> root = po.search(po.Breakthrough(5), "uct", playouts=500, seed=1).tree
        >>> root.visits, root.children[0].depth
        (500, 1)
        """
        if self._reader is None:
            raise AttributeError(
                f"this result of {self.method!r} has no tree to walk: only tree methods "
                "grow one, and it stays behind when a result is pickled or comes from an executor"
            )
        return root_node(self.position, self._reader)

    def to_dict(self) -> dict[str, Any]:
        """The result without the tree, in plain Python types; None stands for nan."""
        found = {
            "game": render.game_name(self.position),
            "position": render.line_of(self.position),
            "method": repr(self.method),
            "move": str(self.move),
            "value": self.value,
            "pv": [str(move) for move in self.pv],
            "playouts": self.playouts,
            "seconds": self.seconds,
            "seed": plain_seed(self.seed),
            "reason": self.reason,
            "nodes": self.nodes,
            "bytes": self.bytes,
            "depth": self.depth,
        }
        if self.regret is not None:
            found |= {"regret": self.regret, "regret_bound": self.regret_bound}
        rows = as_rows(self.moves)
        return found | {"moves": [{name: plain(row[name]) for name in row} for row in rows]}

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict()` as JSON text."""
        return json.dumps(self.to_dict(), indent=indent)

    @classmethod
    def from_dict(cls, found: Any, position: Position | None = None) -> Result:
        """The result that `to_dict` described, without its tree; a ValueError says what is wrong.

        A game in Python has no text for its position: then give the position, as it was searched.
        """
        from playout.reading import result_from

        return result_from(found, position)

    @classmethod
    def from_json(cls, text: str, position: Position | None = None) -> Result:
        """The result that `to_json` wrote, as `from_dict` reads it.

        >>> import playout as po
        >>> result = po.search(po.Breakthrough(5), "rave", playouts=100, seed=1)
        >>> again = po.Result.from_json(result.to_json())
        >>> again.to_dict() == result.to_dict()
        True
        """
        return cls.from_dict(json.loads(text), position)

    def __str__(self) -> str:
        return render.text(self)

    def __repr__(self) -> str:
        work = f"{self.playouts} playouts" if self.method.plays_out else f"depth {self.depth}"
        return f"<Result {self.move} {self.value:.3f}: {work} of {self.method!r}>"

    def _repr_html_(self) -> str:
        return render_html.html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the tree, which is memory of the engine."""
        kept = [getattr(self, part.name) for part in fields(self) if part.name != "_reader"]
        return Result, tuple(kept)


def found_in(
    task: Task, engine: Driver, rows: NDArray[np.void], order: list[int], columns: tuple[str, ...]
) -> dict[str, Any]:
    """The fields of a `Result` that follow from an engine's rows, in this order."""
    legal = task.position.legal_moves
    order = list(dict.fromkeys(order))
    moves = engine.table(rows, order, legal, columns)
    found = {"move": legal[order[0]], "value": task.method.worth_of_best(moves), "moves": moves}
    if task.method.has_regret:
        visits, means = moves["visits"].tolist(), moves["mean"].tolist()
        found["regret"] = regret(visits, means)
        found["regret_bound"] = regret_bound(visits, means)
    return found


def plain(value: Any) -> Any:
    """A value for JSON: None stands for nan."""
    return None if isinstance(value, float) and math.isnan(value) else value


def plain_seed(seed: Seed | None) -> Any:
    """A seed for JSON: an int, or the arguments that make the same SeedSequence."""
    if not isinstance(seed, np.random.SeedSequence):
        return None if seed is None else int(seed)
    entropy = seed.entropy
    plain = entropy if entropy is None or isinstance(entropy, int) else [int(e) for e in entropy]
    return {"entropy": plain, "spawn_key": [int(part) for part in seed.spawn_key]}
