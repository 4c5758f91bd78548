"""The source distribution and the wheel are complete and work when installed."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BUILD = runpy.run_path(str(ROOT / "setup.py"), run_name="names")  # its names, without a build
USE = "import playout as po; print(po.playouts(po.Breakthrough(5), 1000, seed=1).wins)"


@dataclass
class Built:
    """The two distributions, and the folder that the wheel was unpacked to."""

    sdist: Path
    wheel: Path
    site: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sdist of a copy of the sources, the wheel made from this sdist, and its installation."""
    folder = tmp_path_factory.mktemp("packaging")
    source = folder / "source"
    shutil.copytree(
        ROOT,
        source,
        ignore=shutil.ignore_patterns(".git", ".venv", "build", "dist", "*_cache", "*.egg-info"),
    )
    (source / "mcts_core" / "left_over.c").touch()
    (source / "mcts_core" / "left_over.so").touch()
    sdist = call_backend("build_sdist", source, folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    wheel = call_backend("build_wheel", folder / sdist.name.removesuffix(".tar.gz"), folder)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return Built(sdist, wheel, folder / "site")


def call_backend(hook: str, source: Path, target: Path) -> Path:
    """Build as `python -m build` does, but with the installed setuptools and Cython."""
    run = subprocess.run(
        [sys.executable, "-c", BACKEND, hook, target],
        cwd=source,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return target / run.stdout.splitlines()[-1]


BACKEND = """
import sys
from setuptools import build_meta
print(getattr(build_meta, sys.argv[1])(sys.argv[2]))
"""


def names(archive: Path) -> set[str]:
    """The files in a wheel, or in an sdist below its top folder."""
    if archive.suffix == ".whl":
        return set(zipfile.ZipFile(archive).namelist())
    with tarfile.open(archive) as opened:
        files = [member.name for member in opened.getmembers() if member.isfile()]
    return {name.partition("/")[2] for name in files}


def tracked() -> set[str]:
    """The files under version control."""
    run = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if run.returncode:
        pytest.skip("not a git clone")
    return set(run.stdout.split())


def test_sdist_has_all_that_is_tracked(built: Built) -> None:
    assert tracked() - names(built.sdist) <= {".gitignore"}


@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_nothing_generated_is_shipped(built: Built, kind: str) -> None:
    shipped = names(getattr(built, kind)) - tracked()
    assert not {name for name in shipped if name.endswith((".c", ".o", ".pyc"))}
    assert not {name for name in shipped if "left_over" in name}


def test_wheel_has_what_cimport_and_type_checkers_need(built: Built) -> None:
    sources = {
        path.relative_to(ROOT).as_posix()
        for pattern in ("*.pxd", "*.pyi", "*.py", "*.h", "py.typed")
        for path in (ROOT / "mcts_core").rglob(pattern)
    }
    assert {"mcts_core/position.pyi", "mcts_core/search/tree.pyi"} <= sources
    assert {"mcts_core/game.pxd", "mcts_core/py.typed"} <= sources
    assert sources | {"playout/__init__.py", "playout/py.typed"} <= names(built.wheel)


def test_wheel_is_small(built: Built) -> None:
    """Learned patterns take up to 2 MB; sources that nobody can import are in the sdist alone."""
    patterns = sum(path.stat().st_size for path in (ROOT / "python").rglob("*.pat"))
    assert patterns < 2_000_000
    assert built.wheel.stat().st_size - patterns < 3_500_000
    assert not {name for name in names(built.wheel) if name.endswith((".pyx", ".pxi"))}


def test_wheel_has_the_command_line(built: Built) -> None:
    files = {path.name for path in (ROOT / "python" / "playout" / "cli").glob("*.py")}
    assert {f"playout/cli/{name}" for name in files} <= names(built.wheel)
    (entries,) = built.site.glob("playout-*.dist-info/entry_points.txt")
    assert "playout = playout.cli:main" in entries.read_text()


def test_wheel_has_every_package_and_nothing_else(built: Built) -> None:
    python = ROOT / "python"
    ours = {path.relative_to(python).as_posix() for path in python.rglob("*.py")}
    shipped = {name for name in names(built.wheel) if name.startswith("playout/")}
    learned = [path for kind in ("net", "pat", "book") for path in python.rglob(f"*.{kind}")]
    learned_files = {path.relative_to(python).as_posix() for path in learned}
    assert len(learned_files) == 7
    page = {path.relative_to(python).as_posix() for path in python.glob("playout/web/static/*")}
    assert {"playout/web/static/index.html", "playout/web/static/main.js"} <= page
    others = {"playout/py.typed", "playout/arena/levels.json"}
    assert shipped == ours | learned_files | page | others
    assert {name.partition("/")[0].partition("-")[0] for name in names(built.wheel)} == {
        "mcts_core",
        "playout",
    }


def test_wheel_has_the_compiled_modules_of_every_level(built: Built) -> None:
    suffixes = (".so", ".pyd")
    compiled = {name.partition(".")[0] for name in names(built.wheel) if name.endswith(suffixes)}
    paths = {module: module.replace(".", "/") for module in BUILD["MODULES"]}
    expected = {f"mcts_core/{path}" for path in paths.values()}
    expected.add(BUILD["SHARED"].replace(".", "/"))
    for level, flags in BUILD["LEVELS"].items():
        if BUILD["compiler_takes"](flags):
            expected |= {f"mcts_core/{level}/{paths[module]}" for module in BUILD["HOT"]}
    assert compiled == expected


def test_wheel_requires_what_the_command_line_needs(built: Built) -> None:
    (metadata,) = built.site.glob("playout-*.dist-info/METADATA")
    lines = metadata.read_text(encoding="utf-8").splitlines()
    required = [line for line in lines if line.startswith("Requires-Dist: ") and ";" not in line]
    names = {re.split(r"[<>=!]", line.removeprefix("Requires-Dist: "))[0] for line in required}
    assert names == {"numpy", "click", "rich"}
    for version in ("3.11", "3.12", "3.13"):
        assert f"Classifier: Programming Language :: Python :: {version}" in lines


def test_wheel_has_the_licence(built: Built) -> None:
    assert any(name.endswith("/licenses/LICENSE") for name in names(built.wheel))


def run_python(code: str, cwd: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in `cwd` with only the packages in `site` and numpy."""
    path = os.pathsep.join([str(site), str(Path(np.__file__).parents[1])])
    return subprocess.run(
        [sys.executable, "-S", "-W", "error", "-c", code],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )


def test_installed_package_works(built: Built, tmp_path: Path) -> None:
    run = run_python(f"{USE}; print(po.__file__)", tmp_path, built.site)
    assert run.stdout.split() == ["534", str(built.site / "playout" / "__init__.py")], run.stderr


def test_source_folder_names_the_remedy(built: Built) -> None:
    """In the top folder of the sources, `mcts_core` is the folder without compiled modules."""
    sources = built.site.parent / built.sdist.name.removesuffix(".tar.gz")
    run = run_python(USE, sources, built.site)
    assert run.returncode == 1
    assert "pip install -e ." in run.stderr.splitlines()[-1]
