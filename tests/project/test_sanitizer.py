"""The sanitizer builds catch planted bugs, and find no races in searches."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

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


RACE = """
# cython: language_level=3
cdef long[64] totals

def add(int n):
    cdef int i
    with nogil:
        for i in range(n):
            totals[i & 63] += 1
"""

RACING = """
import threading, bugs
threads = [threading.Thread(target=bugs.add, args=(10_000_000,)) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("finished")
"""


def library(name: str) -> str:
    """The path of a sanitizer's library, which must be preloaded."""
    try:
        command = ["gcc", f"-print-file-name={name}.so"]
        path = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        path = ""
    if sys.platform != "linux" or not Path(path).is_absolute():
        pytest.skip(f"needs Linux and gcc with {name}")
    return path


@pytest.fixture(scope="module")
def runtime() -> str:
    return library("libasan")


@pytest.fixture(scope="module")
def watching_threads() -> dict[str, str]:
    """The environment of a process under the thread sanitizer."""
    return os.environ | {
        "LD_PRELOAD": library("libtsan"),
        "TSAN_OPTIONS": "history_size=7 exitcode=66",
        "OPENBLAS_NUM_THREADS": "1",
    }


@pytest.fixture(scope="module")
def watched(watching_threads: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the library built with the thread sanitizer."""
    folder = tmp_path_factory.mktemp("threads")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--target", str(folder), "."]
    environment = os.environ | {"PLAYOUT_BUILD": "threads"}
    build = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert build.returncode == 0, build.stdout + build.stderr
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the module `bugs`, compiled like the sanitizer build."""
    return compiled(tmp_path_factory.mktemp("sanitizer"), BUGS, "sanitize")


def compiled(folder: Path, source: str, kind: str) -> Path:
    """Compile a module `bugs` into a folder, with the flags of a kind of build."""
    ours = runpy.run_path(str(ROOT / "setup.py"), run_name="flags")
    setup = SETUP.format(flags=ours["FLAGS"][kind], link_flags=ours["LINK_FLAGS"][kind])
    (folder / "bugs.pyx").write_text(source)
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


def test_race_is_caught(watching_threads: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", RACING]
    folder = compiled(tmp_path, RACE, "threads")
    run = subprocess.run(command, cwd=folder, env=watching_threads, capture_output=True, text=True)
    assert run.returncode == 66
    assert "ThreadSanitizer: data race" in run.stderr


def test_threads_do_not_race(watching_threads: dict[str, str], watched: Path) -> None:
    """Everything that threads share in a search is atomic or locked."""
    run = subprocess.run(
        [sys.executable, ROOT / "tests" / "support" / "threads_at_work.py"],
        cwd=watched,
        env=watching_threads | {"PYTHONPATH": str(watched)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr[:5000]
    assert run.stdout == "finished\n"


def test_threads_of_python_do_not_race(watching_threads: dict[str, str], watched: Path) -> None:
    """No races in the attack `hammer`, where threads share objects, in half a minute."""
    folders = [watched, ROOT / "tests" / "attack", ROOT / "tests"]
    environment = watching_threads | {"PYTHONPATH": os.pathsep.join(map(str, folders))}
    run = subprocess.run(
        [sys.executable, "-c", "import hammer; print(hammer.work(30, seed=1) > 0)"],
        cwd=watched,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr[:5000]
    assert run.stdout == "True\n"
