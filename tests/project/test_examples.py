"""Every example runs as printed: in the README, in docs/, and in docstrings of all modules."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import mcts_core
import playout as po

ROOT = Path(__file__).parents[2]
TEXTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = [
    module.name
    for package in (mcts_core, po)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]
OPTIONS = doctest.NORMALIZE_WHITESPACE


def examples(module: ModuleType) -> dict[str, doctest.DocTest]:
    """The doctests of a module by name; Cython keeps those of compiled methods in __test__."""
    return {test.name: test for test in doctest.DocTestFinder().find(module) if test.examples}


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.name)
def test_text(text: Path) -> None:
    blocks = re.sub("^```.*$", "", text.read_text(encoding="utf-8"), flags=re.MULTILINE)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(doctest.DocTestParser().get_doctest(blocks, {}, text.name, str(text), 0))
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("name", [*MODULES, "playout"])
def test_docstrings(name: str) -> None:
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as fault:
        if not name.startswith("playout.adapters."):
            raise
        pytest.skip(f"{fault.name} is not installed")
    for test in examples(module).values():
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_docstrings_of_compiled_methods_are_found() -> None:
    """Otherwise the test above could pass without any example."""
    names = " ".join(examples(importlib.import_module("mcts_core.games.breakthrough")))
    assert "Breakthrough.from_fen" in names
    assert "mcts_core.games.breakthrough.Breakthrough" in names


SLOW = ("tour.py",)
SHORT = {"alphazero.py": ["--quick"]}  # arguments that make a script short
SCRIPTS = [
    pytest.param(path, id=path.name, marks=[pytest.mark.slow] if path.name in SLOW else [])
    for path in sorted((ROOT / "examples").glob("*.py"))
]


@pytest.mark.traced_slowly
@pytest.mark.parametrize("script", SCRIPTS)
def test_example_script(script: Path) -> None:
    ran = subprocess.run(
        [sys.executable, script, *SHORT.get(script.name, ())],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
