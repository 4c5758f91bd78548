"""Small tools for tests: a chi-square test, Ctrl-C, and Python in another process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import playout as po
from playout.testing import random_game as random_game

# The environment of a process that imports test files: `run_python(code, **WITH_TESTS)`.
TESTS = str(Path(__file__).parents[1])
WITH_TESTS = {
    "PYTHONPATH": os.pathsep.join(filter(None, [TESTS, os.environ.get("PYTHONPATH")])),
}


def chi_square_z(counts: Sequence[int], weights: Sequence[float] | None = None) -> float:
    """How many standard deviations the chi-square of these counts lies above what it should be.

    Weights are equal by default. Uses Wilson and Hilferty's approximation, for two cells or more.
    """
    weights = [1.0] * len(counts) if weights is None else weights
    expected = [sum(counts) * weight / sum(weights) for weight in weights]
    chi_square = sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))
    freedom = len(counts) - 1
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def run_python(code: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh interpreter that does not see the current folder.

    Ctrl-C works in it even if a shell runs the tests in the background, where it is ignored.
    """
    heard = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    return subprocess.run(
        [sys.executable, "-P", "-W", "error", *options, "-c", heard + code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def thread_ids() -> set[str]:
    """The threads of this process, also those unknown to Python. Linux only."""
    return set(os.listdir("/proc/self/task"))


def thread_count() -> int:
    """The number of these threads."""
    return len(thread_ids())


def await_threads(most: int, seconds: float = 30.0) -> None:
    """Wait until there are at most this many threads; a thread takes a moment to end."""
    deadline = time.monotonic() + seconds
    while thread_count() > most:
        assert time.monotonic() < deadline, f"more than {most} threads: {threading.enumerate()}"
        time.sleep(0.0005)


def facts(result: po.Result) -> tuple[object, ...]:
    """A search result without its times."""
    return (
        result.move,
        result.value,
        tuple(result.pv),
        result.playouts,
        result.reason,
        result.moves.tobytes(),
        result.regret,
        result.nodes,
    )


class Heap:
    """Take one to three from a heap. Taking the last one wins. A game in plain Python."""

    n_codes = 6

    def __init__(self, size: int, turn: int = 0) -> None:
        self.size, self.turn = size, turn

    def legal_moves(self) -> list[str]:
        return [f"take {n}" for n in (1, 2, 3) if n <= self.size]

    def play(self, move: str) -> None:
        self.size -= int(move[-1])
        self.turn = 1 - self.turn

    def is_over(self) -> bool:
        return self.size == 0

    def result(self) -> float:
        return float(self.turn)

    def key(self) -> tuple[int, int]:
        return (self.size, self.turn)

    def code(self, move: str) -> int:
        return 3 * self.turn + int(move[-1]) - 1

    def __repr__(self) -> str:
        return f"Heap({self.size}, {self.turn})"
