"""Ctrl-C after some time, as tests use it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timers here")


@contextmanager
def alarms_are_ctrl_c() -> Iterator[None]:
    """Let the timer raise KeyboardInterrupt in this thread, also where SIGINT is ignored."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def ctrl_c_pressed_after(seconds: float) -> Iterator[None]:
    with alarms_are_ctrl_c():
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield


def ends_with_ctrl_c(call: Callable[[], object], seconds: float) -> None:
    """Press Ctrl-C `seconds` after a call began: it ends within seconds, with KeyboardInterrupt.

    Ctrl-C comes again after two seconds, because Python drops an exception that comes within a
    finalizer. The timer starts where the exception is expected: it may come at once.
    """
    began = time.perf_counter()
    with alarms_are_ctrl_c(), pytest.raises(KeyboardInterrupt):  # noqa: PT012
        signal.setitimer(signal.ITIMER_REAL, seconds, 2.0)
        call()
    assert time.perf_counter() - began < seconds + 5
