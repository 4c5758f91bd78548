"""`method="best"`: the strongest search that the package has, for the board and the limit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from mcts_core.errors import BadMethod
from mcts_core.games.othello import Othello
from mcts_core.position import Position
from playout.alphabeta import AlphaBeta
from playout.evaluation import predicts_results
from playout.games import game_of
from playout.halving import Halving
from playout.method import Method
from playout.methods import GRAVE, RAVE, SCHEDULED, UCT
from playout.request import KeptRun, Request


@dataclass(frozen=True, slots=True, repr=False)
class Best(Method):
    """Chooses the method, the policy and the solver: what won most matches on the board.

    With an evaluation for the board: alpha-beta for a limit in seconds or nodes, and UCT that
    evaluates new positions for one in playouts. Without one, and on an executor, it searches with
    guided playouts and proven values: by SHUSS if one thread plays a known number of playouts with
    no other limit, otherwise by UCT or RAVE. `docs/strength.md` has the matches. The result names
    the method that was chosen.

    >>> import playout as po
    >>> po.search(po.Breakthrough(), "best", nodes=1000).method
    AlphaBeta()
    >>> po.search(po.Othello(6), "best", seconds=0.01, seed=1).method
    UCT()
    """

    key: ClassVar[str] = "best"

    @classmethod
    def suits(cls, position: Position) -> bool:
        """Not by default: the methods that it chooses from are compared themselves."""
        return False

    def check_use(self, threads: int, solver: bool) -> None:
        """Refuse searches that need one known method."""
        raise BadMethod(
            "best chooses a method for each search: it is for playout.search and playout.analysis; "
            "name a method such as UCT() here"
        )

    def begin(self, request: Request) -> KeptRun:
        """The search by the chosen method."""
        if request.policy != "random" or request.solver:
            raise BadMethod("best chooses policy= and solver= itself: leave them out")
        method, parts = choice_for(request)
        if request.nodes is not None and method.plays_out:
            raise BadMethod(
                f"nodes= limits alpha-beta, and best chooses {method!r} here: give playouts= or "
                "seconds="
            )
        return method.begin(replace(request, **parts))


def choice_for(request: Request) -> tuple[Method, dict[str, Any]]:
    """The method for a request, and its other arguments of a search."""
    position = request.position
    if not isinstance(position, Position) or game_of(position) is None:
        return UCT(), {"solver": True}
    # An evaluation predicts results, not margins; and workers would all search one tree.
    suits = request.rewards == "result" and request.executor is None
    if suits and predicts_results(position):
        counted = request.playouts, request.until_sure, request.every
        if any(limit is not None for limit in counted):
            return UCT(c=0.1, cut=0, prior="shallow"), {"solver": True}
        return AlphaBeta(), {}
    return _without_evaluation(request), {"solver": True, "policy": "guided"}


def _without_evaluation(request: Request) -> Method:
    """SHUSS where its rounds can be planned, otherwise the tree method that won most."""
    others = request.until_sure, request.seconds  # they would end it in an early round
    is_planned = request.playouts is not None and others == (None, None)
    if is_planned and request.every is None and request.executor is None and request.threads == 1:
        return Halving(GRAVE(), amaf=128)
    return UCT() if isinstance(request.position, Othello) else RAVE()


SCHEDULED["best"] = Best  # so that it can be named like the other methods
