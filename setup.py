"""The compiled modules. What is not about compiling stands in pyproject.toml.

PLAYOUT_BUILD=debug     no optimisation, C assertions
PLAYOUT_BUILD=sanitize  debug, with the address and undefined-behaviour sanitizers
PLAYOUT_BUILD=coverage  line tracing for coverage.py's Cython plugin
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

MODULES = ["cpu", "rng", "game", "position", "breakthrough", "othello", "playouts"]
HOT = ["game", "position", "breakthrough", "othello", "playouts"]  # compiled once for each level
LEVELS = {"v3": ["-march=x86-64-v3"]}

KIND = os.environ.get("PLAYOUT_BUILD", "release")
FLAGS = {
    # no contraction into fused multiply-add: results are the same on every machine
    "release": ["-O3", "-ffp-contract=off"],
    "debug": ["-O0", "-g", "-UNDEBUG"],
    "sanitize": ["-O1", "-g", "-UNDEBUG", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"],
    "coverage": ["-O0", "-DCYTHON_TRACE=1", "-DCYTHON_USE_SYS_MONITORING=0"],
}
if KIND not in FLAGS:
    sys.exit(f"PLAYOUT_BUILD={KIND}: must be one of {', '.join(FLAGS)}")
MSVC = sys.platform == "win32" and "GCC" not in sys.version


def compiler_takes(flags: list[str]) -> bool:
    """Whether the C compiler accepts these flags."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "empty.c")
        source.write_text("int main(void) { return 0; }\n")
        command = [*compiler, *flags, "-c", str(source), "-o", str(Path(folder, "empty.o"))]
        try:
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


def extension(name: str, sources: list[str], extra: list[str]) -> Extension:
    flags = ["/O2", "/fp:precise"] if MSVC else FLAGS[KIND]
    link = ["-fsanitize=address,undefined"] if KIND == "sanitize" else []
    return Extension(name, sources, extra_compile_args=[*flags, *extra], extra_link_args=link)


def extensions() -> list[Extension]:
    portable = cythonize(
        [extension(f"mcts_core.{name}", [f"mcts_core/{name}.pyx"], []) for name in MODULES],
        build_dir=None if KIND == "coverage" else "build/cython",
        compiler_directives={
            "language_level": 3,
            "cdivision": True,
            "linetrace": KIND == "coverage",
        },
    )
    source_of = {module.name.rpartition(".")[2]: module.sources for module in portable}
    variants = []
    if KIND == "release" and not MSVC:
        for level, flags in LEVELS.items():
            if compiler_takes(flags):
                variants += [extension(f"mcts_core.{level}.{name}", source_of[name], flags) for name in HOT]
    return [*portable, *variants]


class BuildExt(build_ext):
    """An in-place build makes the levels' folders first."""

    def copy_extensions_to_source(self) -> None:
        for module in self.extensions:
            Path(*module.name.split(".")[:-1]).mkdir(exist_ok=True)
        super().copy_extensions_to_source()


setup(
    cmdclass={"build_ext": BuildExt},
    packages=["mcts_core", "playout", "playout.reference"],
    package_dir={"mcts_core": "mcts_core", "playout": "python/playout"},
    package_data={"mcts_core": ["*.pxd", "*.pyx", "*.pyi", "py.typed"], "playout": ["py.typed"]},
    ext_modules=extensions(),
)
