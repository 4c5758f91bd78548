"""The pages of docs/ are right about names, files and defaults.

test_examples.py runs their examples.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

import playout as po
from playout import knowledge

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = ("mcts_core", "python", "tests", "examples", "benchmarks", "docs", "reference", ".ci")


def test_every_public_name_is_on_the_api_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\.\. auto(?:class|function|exception):: (\w+)$", page, re.MULTILINE)
    assert sorted(listed) == sorted(po.__all__)


@pytest.mark.parametrize("name", po.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    """In its docstring, or in that of one of its methods. test_examples.py runs them."""
    thing = getattr(po, name)
    methods = vars(thing).values() if isinstance(thing, type) else ()
    texts = [inspect.getdoc(thing), *(getattr(method, "__doc__", None) for method in methods)]
    assert any(">>>" in text for text in texts if text), name


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_files_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(rf"`((?:{'|'.join(map(re.escape, FOLDERS))})/[\w./]+)`", text))
    for file in named:
        real = f"python/playout/{file}" if file.startswith("reference/") else file
        assert (ROOT / real).exists(), file


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


@pytest.mark.parametrize(
    "method",
    [po.Flat, po.UCB, po.UCT, po.UCTTuned, po.RAVE, po.GRAVE, po.AlphaBeta],
    ids=lambda m: m.__name__,
)
def test_defaults_of_methods(method: type[po.Method]) -> None:
    """The page of the algorithms has the right default of every setting."""
    page = (ROOT / "docs" / "algorithms.md").read_text(encoding="utf-8")
    (section,) = re.findall(rf"^## [^\n]*`po\.{method.__name__}\(\)`.*?(?=^## )", page, re.M | re.S)
    (told,) = re.findall(r"^- Default: (.*?)(?=\n\n|\n- |\Z)", section, re.M | re.S)
    values = dict(re.findall(r"`(\w+)=([^`]*)`", told))
    defaults = {setting.name: setting.default for setting in fields(method)}
    assert MISSING not in defaults.values()
    del defaults["ties"]  # of all methods alike
    for name in knowledge.SETTINGS if method.grows_tree else ():  # in a section of their own
        defaults.pop(name, None)
    if method is po.AlphaBeta:
        assert defaults.pop("depth") is None
        assert "depth 8 without a limit" in told
        assert po.search(po.Othello(), po.AlphaBeta()).depth == 8
    assert {name: eval(value) for name, value in values.items()} == defaults
