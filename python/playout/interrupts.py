"""Ctrl-C while the command line starts and ends: one line, and no traceback.

`playout` imports this module before all others, because an exception raised during an import cannot
be relied on: it is printed and forgotten, or taken for a module that is missing. Where the process
is the command line, Ctrl-C therefore ends it on the spot; nothing has begun that could be lost.
While a command runs, Ctrl-C is a KeyboardInterrupt as usual.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # the exit code, as a shell would have it
MESSAGE = "playout: interrupted"


def is_command_line() -> bool:
    """Whether this process is `playout` or `python -m playout`, and not a program of its own.

    While `python -m` imports the package, `sys.argv[0]` is "-m"; the name is then the word before
    the arguments that Python was called with.
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
    """From here on Ctrl-C ends the process, unless it is ignored, as in the background."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


@contextmanager
def raised() -> Iterator[None]:
    """Within this block Ctrl-C is a KeyboardInterrupt, where otherwise it ends the process."""
    if signal.getsignal(signal.SIGINT) is not _end:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _end)


def _end(number: int, frame: FrameType | None) -> None:
    """End without any clean-up: half of the modules may be there. A line break follows the ^C."""
    try:
        os.write(2, f"\n{MESSAGE}\n".encode())
    finally:
        os._exit(INTERRUPTED)
