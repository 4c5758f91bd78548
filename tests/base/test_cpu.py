"""The instruction set is chosen by what the machine has, or by PLAYOUT_CPU."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

import mcts_core
import playout as po
from mcts_core import cpu
from support.helpers import run_python

CPU_INFO = Path("/proc/cpuinfo")
V3_FLAGS = {"avx2", "bmi1", "bmi2", "popcnt", "fma"}


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not CPU_INFO.exists(), reason="asks Linux on x86-64"
)
def test_levels_are_those_of_the_machine() -> None:
    flags = next(line for line in CPU_INFO.read_text().splitlines() if line.startswith("flags"))
    assert cpu.supported()[0] == "baseline"
    assert ("v3" in cpu.supported()) == (set(flags.split()) >= V3_FLAGS)


def test_the_level_in_use_is_built_and_supported() -> None:
    assert po.cpu() == mcts_core.cpu_level
    assert po.cpu() in cpu.supported()
    assert po.cpu() in mcts_core.built_levels


@pytest.mark.parametrize("level", mcts_core.built_levels)
def test_a_level_is_forced(level: str) -> None:
    """Then the modules of this level run."""
    if level not in cpu.supported():
        pytest.skip(f"this machine cannot run {level}")
    folder = "mcts_core" if level == "baseline" else level
    run = run_python(
        "import pathlib, playout, mcts_core.games.breakthrough_rules as game\n"
        "print(playout.cpu(), pathlib.Path(game.__file__).parents[1].name)",
        PLAYOUT_CPU=level,
    )
    assert run.stdout.split() == [level, folder], run.stderr


def test_an_unknown_level_is_refused() -> None:
    run = run_python("import playout", PLAYOUT_CPU="v9")
    assert run.returncode == 1
    assert "PLAYOUT_CPU=v9: this build and this machine offer baseline" in run.stderr
