"""Ctrl-C after some time, as tests use it."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timers here")


@contextmanager
def ctrl_c_after(seconds: float) -> Iterator[None]:
    """Raise KeyboardInterrupt after `seconds`, and expect the block to end soon with it."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        began = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012, it may come at once
            signal.setitimer(signal.ITIMER_REAL, seconds)
            yield
        assert time.perf_counter() - began < seconds + 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
