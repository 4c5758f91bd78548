"""Evaluations by name, from a file or by a function: what a position is worth without playouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, overload

from mcts_core.errors import BadMethod, BadPosition, did_you_mean, shown
from mcts_core.evaluation.function import Function
from mcts_core.evaluation.othello_eval import CompiledEvaluation
from mcts_core.evaluation.rows import Rows
from mcts_core.evaluator import Evaluator, evaluator_of
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.games.othello import Othello
from mcts_core.position import Position
from playout.games import board_text
from playout.learning.learned import Learned
from playout.learning.shipped import learned_from, shipped
from playout.mixes import MIXES, Evaluation
from playout.names import EvaluationName

EvaluationFunction: TypeAlias = Callable[[Any], float]
AnyEvaluation: TypeAlias = EvaluationName | str | Evaluation | Learned | EvaluationFunction | Any
"""A name, a file, a mix of terms, a learned evaluation, a function, or a capsule."""

Compiled: TypeAlias = Evaluator | CompiledEvaluation

LEARNED = ("net", "patterns")
NAMES = (*LEARNED, "rows", *MIXES)


def evaluation_of(evaluation: AnyEvaluation) -> Evaluation | Learned | EvaluationFunction | Any:
    """Check an evaluation. A name becomes the mix that it names, a file what it holds.

    >>> evaluation_of("ratios")
    Evaluation(parity=1.0, mobility=1.0, corners=1.0, divisor=3.0)
    >>> evaluation_of("weight")
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: there is no evaluation 'weight'; did you mean 'weights'? \
Known: net, patterns, rows, weights, ratios, washington
    """
    known = ", ".join(NAMES)
    if isinstance(evaluation, str):
        learned = learned_from(evaluation)
        if learned is not None:
            return learned
        name = evaluation.strip().lower()
        if name not in NAMES:
            hint = did_you_mean(name, list(NAMES)) or "."
            raise BadMethod(f"there is no evaluation {shown(evaluation)}{hint} Known: {known}")
        return MIXES.get(name, name)
    if isinstance(evaluation, (Evaluation, Learned)) or _is_capsule(evaluation):
        return evaluation
    if callable(evaluation) and not isinstance(evaluation, type):
        return evaluation
    raise BadMethod(
        f"an evaluation is one of {known} by name, an Evaluation(...), a Net(...) or "
        "Patterns(...), a capsule made by mcts_core.evaluator.evaluator_capsule, or a function "
        f"of a position that returns a number, not {shown(evaluation)}"
    )


def default_evaluation(position: Position) -> str:
    """The name of the strongest evaluation that the package has for the board of a position.

    >>> default_evaluation(Othello())
    'patterns'
    """
    learned = shipped(position)
    if learned is not None:
        return learned.kind
    if isinstance(position, Breakthrough):
        return "rows"
    if isinstance(position, Othello) and position.size == 8:
        return "weights"
    raise BadMethod(
        f"there is no evaluation for {board_text(position)}: learn one with playout.learn, or use "
        "UCT, RAVE or playout.solve"
    )


def has_evaluation(position: Position) -> bool:
    """Whether the package has an evaluation for the board of a position."""
    try:
        default_evaluation(position)
    except BadMethod:
        return False
    return True


def predicts_results(position: Position) -> bool:
    """Whether the default evaluation of a board has scores that predict results.

    >>> predicts_results(Breakthrough(6, 5)), predicts_results(Othello())
    (True, True)
    """
    return has_evaluation(position) and default_evaluation(position) not in MIXES


def compiled(evaluation: AnyEvaluation | None, position: Position) -> Compiled:
    """The compiled form of an evaluation, for the board of a position; None: the default one."""
    chosen = evaluation_of(default_evaluation(position) if evaluation is None else evaluation)
    if chosen == "rows":
        return Rows(position)
    if chosen in LEARNED:
        kind, chosen = chosen, shipped(position)
        if chosen is None or chosen.kind != kind:
            what = "network" if kind == "net" else "patterns"
            raise BadMethod(
                f"the package has no {what} for {board_text(position)}: learn some with "
                "playout.learn"
            )
    if isinstance(chosen, Learned):
        return chosen.evaluator(position)
    if _is_capsule(chosen):
        return evaluator_of(chosen)
    if isinstance(chosen, Evaluation):
        if not isinstance(position, Othello):
            raise BadMethod(
                f"{shown(evaluation)} evaluates Othello, not {board_text(position)}: use "
                "AlphaBeta(), a network, UCT or RAVE"
            )
        return CompiledEvaluation(position.size, chosen.mixes())
    if isinstance(position, Othello):
        return CompiledEvaluation(position.size, [], chosen)
    return Function(position, chosen)


def predicting(evaluation: AnyEvaluation | None, position: Position) -> Compiled:
    """The same for a search that needs scores that predict results, also of a function."""
    if callable(evaluation) and not isinstance(evaluation, (Evaluation, Learned, str)):
        return Function(position, evaluation)
    return compiled(evaluation, position)


def _is_capsule(thing: object) -> bool:
    return type(thing).__name__ == "PyCapsule"


@overload
def evaluate(
    position: Position, evaluation: AnyEvaluation | None = ..., *, terms: Literal[False] = ...
) -> float: ...
@overload
def evaluate(
    position: Position, evaluation: AnyEvaluation | None = ..., *, terms: Literal[True]
) -> dict[str, float]: ...
def evaluate(
    position: Position, evaluation: AnyEvaluation | None = None, *, terms: bool = False
) -> float | dict[str, float]:
    """The static value of a position to the side to move, in points of the evaluation.

    `evaluation` is the name of one, an `Evaluation`, a `Net`, or a function of a position.
    "net" and "rows" (Breakthrough) count in whole points: 256 more make a win e = 2.7 times as
    likely. "patterns" (Othello 8x8) counts in whole points, too, 32 to a disc. Without an argument
    it is the strongest that the package has for the board.

    The value of a finished game is its result. With evaluations of Othello by hand ("weights",
    "ratios", "washington", an `Evaluation`, a function) it is 1,000,000 plus the margin for the
    winner, where empty squares count as the winner's; with the others infinity. A draw is 0.

    With `terms=True` it returns each term of a mix before it is weighted. For a finished game this
    is only its `result`. Only mixes have terms.

    >>> import playout as po
    >>> o = po.Othello()
    >>> for move in ["f5", "d6", "c3"]:
    ...     played = o.push(move)
    >>> po.evaluate(o, "weights"), po.evaluate(o, "washington")
    (-9.0, -238.09523809523796)
    >>> po.evaluate(o, "ratios", terms=True)
    {'parity': -42.857142857142854, 'mobility': 0.0, 'corners': 0.0}
    >>> po.evaluate(po.Breakthrough(), "rows")
    30.0
    """
    if not isinstance(position, Position):
        raise BadPosition(f"evaluations are for positions of this package, not {shown(position)}")
    position = position.copy()  # another thread may change the original
    chosen = compiled(evaluation, position)
    if isinstance(chosen, Evaluator):
        if terms:
            raise BadMethod("only a mix has terms: terms=True is for an Evaluation or its name")
        return _final(position) if position.is_over else float(chosen.score(position))
    assert isinstance(position, Othello)
    if not terms:
        return chosen.value(position)
    if position.is_over:
        return {"result": chosen.value(position)}
    if chosen.function is not None:
        raise BadMethod(
            "a function has no terms: terms=True is for an Evaluation or the name of one"
        )
    return {name: value for name, value, _ in chosen.terms(position)}


def _final(position: Position) -> float:
    """The value of a finished game to the side to move."""
    result = position.result
    assert result is not None
    if result == 0.5:
        return 0.0
    return float("inf") if (result == 1.0) == (position.turn == 0) else float("-inf")
