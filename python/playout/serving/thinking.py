"""A search on a thread of its own, which others may end at any moment."""

from __future__ import annotations

import threading
from collections.abc import Callable

from playout.request import Run
from playout.result import Result

# Seconds between two calls of `stop`. One that comes between two slices of a search has no effect.
AGAIN = 0.005

Begin = Callable[[], Run]
Report = Callable[[Result], None]
Finish = Callable[[Result | None, Exception | None], None]


class Thinking:
    """One search. `report` gets each result, `finish` the last one, or what went wrong.

    Both are called on the search's thread. With `is_held`, `finish` waits until `release` or
    `stop`, also if the search ends before.
    """

    def __init__(
        self, begin: Begin, report: Report, finish: Finish, *, is_held: bool = False
    ) -> None:
        self._begin, self._report, self._finish = begin, report, finish
        self._run: Run | None = None  # once there is a result, so that there is a move
        self._is_stopped = threading.Event()
        self._released = threading.Event()
        self._done = threading.Event()
        self._timer: threading.Timer | None = None
        if not is_held:
            self._released.set()
        self._thread = threading.Thread(target=self._think, daemon=True)
        self._thread.start()

    @property
    def is_done(self) -> bool:
        """Whether `finish` has been called."""
        return not self._thread.is_alive()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is done; whether it is."""
        self._thread.join(seconds)
        return self.is_done

    def stop(self) -> None:
        """End the search and wait until it is done."""
        self._end_search()
        self._released.set()
        self._thread.join()

    def release(self, seconds: float | None) -> None:
        """Let it finish, and end it after these seconds."""
        if seconds is not None:
            self._timer = threading.Timer(seconds, self._end_search)
            self._timer.daemon = True
            self._timer.start()
        self._released.set()

    def _end_search(self) -> None:
        self._is_stopped.set()
        while not self._done.is_set():
            if self._run is not None:
                self._run.stop()
            self._done.wait(AGAIN)

    def _think(self) -> None:
        last: Result | None = None
        fault: Exception | None = None
        try:
            run = self._begin()
            for last in run.results():
                self._report(last)
                self._run = run
                if self._is_stopped.is_set():
                    break
        except Exception as raised:  # the engine says what is wrong, and lives on
            fault = raised
        self._done.set()
        self._released.wait()
        if self._timer is not None:
            self._timer.cancel()
        try:
            self._finish(last, fault)
        except (OSError, ValueError):  # nobody reads the answer
            return
