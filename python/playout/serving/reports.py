"""When a program that waits for a move hears what is known so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter

from playout.result import Result
from playout.serving.lines import Output
from playout.serving.scores import depth_of

EVERY = 0.5  # seconds after which a report comes even without a new depth, by default


class Reports:
    """Writes the lines of one search: at each new depth, after `every` seconds, and at its end."""

    def __init__(
        self,
        out: Output,
        lines_of: Callable[[Result], Iterable[str]],
        every: float = EVERY,
    ) -> None:
        self._out, self._lines_of, self._every = out, lines_of, every
        self._depth, self._last = 0, perf_counter()

    def report(self, result: Result) -> None:
        """Write the lines of a result, if it is time to."""
        now, depth = perf_counter(), depth_of(result)
        if depth > self._depth or now - self._last >= self._every or result.reason != "running":
            self._depth, self._last = depth, now
            self._out.write("\n".join(self._lines_of(result)))
