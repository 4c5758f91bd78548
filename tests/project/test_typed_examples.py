"""Type checkers accept every example of README.md and docs/, as an editor does.

Examples that end with an exception are left out, because most of them are wrong on purpose.
"""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def code_of(page: Path) -> str:
    """The examples of a page as one script."""
    text = re.sub("^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = doctest.DocTestParser().get_examples(text, page.name)
    return "\n".join(example.source for example in found if example.exc_msg is None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a script for each page that has examples."""
    folder = tmp_path_factory.mktemp("examples")
    for page in PAGES:
        if code := code_of(page):
            (folder / f"{page.stem.replace('-', '_')}.py").write_text(code, encoding="utf-8")
    return folder


def check(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a type checker on the scripts of a folder."""
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, timeout=600
    )


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is not installed")
def test_pyright_accepts_the_examples(folder: Path) -> None:
    settings = {
        "include": ["."],
        "extraPaths": [str(ROOT / "python"), str(ROOT)],
        "reportMissingModuleSource": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    ran = check(folder, "pyright", "--pythonpath", sys.executable, "--level", "error")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "0 errors" in ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy_accepts_the_examples(folder: Path) -> None:
    (folder / "mypy.ini").write_text(
        f"[mypy]\nmypy_path = {ROOT / 'python'}:{ROOT}\ncheck_untyped_defs = True\n"
        "allow_redefinition = True\n"
    )
    ran = check(folder, "mypy", "--no-incremental", ".")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "no issues found" in ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is not installed")
def test_a_wrong_name_is_found(tmp_path: Path) -> None:
    """Otherwise the tests above could pass because nothing is known of the package."""
    (tmp_path / "pyrightconfig.json").write_text(
        json.dumps({"extraPaths": [str(ROOT / "python"), str(ROOT)]})
    )
    (tmp_path / "wrong.py").write_text(
        "import playout as po\npo.UCB(rule='tunde')\npo.search(po.Othello(), playout=1)\n"
    )
    ran = check(tmp_path, "pyright", "--pythonpath", sys.executable)
    assert "2 errors" in ran.stdout, ran.stdout
