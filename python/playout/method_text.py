"""Reading methods from the command line: `rave`, or as Python prints them, `RAVE(bias=0.01)`.

Nothing is evaluated. The text is parsed, and only names of methods, settings and plain values are
accepted.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import fields
from typing import Any

from mcts_core.errors import BadMethod, did_you_mean, shown
from playout.method import Method
from playout.methods import METHODS, SCHEDULED, method_of
from playout.mixes import Evaluation

LONGEST_TEXT = 50_000  # characters; an evaluation of 61 phases with weights has about 35,000


def method_from(text: str) -> Method:
    """The method that a text names, with its settings.

    >>> method_from("rave"), method_from("RAVE(bias=0.01, beta=hand)")
    (RAVE(), RAVE(beta='hand', bias=0.01))
    >>> method_from("AlphaBeta(depth=4, evaluation=Evaluation(mobility=1, corners=5))")
    AlphaBeta(depth=4, evaluation=Evaluation(mobility=1.0, corners=5.0))
    >>> method_from("Halving(method=GRAVE(ref=25), amaf=128)")
    Halving(method=GRAVE(ref=25), amaf=128.0)
    >>> method_from("UCT(cc=1)")
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: UCT has no setting 'cc'; did you mean 'c'? \
Its settings: c, cut, evaluation, fpu, lanes, minimax, prior, prior_visits, proof, tactics, ties
    """
    if "(" not in text:
        return method_of(text)
    call = _parsed(text.strip())
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise BadMethod(
            f"{shown(text)} is not a method: write its name, such as rave, or a name with "
            "settings, such as 'RAVE(bias=0.01)', in quotes"
        )
    kind = type(method_of(call.func.id))
    method: Method = _made(kind, call, text.strip())
    return method


def _parsed(text: str) -> ast.expr | None:
    """The text as an expression; None if it is not one."""
    if len(text) > LONGEST_TEXT:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as for an unknown escape in a string
            return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _made(kind: type[Any], call: ast.Call, text: str) -> Any:
    """The object made by a call with named settings."""
    known = sorted(part.name for part in fields(kind))
    if call.args:
        raise BadMethod(
            f"{kind.__name__}: settings have names: write {kind.__name__}({known[0]}=...)"
        )
    settings: dict[str, Any] = {}
    for keyword in call.keywords:
        name = str(keyword.arg)
        if name not in known:
            raise BadMethod(
                f"{kind.__name__} has no setting {shown(name)}{did_you_mean(name, known)} "
                f"Its settings: {', '.join(known)}"
            )
        if name in settings:
            raise BadMethod(f"{kind.__name__}: {name} is given twice: give it once")
        settings[name] = _value(keyword.value, f"{kind.__name__}: {name}", text)
    return kind(**settings)


def _value(node: ast.expr, where: str, text: str) -> Any:
    """A number, a text (also a bare word), a list, an Evaluation or a method."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name == Evaluation.__name__:
            return _made(Evaluation, node, text)
        if name.lower() in METHODS:
            return _made(METHODS[name.lower()], node, text)
    elif isinstance(node, ast.Name):
        return node.id
    elif isinstance(node, (ast.List, ast.Tuple)):
        return [_value(part, where, text) for part in node.elts]
    else:
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            pass
    found = ast.get_source_segment(text, node)
    raise BadMethod(f"{where} must be a number, a name or a list of them, not {shown(found)}")


def names() -> str:
    """The names of the methods, for a help text."""
    return ", ".join(METHODS | SCHEDULED)
