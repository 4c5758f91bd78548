"""Ctrl-C while the command line starts and ends: a short message instead of a traceback.

`playout` imports this module first. During an import a KeyboardInterrupt may get lost: Python may
print it and continue, or treat it as a missing module. So if the process is the command line,
Ctrl-C ends the process at once; there is nothing to lose yet. While a command runs, Ctrl-C raises
KeyboardInterrupt as usual.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # the exit code, as shells define it: 128 + SIGINT
MESSAGE = "playout: interrupted"


def is_command_line() -> bool:
    """Whether this process is `playout` or `python -m playout`, not a program that imports it.

    While `python -m` imports the package, `sys.argv[0]` is "-m". The module's name is then the word
    before the arguments in `sys.orig_argv`.
    """
    program = sys.argv[:1]
    if program == ["-m"]:
        program = sys.orig_argv[-len(sys.argv) :][:1]
    return [os.path.basename(name) for name in program] in (
        ["playout"],
        ["playout.exe"],
        ["-mplayout"],
    )


def end_at_once() -> None:
    """Make Ctrl-C end the process from now on, unless it is ignored, as in the background."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


@contextmanager
def raised() -> Iterator[None]:
    """Within this block Ctrl-C raises KeyboardInterrupt, even after `end_at_once`."""
    if signal.getsignal(signal.SIGINT) is not _end:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _end)


@contextmanager
def held_back() -> Iterator[None]:
    """Within this block Ctrl-C waits for its end.

    For calls of Python's own library that an interrupt would leave with a lock taken for ever.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if came:
            raise KeyboardInterrupt


def _end(number: int, frame: FrameType | None) -> None:
    """End without cleanup, because only some modules may be loaded."""
    try:
        os.write(2, f"\n{MESSAGE}\n".encode())
    finally:
        os._exit(INTERRUPTED)
