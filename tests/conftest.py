"""What several test files share: games and rules compiled outside the package."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
pytest.register_assert_rewrite("support", "playout.testing")

# An example may meet a slow first import or a busy machine: how long it takes proves nothing.
settings.register_profile("playout", deadline=None)
settings.load_profile("playout")

SETUP = """
import sys
from pathlib import Path
import mcts_core
from Cython.Build import cythonize
from setuptools import setup
name = sys.argv.pop(1)
installed = Path(mcts_core.__file__).parents[1]
setup(name=name, ext_modules=cythonize(name + ".pyx", include_path=[str(installed)]))
"""


def compiled_outside(source: str, folder: Path) -> ModuleType:
    """A module of the tests, compiled by a setup of its own against the installed .pxd files."""
    name = Path(source).stem
    (folder / f"{name}.pyx").write_bytes((TESTS / source).read_bytes())
    (folder / "setup.py").write_text(SETUP)
    build = subprocess.run(
        [sys.executable, "setup.py", name, "build_ext", "--inplace"],
        cwd=folder,
        env=os.environ | {"CFLAGS": "-O1 -g0"},  # half the time of Python's own flags
        capture_output=True,
        text=True,
    )
    assert build.returncode == 0, build.stdout + build.stderr
    (library,) = [*folder.glob(f"{name}*.so"), *folder.glob(f"{name}*.pyd")]
    spec = importlib.util.spec_from_file_location(name, library)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pickle looks its classes up there
    spec.loader.exec_module(module)
    return module


def module_of(source: str) -> Any:
    """The fixture of such a module, which is compiled once in a run of the tests."""
    name = Path(source).stem

    @pytest.fixture(scope="session", name=name)
    def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
        return compiled_outside(source, tmp_path_factory.mktemp(name))

    return module


tictactoe = module_of("games/tictactoe.pyx")
broken_games = module_of("games/broken_games.pyx")
ucb1_tuned = module_of("search/ucb1_tuned.pyx")
broken_rules = module_of("search/broken_rules.pyx")
