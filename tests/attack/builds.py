"""Results are equal in all builds: levels of the instruction set, compilers, versions of Python.

The short form compares the levels of the installed build. In full size the library is also built
without optimisation, by clang, and for every installed version of Python, each in its own virtual
environment.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

PROMISE = "results are equal for every level, compiler and Python"

ROOT = Path(__file__).parents[2]
DIGEST = Path(__file__).with_name("_digest.py")
SOURCES = (
    "setup.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "MANIFEST.in",
    "mcts_core",
    "python",
)
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LEVELS = """
import mcts_core
from mcts_core.cpu import supported
print(*(level for level in supported() if level in mcts_core.built_levels))
"""


ALONE = {"PYTHONPATH": ""}  # an installed build must not import from another folder


class Build(NamedTuple):
    """How to build the library."""

    name: str
    python: str
    environment: dict[str, str]


def attack(night: bool) -> str:
    """Compare the digests of all builds, at every level that they have and this machine runs."""
    digests = at_all_levels("installed", sys.executable)
    figure = f"{len(digests)} levels"
    if night:
        builds, missing = known_builds()
        for build in builds:
            with tempfile.TemporaryDirectory() as folder:
                digests |= at_all_levels(build.name, installed(build, Path(folder)), **ALONE)
        figure = ", ".join([figure, *(build.name for build in builds)])
        figure += f" ({', '.join(missing)} left out: not found)" if missing else ""
    assert_equal(digests)
    return f"{figure}: {len(digests)} times the same digest"


def assert_equal(digests: dict[str, dict[str, str]]) -> None:
    """Raise an error that names the builds and parts that differ from the first."""
    (first, wanted), *others = digests.items()
    faults = [
        f"{name} differs from {first} in {part}"
        for name, found in others
        for part in wanted
        if found[part] != wanted[part]
    ]
    assert not faults, "\n".join(faults)


def at_all_levels(name: str, python: str, **environment: str) -> dict[str, dict[str, str]]:
    """The digests of this Python's library, for each level."""
    levels = output([python, "-P", "-c", LEVELS], **environment).split()
    return {
        f"{name}, level {level}": json.loads(
            output([python, "-P", str(DIGEST)], PLAYOUT_CPU=level, **environment)
        )
        for level in levels
    }


def known_builds() -> tuple[list[Build], list[str]]:
    """The builds that are possible here, and the missing tools of the others."""
    builds = [Build("gcc -O0", sys.executable, {"PLAYOUT_BUILD": "debug"})]
    missing = []
    if shutil.which("clang"):
        builds.append(Build("clang", sys.executable, {"CC": "clang"}))
    else:
        missing.append("clang")
    for version in PYTHONS:
        if sys.version.startswith(f"{version}."):
            continue
        python = python_of(version)
        if python is None:
            missing.append(f"Python {version}")
        else:
            builds.append(Build(f"Python {version}", python, {}))
    return builds, missing


def python_of(version: str) -> str | None:
    """A Python of that version: on the path, or one of pyenv's."""
    candidates = [f"python{version}"]
    if shutil.which("pyenv"):
        versions = Path(output(["pyenv", "root"]).strip(), "versions")
        candidates += [str(folder / "bin" / "python") for folder in versions.glob(f"{version}.*")]
    for candidate in filter(shutil.which, candidates):
        # a shim of pyenv may exist without its Python
        command = [candidate, "-c", "import sys; print(sys.executable)"]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode == 0:
            return run.stdout.strip()
    return None


def installed(build: Build, folder: Path) -> str:
    """Build the library in a virtual environment. Returns its Python."""
    source, python = folder / "source", str(folder / "environment" / "bin" / "python")
    source.mkdir()
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    for compiled in source.rglob("*.so"):
        compiled.unlink()
    output([build.python, "-m", "venv", str(folder / "environment")])
    install = [python, "-m", "pip", "install", "--quiet", str(source)]
    output(install, **build.environment, **ALONE)
    return python


def output(command: list[str], **environment: str) -> str:
    """What a command prints."""
    return subprocess.run(
        command, env=os.environ | environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
