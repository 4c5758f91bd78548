"""Best-first minimax: its settings, and how a search is run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mcts_core.errors import BadMethod
from mcts_core.evaluator import Evaluator
from mcts_core.minimax.best_first import BestFirstSearch
from mcts_core.position import Position
from playout.arguments import number
from playout.evaluation import AnyEvaluation, evaluation_of, predicting
from playout.lookahead import Lookahead, LookaheadRun
from playout.methods import SCHEDULED
from playout.request import KeptRun, Request
from playout.result import Result

NODES = 100_000  # by default, if the search has no limit
FIRST = 1000  # nodes before the first snapshot; each of the others comes after twice as many


@dataclass(frozen=True, slots=True, repr=False)
class BestFirst(Lookahead):
    """Best-first minimax: a tree that grows where the best play seems to go.

    It evaluates positions as `AlphaBeta` does, and keeps them in a tree with the values of their
    best moves. Each step follows the best moves down to a leaf, adds all positions after it, and
    corrects the values on the way back. Lines that look good are searched very deep, others hardly
    at all. What is proven is remembered, and the search ends when the result is certain.

    - `evaluation`: None, the strongest that the package has for the board; "net"; the file of a
      network; "rows" in Breakthrough; or (slowly) a function of a position, see `AlphaBeta`;
    - `scope`: how much is added to the values of moves that were visited little, in units of the
      evaluation's scale: `value + scope * sqrt((N + 1) / (n + 2))`, with the visits of position and
      move. With 0 this is unbounded best-first minimax.

    >>> import playout as po
    >>> result = po.search(po.Breakthrough(5), po.BestFirst(), nodes=20_000)
    >>> result.nodes <= 20_000
    True
    """

    columns: ClassVar[tuple[str, ...]] = ("value", "visits", "line")
    counted: ClassVar[str] = "visits"

    evaluation: AnyEvaluation | None = None
    scope: float = 0.1

    def __post_init__(self) -> None:
        Lookahead.__post_init__(self)
        self._check("scope", number)
        if self.evaluation is not None:
            evaluation_of(self.evaluation)

    def begin(self, request: Request) -> KeptRun:
        """The search for a request."""
        return BestFirstRun(self, request)


SCHEDULED["bestfirst"] = BestFirst  # so that it can be named like the other methods


def engine_for(method: BestFirst, position: Position, memory: int) -> BestFirstSearch:
    """The compiled search of a position."""
    evaluation = predicting(method.evaluation, position)
    if not isinstance(evaluation, Evaluator):
        raise BadMethod(
            "BestFirst needs an evaluation in whole points, such as a network, not one of Othello "
            "by hand: use AlphaBeta(), or learn a network with playout.learn"
        )
    return BestFirstSearch(position, evaluation, method.scope, memory=memory)


class BestFirstRun(LookaheadRun):
    """One search, step by step."""

    engine: BestFirstSearch

    def __init__(self, method: BestFirst, request: Request) -> None:
        super().__init__(method, request)
        if request.threads != 1:
            raise BadMethod("BestFirst grows its tree on one thread: leave threads= out")
        if not self.is_limited:
            self.nodes = NODES
        self.engine = engine_for(method, self.position, self.memory)

    def result(self) -> Result:
        """Search to the limit."""
        return self.found(self.until(self.nodes))

    def results(self) -> Iterator[Result]:
        """Search, with a result each time that the nodes have doubled."""
        nodes = FIRST
        while self.nodes is None or nodes < self.nodes:
            reason = self.until(nodes)
            if reason != "nodes":
                yield self.found(reason)
                return
            yield self.found("running")
            nodes *= 2
        yield self.found(self.until(self.nodes))

    def stop(self) -> None:
        """End the search soon, from another thread, once there is a result."""
        if self.engine.has_result:
            self.is_stopped = True  # also if it comes between two runs
            self.engine.stop()

    def until(self, nodes: int | None) -> str:
        """Search until there are this many nodes or another limit is met. Returns why it ended."""
        if self.is_stopped:
            return "stopped"
        return self.engine.run(self.seconds_left, nodes)
