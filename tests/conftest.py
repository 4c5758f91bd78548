"""What several test files share: games and rules compiled outside the package."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from mcts_core.cpu import supported

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
from setuptools import Extension, setup
name = sys.argv.pop(1)
installed = str(Path(mcts_core.__file__).parents[1])
module = Extension(name, [name + ".pyx"], include_dirs=[installed])
setup(name=name, ext_modules=cythonize(module, include_path=[installed]))
"""


def compiled_outside(source: str, folder: Path, flags: str = "") -> ModuleType:
    """A module of the tests, compiled by a setup of its own against the installed .pxd files."""
    name = Path(source).stem
    (folder / f"{name}.pyx").write_bytes((TESTS / source).read_bytes())
    (folder / "setup.py").write_text(SETUP)
    build = subprocess.run(
        [sys.executable, "setup.py", name, "build_ext", "--inplace"],
        cwd=folder,
        env=os.environ | {"CFLAGS": f"-O1 -g0 {flags}"},  # half the time of Python's own flags
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


@pytest.fixture(scope="session")
def tictactoe(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module `tictactoe`."""
    return compiled_outside("games/tictactoe.pyx", tmp_path_factory.mktemp("tictactoe"))


@pytest.fixture(scope="session")
def broken_games(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module `broken_games`."""
    return compiled_outside("games/broken_games.pyx", tmp_path_factory.mktemp("broken_games"))


@pytest.fixture(scope="session")
def ucb1_tuned(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module `ucb1_tuned`."""
    return compiled_outside("search/ucb1_tuned.pyx", tmp_path_factory.mktemp("ucb1_tuned"))


@pytest.fixture(scope="session")
def broken_rules(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module `broken_rules`."""
    return compiled_outside("search/broken_rules.pyx", tmp_path_factory.mktemp("broken_rules"))


@pytest.fixture(scope="session", params=["baseline", "v4"])
def amaf_counters(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> ModuleType:
    """The module `amaf_counters`, without and with vectors."""
    if request.param not in supported():
        pytest.skip(f"this machine has not the instructions of {request.param}")
    folder = tmp_path_factory.mktemp("amaf_counters")
    flags = "-march=x86-64-v4" if request.param == "v4" else ""
    return compiled_outside("search/amaf_counters.pyx", folder, flags)
