"""What a tree method may know besides results of playouts: settings checked, parts compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from mcts_core.errors import BadMethod, shown
from mcts_core.evaluator import Evaluator
from mcts_core.position import Position
from mcts_core.search.knowledge import MOST_CUT, MOST_PRIOR
from playout.arguments import number, one_of, whole_number
from playout.names import Prior
from playout.policies import AnyPolicy

if TYPE_CHECKING:
    from playout.methods import TreeMethod

SETTINGS = ("evaluation", "cut", "minimax", "prior", "prior_visits", "tactics", "proof")
PRIORS = get_args(Prior)
PRIOR_VISITS = 10  # by default


def check(method: TreeMethod) -> None:
    """Check the settings of a method, in place."""
    if method.cut is not None:
        method._check("cut", whole_number, 0, MOST_CUT)
    method._check("minimax", _share)
    if method.prior is not None:
        method._check("prior", one_of, PRIORS)
    method._check("prior_visits", whole_number, 1, MOST_PRIOR)
    if method.prior is None and method.prior_visits != PRIOR_VISITS:
        raise BadMethod(
            f"{type(method).__name__}: prior_visits={method.prior_visits} has no effect without "
            "prior='shallow'"
        )
    method._check("proof", number)
    method._check("tactics", _flag)
    if method.evaluation is not None:
        from playout.evaluation import evaluation_of  # imported here: few searches evaluate

        evaluation_of(method.evaluation)
        if not evaluates(method):
            raise BadMethod(
                f"{type(method).__name__}: evaluation={shown(method.evaluation)} has no effect "
                "without cut=, minimax= or prior=: cut=0 values new positions by it"
            )


def evaluates(method: TreeMethod) -> bool:
    """Whether a method needs an evaluation."""
    return method.cut is not None or method.minimax > 0.0 or method.prior is not None


def knows(method: TreeMethod) -> bool:
    """Whether any of the settings is in use."""
    return method.tactics or method.proof > 0.0 or evaluates(method)


def settings(method: TreeMethod) -> dict[str, Any]:
    """The settings as the engine takes them, without the evaluation."""
    return {name: getattr(method, name) for name in SETTINGS[1:]}


def evaluator(method: TreeMethod, position: Position) -> Evaluator:
    """The compiled evaluation of a method, for the board of a position."""
    from playout.evaluation import predicting

    found = predicting(method.evaluation, position)
    if not isinstance(found, Evaluator):
        raise BadMethod(
            f"{type(method).__name__}: cut=, minimax= and prior= take an evaluation whose scores "
            f"predict results, such as 'net' or 'rows', not {shown(method.evaluation)}"
        )
    return found


def columns(method: TreeMethod) -> tuple[str, ...]:
    """The columns of a result that the settings add."""
    added = ("minimax",) if method.minimax > 0.0 else ()
    return (*added, "prior") if method.prior is not None else added


def check_policy(method: TreeMethod, policy: AnyPolicy) -> None:
    """Refuse a policy together with playouts that are cut short: they are random."""
    if method.cut is not None and policy != "random":
        raise BadMethod(
            f"policy={shown(policy)} plays games to their end, and cut={method.cut} stops before: "
            "leave one of them out"
        )


def _share(name: str, value: float) -> float:
    found = number(name, value)
    if found > 1.0:
        raise ValueError(f"{name} is a weight: a number from 0 to 1, not {shown(value)}")
    return found


def _flag(name: str, value: bool) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, not {shown(value)}")
    return value
