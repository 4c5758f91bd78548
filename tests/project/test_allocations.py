"""The sweep of allocations catches planted bugs; otherwise a clean sweep would prove nothing."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the allocator is for Linux"),
    pytest.mark.slow,
]

BUGS = """
# cython: language_level=3
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc


def careful(subject):
    cdef char* room = <char*> PyMem_RawMalloc(64)
    if room == NULL:
        raise MemoryError()
    PyMem_RawFree(room)
    return "done"

def ignoring(subject):
    cdef char* room = <char*> PyMem_RawMalloc(64)
    room[0] = 1
    PyMem_RawFree(room)
    return "done"

def forgetting(subject):
    cdef char* one = <char*> PyMem_RawMalloc(64)
    cdef char* other = <char*> PyMem_RawMalloc(64)
    if one == NULL or other == NULL:
        raise MemoryError()             # the one that there is stays behind
    PyMem_RawFree(one)
    PyMem_RawFree(other)
    return "done"

def concealing(subject):
    cdef char* room = <char*> PyMem_RawMalloc(64)
    if room == NULL:
        return "not done"
    PyMem_RawFree(room)
    return "done"

def misnaming(subject):
    cdef char* room = <char*> PyMem_RawMalloc(64)
    if room == NULL:
        raise ValueError("not done")
    PyMem_RawFree(room)
    return "done"

def half_done(subject):
    subject.append(1)
    careful(subject)
    return len(subject)
"""

ENTRIES = """
import bugs
from _entries import Entry

ENTRIES = {
    name: Entry(list, getattr(bugs, name))
    for name in ("careful", "ignoring", "forgetting", "concealing", "misnaming", "half_done")
}
"""


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the sweep says of each of the functions above."""
    folder = tmp_path_factory.mktemp("allocations")
    (folder / "bugs.pyx").write_text(BUGS)
    (folder / "planted.py").write_text(ENTRIES)
    build = [sys.executable, "-m", "Cython.Build.Cythonize", "--inplace", "--quiet", "bugs.pyx"]
    run = subprocess.run(build, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", str(folder), prepend=":")
        outcomes: list[dict[str, Any]] = attack().swept("planted", stride=1)
    return {outcome["name"]: "\n".join(outcome["faults"]) for outcome in outcomes}


def attack() -> ModuleType:
    path = Path(__file__).parents[1] / "attack" / "allocations.py"
    spec = importlib.util.spec_from_file_location("allocations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("ignoring", "ended the process by SIGSEGV"),
        ("forgetting", "left something behind, each time: bugs.pyx:23"),
        ("concealing", "returned\nnot done"),
        ("misnaming", "raised\n"),
        ("half_done", "answered afterwards\n2"),
    ],
)
def test_planted_bug_is_caught(faults: dict[str, str], name: str, fault: str) -> None:
    assert fault in faults[name]


def test_careful_code_is_passed(faults: dict[str, str]) -> None:
    assert faults["careful"] == ""
