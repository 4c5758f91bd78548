"""Alpha-beta search of Othello positions: its settings, and how a search is run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from mcts_core.errors import BadMethod, shown
from mcts_core.games.othello import Othello
from mcts_core.minimax.alphabeta import AlphaBetaSearch
from mcts_core.position import Position
from playout.arguments import memory_size, number, whole_number
from playout.columns import as_table
from playout.evaluation import AnyEvaluation, compiled, evaluation_of
from playout.games import game_of
from playout.methods import METHODS, Method
from playout.request import Request, Run
from playout.result import Result, line_from

DEPTH = 8  # plies, by default, if the search has no other limit
MOST_DEPTH = 121  # plies: no game of Othello lasts longer, even with a pass after each disc
MOST_NODES = 2**62
MEMORY = 2**28  # bytes, the default limit of the table


@dataclass(frozen=True, slots=True, repr=False)
class AlphaBeta(Method):
    """Alpha-beta with a static evaluation, for Othello: the value of looking `depth` plies ahead.

    It uses an evaluation instead of playouts, and is much stronger than them if the evaluation is
    good. The value is exact for its depth, the same as that of the plain search in
    `playout.reference`. It is in points of the evaluation; a finished game counts a million plus
    its margin.

    - `depth`: plies, where a pass is a ply. None: as deep as the limits of the search allow, or 8
      if there are none;
    - `evaluation`: "weights", "ratios", "washington", an `Evaluation`, or (slowly) a function of a
      position that returns a number for the side to move;
    - `multi_pv`: how many of the best moves get their exact value and their own line; the others
      are only known to be no better;
    - `exact_ties`: True: among equally good moves play the first in `legal_moves` order, which
      takes longer. False: play any of them.

    >>> AlphaBeta(depth=6, evaluation="washington")
    AlphaBeta(depth=6, evaluation='washington')
    >>> AlphaBeta(depth=0)
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: AlphaBeta: depth must be a whole number from 1 to 121, not 0
    """

    columns: ClassVar[tuple[str, ...]] = ("value", "exact", "nodes", "line")
    plays_out: ClassVar[bool] = False

    depth: int | None = None
    evaluation: AnyEvaluation = "weights"
    multi_pv: int = 1
    exact_ties: bool = False
    ties: str = field(default="first", kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.ties, str) or self.ties != "first":
            raise BadMethod(
                f"AlphaBeta draws no lots: ties={shown(self.ties)} is for playouts; use "
                "exact_ties=True for the first of equal moves"
            )
        if self.depth is not None:
            self._check("depth", whole_number, 1, MOST_DEPTH)
        self._check("multi_pv", whole_number, 1, 64)
        if not isinstance(self.exact_ties, bool):
            raise BadMethod(
                f"AlphaBeta: exact_ties must be True or False, not {shown(self.exact_ties)}"
            )
        evaluation_of(self.evaluation)

    @classmethod
    def suits(cls, position: Position) -> bool:
        """Whether the evaluations are for the board of this position."""
        game = game_of(position)
        return game is not None and game.is_evaluated(position)

    def check_use(self, threads: int, solver: bool) -> None:
        """Refuse searches that need playouts."""
        raise BadMethod(
            f"{shown(self)} plays no games out: it is for playout.search and playout.analysis only"
        )

    def begin(self, request: Request) -> Run:
        """The search for a request."""
        return AlphaBetaRun(self, request)


METHODS["alphabeta"] = AlphaBeta  # so that it can be named like the other methods


class AlphaBetaRun:
    """One search: its engine, its limits, and when it began."""

    def __init__(self, method: AlphaBeta, request: Request) -> None:
        _refuse_what_plays_out(request)
        position, seconds, nodes = request.position, request.seconds, request.nodes
        if not isinstance(position, Othello):
            raise BadMethod(
                f"alpha-beta has evaluations for Othello only, not for {type(position).__name__}: "
                "use UCT or RAVE, or playout.solve for small boards"
            )
        self.method = method
        self.seconds = None if seconds is None else number("seconds", seconds, 0.0, above=True)
        self.nodes = None if nodes is None else whole_number("nodes", nodes, 1, MOST_NODES)
        is_limited = seconds is not None or nodes is not None
        self.depth = method.depth or (MOST_DEPTH if is_limited else DEPTH)
        memory = MEMORY if request.memory is None else memory_size("memory", request.memory)
        self.engine = AlphaBetaSearch(
            position.copy(),  # another thread may change the original
            compiled(method.evaluation, position.size),
            n_exact=method.multi_pv,
            exact_ties=method.exact_ties,
            memory=memory,
        )
        self.began = perf_counter()

    def result(self) -> Result:
        """Search to the full depth."""
        return self.found(self.until(self.depth))

    def results(self) -> Iterator[Result]:
        """Search deeper, with a result after each depth."""
        while True:
            reason = self.until(self.engine.depth + 1)
            if reason != "depth" or self.engine.depth == self.depth:
                break
            yield self.found("running")
        yield self.found(reason)

    def stop(self) -> None:
        """End the search soon, from another thread, once depth 1 is done."""
        if self.engine.depth:
            self.engine.stop()

    def until(self, depth: int) -> str:
        """Search to this depth or until a limit is met. Returns why it ended."""
        left = None if self.seconds is None else self.seconds - (perf_counter() - self.began)
        return self.engine.run(depth, left, self.nodes)

    def found(self, reason: str) -> Result:
        """The result so far."""
        seconds = perf_counter() - self.began
        columns, lines = self.engine.root()
        position = self.engine.position.copy()  # the user may push moves onto it
        pvs = [line_from(position, line) for line in lines]
        table: dict[str, Any] = {
            "move": np.array([str(pv[0]) for pv in pvs]),
            "value": columns["value"],
            "exact": columns["exact"],
            "nodes": columns["nodes"],
            "line": np.array([" ".join(pv) for pv in pvs]),
        }
        value = float(columns["value"][0])
        return Result(
            position=position,
            method=self.method,
            move=pvs[0][0],
            value=value,
            pv=pvs[0],
            moves=as_table(table),
            playouts=0,
            seconds=seconds,
            seed=None,
            reason=reason,
            nodes=self.engine.nodes,
            bytes=self.engine.bytes,
            depth=self.engine.depth,
        )


def _refuse_what_plays_out(request: Request) -> None:
    for name in ("playouts", "until_sure", "executor", "every", "solver"):
        value = getattr(request, name)
        if value is not None and value is not False:
            raise BadMethod(
                f"alpha-beta plays no games out, so {name}= has no meaning for it: limit it by "
                "AlphaBeta(depth=...), seconds= or nodes="
            )
