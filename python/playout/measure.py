"""Measuring speed: contestants take turns, and the best round of each counts.

`playout bench` and the scripts in `benchmarks/` use it.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Contestant:
    """Something to measure: `play(n)` does n units of work. Calling it returns (units, seconds)."""

    name: str
    play: Callable[[int], object]
    games: int = 1  # units of one measurement; grows until it takes long enough

    def __call__(self, at_least: float) -> tuple[int, float]:
        """Measure work of at least `at_least` seconds.

        A first, unmeasured unit gets the memory again that went back to the system while the others
        worked. That can be slow, especially on a virtual machine.
        """
        self.play(self.games)
        while True:
            begin = time.perf_counter()
            self.play(self.games)
            seconds = time.perf_counter() - begin
            if seconds >= at_least:
                return self.games, seconds
            growth = 1.2 * at_least / max(seconds, 1e-9)
            self.games = int(self.games * min(max(growth, 1.2), 100)) + 1


@dataclass
class Row:
    """The contestants of one line of a table, and the best rate of each, in units per second."""

    title: str
    contestants: list[Contestant]
    rates: dict[str, float] = field(default_factory=dict)


def race(rows: list[Row], rounds: int, at_least: float) -> None:
    """Fill in the rates: the best of `rounds` rounds, in each of which everyone is measured."""
    for _ in range(rounds):
        for row in rows:
            for contestant in row.contestants:
                things, seconds = contestant(at_least)
                best = row.rates.get(contestant.name, 0.0)
                row.rates[contestant.name] = max(best, things / seconds)


def short(number: float | None) -> str:
    """A rate in short, with at least three digits.

    >>> short(9_520_000), short(84_400), short(637)
    ('9.52 M', '84.4 k', '637')
    """
    if number is None:
        return ""
    for limit, unit in ((1e6, " M"), (1e3, " k")):
        if number >= limit:
            scaled = number / limit
            return f"{scaled:.{2 if scaled < 10 else 1 if scaled < 100 else 0}f}{unit}"
    return f"{number:.{0 if number >= 100 else 1}f}"


def cpu_model() -> str:
    """The name of the processor, if the system has it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
