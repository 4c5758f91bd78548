"""Ctrl-C that ends a long computation and keeps what it has found."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Ending:
    """Whether the user has asked for the end."""

    def __init__(self) -> None:
        self.is_asked = False


@contextmanager
def by_ctrl_c() -> Iterator[Ending]:
    """Within this block the first Ctrl-C asks for the end; the second one interrupts."""
    ending = Ending()
    before = signal.getsignal(signal.SIGINT)
    if (
        threading.current_thread() is not threading.main_thread()
        or before is not signal.default_int_handler
    ):
        yield ending
        return

    def ask(number: int, frame: FrameType | None) -> None:
        ending.is_asked = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask)
    try:
        yield ending
    finally:
        signal.signal(signal.SIGINT, before)
