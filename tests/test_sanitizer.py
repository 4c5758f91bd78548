"""PLAYOUT_BUILD=sanitize catches planted bugs; otherwise its clean runs would prove nothing."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]

BUGS = """
# cython: language_level=3
from libc.stdlib cimport free, malloc

def write(int size, int index):
    cdef char* room = <char*> malloc(size)
    room[index] = 1
    free(room)

def shift(int by):
    return 1 << by                      # of 32 bits: undefined in C for 32 or more
"""

SETUP = """
from Cython.Build import cythonize
from setuptools import Extension, setup
bugs = Extension("bugs", ["bugs.pyx"], extra_compile_args={flags}, extra_link_args={link_flags})
setup(name="bugs", ext_modules=cythonize([bugs]))
"""


@pytest.fixture(scope="module")
def runtime() -> str:
    """The library of the address sanitizer, to be loaded before Python."""
    try:
        command = ["gcc", "-print-file-name=libasan.so"]
        path = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        path = ""
    if sys.platform != "linux" or not Path(path).is_absolute():
        pytest.skip("needs Linux and gcc with its address sanitizer")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the module `bugs` is, compiled as the sanitizer build compiles."""
    folder = tmp_path_factory.mktemp("sanitizer")
    ours = runpy.run_path(str(ROOT / "setup.py"), run_name="flags")
    setup = SETUP.format(flags=ours["FLAGS"]["sanitize"], link_flags=ours["LINK_FLAGS"]["sanitize"])
    (folder / "bugs.pyx").write_text(BUGS)
    (folder / "setup.py").write_text(setup)
    build = [sys.executable, "setup.py", "build_ext", "--inplace"]
    run = subprocess.run(build, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


@pytest.mark.parametrize(
    ("call", "report"),
    [
        ("write(8, 7)", ""),
        ("write(8, 8)", "AddressSanitizer: heap-buffer-overflow"),
        ("shift(31)", ""),
        ("shift(32)", "runtime error: shift exponent 32"),
    ],
)
def test_bug_is_caught(runtime: str, folder: Path, call: str, report: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", f"import bugs; bugs.{call}; print('finished')"],
        cwd=folder,
        env=os.environ | {"LD_PRELOAD": runtime, "ASAN_OPTIONS": "detect_leaks=0"},
        capture_output=True,
        text=True,
    )
    if report:
        assert run.returncode != 0
        assert report in run.stderr
    else:
        assert run.stdout == "finished\n", run.stderr
