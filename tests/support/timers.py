"""Ctrl-C after some time, as tests use it."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timers here")


@contextmanager
def ctrl_c_pressed_after(seconds: float) -> Iterator[None]:
    """Raise KeyboardInterrupt in this thread after `seconds`, also where SIGINT is ignored."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def ctrl_c_after(seconds: float) -> Iterator[None]:
    """The same, and expect the block to end soon with it.

    It comes again after two seconds: Python drops an exception that comes within a finalizer.
    """
    began = time.perf_counter()
    with ctrl_c_pressed_after(3600), pytest.raises(KeyboardInterrupt):  # noqa: PT012
        signal.setitimer(signal.ITIMER_REAL, seconds, 2.0)  # within the block: it may come at once
        yield
    assert time.perf_counter() - began < seconds + 5
