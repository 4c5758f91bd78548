"""How fast something goes: contestants who take turns, the best round of each.

What `playout bench` and `benchmarks/compare.py` share.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Contestant:
    """Somebody who plays games: `play(n)` plays n of them. Calling it gives (games, seconds)."""

    name: str
    play: Callable[[int], object]
    games: int = 1  # grows until a measurement is long enough

    def __call__(self, at_least: float) -> tuple[int, float]:
        """Play for at least `at_least` seconds.

        The first time is not measured: memory that went back to the system while others played can
        take far longer to get, on a virtual machine above all.
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
    """The contestants of one line of a table, and the best rate of each (in things per second)."""

    title: str
    contestants: list[Contestant]
    rates: dict[str, float] = field(default_factory=dict)


def race(rows: list[Row], rounds: int, at_least: float) -> None:
    """Fill in the rates: best of `rounds`, everybody once in a round."""
    for _ in range(rounds):
        for row in rows:
            for contestant in row.contestants:
                things, seconds = contestant(at_least)
                best = row.rates.get(contestant.name, 0.0)
                row.rates[contestant.name] = max(best, things / seconds)


def short(number: float | None) -> str:
    """Three digits at least.

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
    """The processor's name, as far as the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
