"""Compiles the modules of `mcts_core`. All other settings of the build are in pyproject.toml.

PLAYOUT_BUILD chooses the kind of build:

    release   (the default) optimised, for any CPU; hot modules also for each level of LEVELS
    debug     not optimised, with C assertions and symbols
    sanitize  with the address and undefined-behaviour sanitizers
    threads   with the thread sanitizer
    coverage  with line tracing, for coverage.py's Cython plugin
"""

import copy
import gc
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent
PACKAGE = "mcts_core"
MODULES = sorted(
    ".".join(source.relative_to(HERE / PACKAGE).with_suffix("").parts)
    for source in (HERE / PACKAGE).rglob("*.pyx")
)
# Code of Cython that several modules use, such as memoryviews: one module has it for all.
SHARED = f"{PACKAGE}._shared"
# Modules that are also compiled for each level, because measurements showed a gain (docs/speed.md).
# All other modules are compiled once, for any processor. Each module here costs build time and
# size.
HOT = {
    *("batched.flight", "batched.gumbel", "batched.puct", "batched.tree"),
    *("games.breakthrough_rules", "games.breakthrough_lanes", "games.breakthrough_lanes32"),
    *("games.connect_four_rules", "games.connect_four_lanes"),
    *("evaluation.net_score", "evaluation.pattern_score"),
    *("games.othello_rules", "games.othello_lanes"),
    *("minimax.alphabeta_search", "minimax.othello_search", "minimax.endgame_search"),
    "minimax.proof_search",
    *("search.amaf", "search.playout_log", "search.simulation"),
    *("search.rules.grave", "search.rules.rave", "search.rules.uct", "search.rules.uct_tuned"),
}
# Modules that no loop of a search or a playout runs in. They are compiled for size, which makes the
# wheel smaller and faster to build.
SMALL = {
    *("batched.chooser", "batched.evaluation", "batched.search"),
    *(
        "arrays",
        "base.crew",
        "base.engine",
        "cpu",
        "evaluation.function",
        "evaluation.net",
        "evaluation.othello_eval",
        "evaluation.patterns",
        "evaluator",
        "playouts",
        "rng",
        "rule",
    ),
    *("games.breakthrough", "games.connect_four", "games.othello"),
    *("games.check", "games.check_knowledge", "games.check_rules"),
    *("games.python_game", "games.python_rules"),
    *("minimax.alphabeta", "minimax.alphabeta_root", "minimax.endgame", "minimax.evaluated"),
    *("minimax.finisher", "minimax.limits"),
    *("minimax.othello_alphabeta", "minimax.proof", "minimax.selfplay"),
    *("search.driver", "search.flat", "search.formulas", "search.growing"),
    *("search.choice", "search.halving", "search.keep"),
    *("search.policies.function", "search.root", "search.rows", "search.saving"),
    "search.tree",
}
LEVELS = {
    # -mtune: 3 % more random games on 5x5, nothing on 8x8
    "v3": ["-march=x86-64-v3", "-mtune=skylake"],
    "v4": [
        *("-march=x86-64-v4", "-mavx512vpopcntdq", "-mavx512bitalg", "-mavx512vbmi"),
        "-mprefer-vector-width=512",
    ],
}

KIND = os.environ.get("PLAYOUT_BUILD") or "release"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
FLAGS = {
    # No contraction into fused multiply-add, so that results are the same on every machine. errno
    # and floating-point flags are not used, so loops with a division or a root can be vectorised.
    # Python's own flags add debug symbols, most of a module's size; -g0 leaves them out. So are
    # the tables for unwinding C functions, a twentieth of the size, which exceptions of C++ need.
    # Python's flags also ask for warnings, a twentieth of the time of a build; the other kinds of
    # build have them.
    "release": [
        *("-O3", "-g0", "-fno-asynchronous-unwind-tables", "-Wno-all"),
        *("-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"),
    ],
    "debug": ["-O0", "-g", "-UNDEBUG"],
    # for this machine, so that its vector code is checked too
    "sanitize": ["-O1", "-g", "-march=native", "-UNDEBUG", "-fno-omit-frame-pointer", *SANITIZERS],
    "threads": ["-O1", "-g", "-march=native", "-fsanitize=thread"],
    "coverage": ["-O0", "-DCYTHON_TRACE_NOGIL=1", "-DCYTHON_USE_SYS_MONITORING=0"],
}
LINK_FLAGS = {"sanitize": SANITIZERS, "threads": ["-fsanitize=thread"]}
# For release builds: no symbol table, no build id, no padding between segments
STRIP = ["-Wl,-s,--build-id=none,-z,noseparate-code"]
MSVC = sys.platform == "win32" and "GCC" not in sys.version


