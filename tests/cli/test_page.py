"""The commands in docs/command-line.md print what the page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import timeless

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
BLOCKS = re.findall(
    r"(<!-- depends on the machine -->\s+)?```console\n(.*?)\n```",
    PAGE.read_text(encoding="utf-8"),
    re.DOTALL,
)


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block with what each prints."""
    parts = re.split(r"^\$ (.*)$", block, flags=re.MULTILINE)
    assert parts[0] == ""
    return list(zip(parts[1::2], parts[2::2], strict=True))


# `playout bench` with the shortest races: the test compares only how each line begins.
SHORT = """
import sys
from playout.cli import bench, main
from playout.measure import race
bench.race = lambda rows, rounds, at_least: race(rows, rounds=1, at_least=0.0)
sys.exit(main())
"""


def printed(command: str, folder: Path) -> str:
    """The output of a shell for this command, errors included."""
    program = f"-c '{SHORT}'" if command.startswith("playout bench") else "-m playout"
    shell = f'playout() {{ "{sys.executable}" {program} "$@"; }}\n{command}'
    return subprocess.run(
        ["sh", "-c", shell],
        cwd=folder,
        env=os.environ | {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ).stdout


def words(text: str) -> list[str]:
    """The words of a text without times; line breaks may depend on the times."""
    return timeless(text).split()


def beginnings(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines() if line.strip()]


def test_the_page_shows_every_command() -> None:
    from playout.cli.app import COMMANDS

    shown = " ".join(command for _, block in BLOCKS for command, _ in commands(block))
    assert all(f"playout {name}" in shown for name in COMMANDS)


@pytest.mark.skipif(not shutil.which("sh"), reason="the page is written for a Unix shell")
@pytest.mark.parametrize(
    ("is_loose", "block"), BLOCKS, ids=[block.partition("\n")[0][2:42] for _, block in BLOCKS]
)
def test_commands_of_the_page(is_loose: str, block: str, tmp_path: Path) -> None:
    """Equal without times. Where output depends on the machine: the beginnings of the lines."""
    for command, expected in commands(block):
        compared = beginnings if is_loose else words
        assert compared(printed(command, tmp_path)) == compared(expected), command
