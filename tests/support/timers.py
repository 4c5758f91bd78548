"""Ctrl-C after some time, as tests use it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
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


def ends_with_ctrl_c(call: Callable[[], object], seconds: float) -> None:
    """Press Ctrl-C `seconds` after `call` began: it ends soon, with KeyboardInterrupt.

    It comes again after two seconds, since Python drops an exception that comes within a finalizer.
    """
    began = time.perf_counter()
    # The timer is set within the block, and not by a context manager: a signal may come at once.
    with ctrl_c_pressed_after(3600), pytest.raises(KeyboardInterrupt):  # noqa: PT012
        signal.setitimer(signal.ITIMER_REAL, seconds, 2.0)
        call()
    assert time.perf_counter() - began < seconds + 5
