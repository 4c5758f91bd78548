"""Fixtures that several test files share: games and rules compiled outside the package."""

from __future__ import annotations

import gc
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

from mcts_core.cpu import supported

TESTS = Path(__file__).parent
pytest.register_assert_rewrite("support", "playout.testing")

# No time limit for examples: the first import or a busy machine can be slow.
settings.register_profile("playout", deadline=None)
settings.load_profile("playout")

SETUP = """
import gc
import sys
from pathlib import Path
import mcts_core
from Cython.Build import cythonize
from setuptools import Extension, setup
gc.disable()  # else it looks through Cython's trees for a third of the time
name = sys.argv.pop(1)
installed = str(Path(mcts_core.__file__).parents[1])
module = Extension(name, [name + ".pyx"], include_dirs=[installed])
setup(name=name, ext_modules=cythonize(module, include_path=[installed]))
"""


def pytest_collection_finish() -> None:
    """Hide modules and collected tests from the garbage collector.

    A full collection takes 0.1 s with them, and some tests ask for hundreds.
    """
    gc.collect()
    gc.freeze()


def compiled_outside(source: str, factory: pytest.TempPathFactory, flags: str = "") -> ModuleType:
    """Compile a module of the tests in a separate setup, against the installed .pxd files."""
    name = Path(source).stem
    folder = compiled_once(source, factory, flags)
    (library,) = [*folder.glob(f"{name}*.so"), *folder.glob(f"{name}*.pyd")]
    spec = importlib.util.spec_from_file_location(name, library)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pickle looks its classes up there
    spec.loader.exec_module(module)
    return module


def compiled_once(source: str, factory: pytest.TempPathFactory, flags: str) -> Path:
    """The folder of the compiled module. One xdist worker compiles it; the others wait."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / f"compiled-{Path(source).stem}{flags}"
    errors = folder / "errors.txt"  # appears when the build has ended; empty on success
    try:
        folder.mkdir()
    except FileExistsError:
        deadline = time.monotonic() + 120
        while not errors.exists():
            assert time.monotonic() < deadline, f"{folder}: another worker is still compiling"
            time.sleep(0.05)
    else:
        partial = folder / "errors.tmp"
        partial.write_text(compile_in(folder, source, flags))
        partial.rename(errors)
    assert not errors.read_text(), errors.read_text()
    return folder


def compile_in(folder: Path, source: str, flags: str) -> str:
    """Compile a module of the tests in a folder; returns the output of a build that failed."""
    name = Path(source).stem
    (folder / f"{name}.pyx").write_bytes((TESTS / source).read_bytes())
    (folder / "setup.py").write_text(SETUP)
    build = subprocess.run(
        [sys.executable, "setup.py", name, "build_ext", "--inplace"],
        cwd=folder,
        env=os.environ | {"CFLAGS": f"-O0 -g0 {flags}"},  # Python's own flags take longer
        capture_output=True,
        text=True,
    )
    return build.stdout + build.stderr if build.returncode else ""


def module_of(source: str) -> Any:
    """The fixture of such a module, which is compiled once in a run of the tests."""
    name = Path(source).stem

    @pytest.fixture(scope="session", name=name)
    def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
        return compiled_outside(source, tmp_path_factory)

    return module


tictactoe = module_of("games/tictactoe.pyx")
broken_games = module_of("games/broken_games.pyx")
ucb1_tuned = module_of("search/ucb1_tuned.pyx")
broken_rules = module_of("search/broken_rules.pyx")
material = module_of("minimax/material.pyx")
first_moves = module_of("search/first_moves.pyx")
parts = module_of("minimax/parts.pyx")


@pytest.fixture(scope="session", params=["baseline", "v4"])
def amaf_counters(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> ModuleType:
    """The module `amaf_counters`, without and with vectors."""
    if request.param not in supported():
        pytest.skip(f"this machine has not the instructions of {request.param}")
    flags = "-march=x86-64-v4" if request.param == "v4" else ""
    return compiled_outside("search/amaf_counters.pyx", tmp_path_factory, flags)
