"""The commands that start an engine: wrong arguments, and a reader that goes away."""

from __future__ import annotations

import subprocess
import sys

import pytest

from support.commands import fault


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["uci", "you"], "an engine plays by a method, such as rave, not by 'you'"),
        (["gtp", "bot.py"], "'bot.py': engines and files play in `playout match`"),
        (["uci", "uctt"], "did you mean 'uct'?"),
        (["uci", "uct@fast"], "after @ comes a level"),
        (["nboard", "AlphaBeta@100"], "counts no playouts"),
        (["uci", "--variant", "chess"], "'chess' is not one of"),
        (["gtp", "--game", "othello", "--size", "5"], "a size of 8, 6 or 4, not 5"),
        (["gtp", "--size", "0"], "3 to 8 rows, not 0"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str) -> None:
    assert message in fault(*arguments)


@pytest.mark.parametrize(
    ("protocol", "line"), [("uci", "go infinite"), ("gtp", "list_commands"), ("nboard", "hint 1")]
)
def test_nobody_reads_the_answers(protocol: str, line: str) -> None:
    """The engine ends with its input, without a traceback."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "playout", protocol],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate(f"{line}\n".encode() * 3, timeout=60)
    assert process.returncode in (0, 1)
    assert errors == b""