def compiler_takes(flags: list[str]) -> bool:
    """Whether the C compiler accepts these flags (-Wl flags go to the linker)."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "empty.c")
        source.write_text("int main(void) { return 0; }\n")
        command = [*compiler, *flags, str(source), "-o", str(Path(folder, "empty"))]
        try:
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


@cache
def link_flags() -> list[str]:
    """The linker flags of this kind of build."""
    if KIND == "release" and not MSVC and compiler_takes(STRIP):
        return STRIP
    return [] if MSVC else LINK_FLAGS.get(KIND, [])


def extension(name: str, sources: list[str], extra: list[str]) -> Extension:
    """One compiled module, with the flags of this kind of build and extra ones."""
    flags = ["/O2", "/fp:precise"] if MSVC else FLAGS[KIND]
    return Extension(
        name,
        sources,
        extra_compile_args=[*flags, *extra],
        extra_link_args=link_flags(),
        include_dirs=[str(HERE)],  # for "mcts_core/base/lanes.h"
        depends=["setup.py"],  # the flags are there
    )


def size_flags() -> list[str]:
    """The flag that compiles a module for size, in release builds."""
    return ["-Os"] if KIND == "release" and not MSVC else []


def modules() -> list[Extension]:
    """Every module for any CPU; in a release build also the hot ones for each level."""
    found = [extension(SHARED, [], size_flags())]  # the source of this one is written by Cython
    for name in MODULES:
        flags = size_flags() if name in SMALL else []
        found.append(extension(f"{PACKAGE}.{name}", [source_of(name)], flags))
    if KIND == "release" and not MSVC:
        for level, flags in LEVELS.items():
            if compiler_takes(flags):
                found += [
                    extension(f"{PACKAGE}.{level}.{name}", [source_of(name)], flags)
                    for name in sorted(HOT)
                ]
    return found


def source_of(name: str) -> str:
    """The source of a module."""
    return f"{PACKAGE}/{name.replace('.', '/')}.pyx"


def without_level(name: str) -> str:
    """The name of a module whose C code is that of this one."""
    return ".".join(part for part in name.split(".") if part not in LEVELS)


def translate(extensions: list[Extension]) -> None:
    """Translate the sources of modules to C, once for all levels."""
    gc.set_threshold(50_000)  # else Python looks through Cython's trees for a third of the time
    translated = cythonize(
        [module for module in extensions if module.name == without_level(module.name)],
        shared_utility_qualified_name=SHARED,
        # the coverage plugin needs the .c file beside the .pyx file
        build_dir=None if KIND == "coverage" else "build/cython",
        nthreads=os.cpu_count() or 1,
        compiler_directives={
            "language_level": 3,
            "cdivision": True,
            "linetrace": KIND == "coverage",
        },
    )
    sources = {module.name: module.sources for module in translated}
    for module in extensions:
        module.sources = sources[without_level(module.name)]


def packages(name: str, folder: str) -> list[str]:
    """A package and those inside it: all folders with an `__init__.py`."""
    inits = Path(folder, name).rglob("__init__.py")
    return sorted(".".join(init.parent.relative_to(folder).parts) for init in inits)


class BuildExt(build_ext):
    """Builds the same source for several levels, also in place."""

    def finalize_options(self) -> None:
        """Compile on all cores. In place, compile only what has changed.

        For an editable install setuptools compiles everything each time, in a temporary folder.
        """
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        if self.inplace:
            folder = f"build/{KIND}/{self.plat_name}-{sys.implementation.cache_tag}"
            self.build_lib, self.build_temp = f"{folder}/lib", f"{folder}/temp"

    def run(self) -> None:
        """Translate and compile. Other commands, which pip calls first, only ask for names."""
        translate(self.extensions)
        super().run()

    def build_extension(self, ext: Extension) -> None:
        """Compile in a folder for the level, because object files are named after their source."""
        job = copy.copy(self)
        job.build_temp = os.path.join(self.build_temp, ext.name.rpartition(".")[0])
        super(BuildExt, job).build_extension(ext)

    def copy_extensions_to_source(self) -> None:
        """Copy this build into the source folder and remove modules that are not of this build."""
        folders = {Path(*ext.name.split(".")[:-1]) for ext in self.extensions}
        for level in LEVELS:
            if Path(PACKAGE, level) not in folders:
                shutil.rmtree(Path(PACKAGE, level), ignore_errors=True)
        built = {self.get_ext_filename(ext.name) for ext in self.extensions}
        for module in Path(PACKAGE).rglob("*" + sysconfig.get_config_var("EXT_SUFFIX")):
            if str(module) not in built:
                module.unlink()  # of an older source
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
        self.force = True  # overwrite newer files too: they may be of another kind of build
        super().copy_extensions_to_source()


if __name__ == "__main__":
    if KIND not in FLAGS:
        sys.exit(f"PLAYOUT_BUILD={KIND}: must be one of {', '.join(FLAGS)}")
    setup(
        cmdclass={"build_ext": BuildExt},
        options={"build": {"build_base": f"build/{KIND}"}},
        packages=[*packages(PACKAGE, "."), *packages("playout", "python")],
        package_dir={PACKAGE: PACKAGE, "playout": "python/playout"},
        include_package_data=False,  # sources that only the sdist needs would be a tenth of a wheel
        package_data={
            "": ["*.pxd", "*.pyi", "*.h", "py.typed"],
            "playout.arena": ["levels.json"],
            "playout.learning": ["shipped/*.net", "shipped/*.pat", "shipped/*.book"],
            "playout.web": ["static/*"],
        },
        ext_modules=modules(),
    )
