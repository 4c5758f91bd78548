"""What an editor shows: signatures, public names, the names that arguments take, docstrings."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest

import mcts_core
import playout as po
from mcts_core.playouts import POLICIES
from mcts_core.search.bandits import RULES
from mcts_core.search.growing import LEARNERS
from mcts_core.search.rules.rave import BETAS
from playout import evaluation, names
from playout.engines.engine import PROTOCOLS
from playout.games import GAMES
from playout.methods import METHODS, SCHEDULED


@pytest.mark.parametrize(
    ("literal", "known"),
    [
        (names.MethodName, METHODS | SCHEDULED),
        (names.BanditRule, RULES),
        (names.BetaRule, BETAS),
        (names.PlayoutPolicy, POLICIES),
        (names.SearchPolicy, (*POLICIES, *LEARNERS)),
        (names.EvaluationName, evaluation.NAMES),
        (names.Protocol, PROTOCOLS),
    ],
)
def test_types_have_the_names_that_are_known(literal: Any, known: Any) -> None:
    assert sorted(get_args(literal)) == sorted(known)


@pytest.mark.parametrize("name", GAMES)
def test_constructors_of_games_have_signatures(name: str) -> None:
    """The signature names every argument, with its default."""
    game = GAMES[name].position
    signature = inspect.signature(game)
    defaults = {each.name: each.default for each in signature.parameters.values()}
    assert defaults
    assert game(**defaults) == game()
    assert game.__doc__ is not None
    assert "--" not in game.__doc__


def test_the_signature_of_breakthrough() -> None:
    assert str(inspect.signature(po.Breakthrough)) == "(rows=8, cols=None, *, first_rows=2)"


def test_dir_shows_what_is_public() -> None:
    shown = {name for name in dir(po) if not name.startswith("__")}
    assert shown == {*po.__all__, "formats", "reference", "testing"}
    assert all(hasattr(po, name) for name in shown)


def test_public_modules_need_no_import() -> None:
    code = "import playout as po; po.formats.read_obf; po.testing.CHECKS; po.reference.search"
    subprocess.run([sys.executable, "-c", code], check=True)


STUBS = [
    *("arrays", "cpu", "playouts", "position"),
    *(f"games.{game}" for game in ("breakthrough", "connect_four", "othello")),
]


def summary(thing: Any) -> str | None:
    """The first paragraph of a docstring."""
    text = inspect.getdoc(thing)
    return text.split("\n\n")[0] if text else None


@pytest.mark.parametrize("module", STUBS)
def test_stubs_have_the_summaries_of_docstrings(module: str) -> None:
    """Editors read docstrings of compiled modules in the stubs."""
    compiled = import_module(f"mcts_core.{module}")
    file = Path(mcts_core.__file__).parent / f"{module.replace('.', '/')}.pyi"
    told = 0
    for outer in ast.parse(file.read_text(encoding="utf-8")).body:
        for node in (outer, *getattr(outer, "body", ())):
            if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name.startswith("__"):
                continue
            home = compiled if node is outer else getattr(compiled, outer.name, None)  # type: ignore[attr-defined]
            thing = vars(home).get(node.name) if home is not None else None
            thing = getattr(thing, "__func__", thing)
            if thing is not None and thing.__doc__:
                assert ast.get_docstring(node) == summary(thing), node.name
                told += 1
    assert told
