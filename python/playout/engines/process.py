"""A program that runs beside us: lines go in, lines come out, and no wait is without an end.

The pipes are read and written without threads, so a process that forks takes no locks along.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from shutil import which
from time import monotonic, time
from typing import TextIO
from weakref import WeakSet

from mcts_core.errors import BadMethod, shown

CHUNK = 2**16  # bytes read at a time
LONGEST_LINE = 2**20  # bytes; an engine that writes more without a line's end is at fault
MOST_LINES = 10_000  # of an answer; those before are dropped
REMEMBERED = 8  # lines that an error shows
LONGEST_SHOWN = 160  # characters of each of them
WRITING = 5.0  # seconds in which an engine has to read a line
ENDING = 0.5  # seconds to end after the last line
GAMES_FOLDERS = "/usr/games:/usr/local/games"  # of Debian; often not on the PATH


class EngineFault(RuntimeError):
    """An engine that ended, or does not keep to its protocol."""


class EngineLate(EngineFault):
    """An engine that did not answer in time."""


def program(command: str) -> str:
    """The file of a command."""
    found = which(command) or which(command, path=GAMES_FOLDERS)
    if found is None:
        raise BadMethod(
            f"there is no program {shown(command)}: install it, or give its path as the command"
        )
    return found


class Child:
    """A program under way. `name` is what errors call it."""

    def __init__(self, name: str, words: Sequence[str], log: str | None = None) -> None:
        if sys.platform == "win32":
            raise BadMethod(
                "engines and files need pipes that can be polled, which Windows does not have; a "
                "function can be given to playout.match itself"
            )
        self.name = name
        self._log = None if log is None else _opened(log)
        self._recent: deque[str] = deque(maxlen=REMEMBERED)
        self._lines: deque[str] = deque()
        self._rest = {"<": b"", "!": b""}  # of lines that have not ended, by stream
        try:
            self._process = subprocess.Popen(
                [program(words[0]), *words[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is ours; and all that it starts ends with it
            )
        except OSError as fault:
            self._close_log()
            raise BadMethod(f"{name} cannot be started: {fault.strerror or fault}") from None
        except BaseException:
            self._close_log()
            raise
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._errors = (pipe.fileno() for pipe in pipes if pipe is not None)
        for pipe in (self._in, self._out, self._errors):
            os.set_blocking(pipe, False)
        self._readers = select.poll()
        for pipe in (self._out, self._errors):
            self._readers.register(pipe, select.POLLIN)
        RUNNING.add(self)
        self._note(">", f"(starts {' '.join(words)})")

    @property
    def is_alive(self) -> bool:
        """Whether the program runs."""
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """Write a line."""
        self._note(">", line)
        rest = memoryview(line.encode() + b"\n")
        deadline = monotonic() + WRITING
        writer = select.poll()
        writer.register(self._in, select.POLLOUT)
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                if not writer.poll(_milliseconds(deadline - monotonic())):
                    raise self.fault("reads nothing", EngineLate) from None
            except OSError:
                raise self._ended() from None

    def line(self, deadline: float) -> str:
        """The next line, by a time of `time.monotonic`."""
        while not self._lines:
            self._receive(deadline)
        if monotonic() > deadline:  # with lines enough: one that writes without an end
            raise self.fault("gave no answer in time", EngineLate)
        return self._lines.popleft()

    def until(self, is_last: Callable[[str], bool], seconds: float) -> list[str]:
        """The lines up to the one that answers; the last of them, if there are very many."""
        deadline = monotonic() + seconds
        lines = deque([self.line(deadline)], MOST_LINES)
        while not is_last(lines[-1]):
            lines.append(self.line(deadline))
        return list(lines)

    def skip(self) -> None:
        """Drop what was written unasked, such as a second answer."""
        if self._readers.poll(0):
            self._receive(monotonic() + WRITING)
        self._lines.clear()

    def fault(self, what: str, kind: type[EngineFault] = EngineFault) -> EngineFault:
        """An error that names the engine and shows the last lines."""
        lines = " | ".join(self._recent)
        return kind(f"{self.name} {what}; the last lines: {lines}")

    def end(self, last: str | None = None) -> bool:
        """End the program and all that it started. Returns whether it ended by itself.

        `last` is a line that asks it to.
        """
        is_polite = False
        with suppress(EngineFault):
            if last is not None:
                self.send(last)
                is_polite = self._wait(ENDING)
        self.kill()
        self._process.wait()
        RUNNING.discard(self)
        self._close()
        return is_polite

    def kill(self) -> None:
        """Kill the program and all that it started, without waiting."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def forget(self) -> None:
        """In a process that was forked: close the pipes, and leave the program to the parent."""
        self._process.returncode = 0  # nobody waits for it here
        self._close()

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._close_log()

    def _receive(self, deadline: float) -> None:
        """Wait for output, and take it."""
        ready = self._readers.poll(_milliseconds(deadline - monotonic()))
        if not ready or monotonic() > deadline:
            raise self.fault("gave no answer in time", EngineLate)
        for pipe, _ in ready:
            is_output = pipe == self._out
            chunk = os.read(pipe, CHUNK)
            if chunk:
                self._split("<" if is_output else "!", chunk)
            elif is_output:
                raise self._ended()
            else:
                self._readers.unregister(pipe)

    def _split(self, stream: str, chunk: bytes) -> None:
        *whole, rest = (self._rest[stream] + chunk).split(b"\n")
        if len(rest) > LONGEST_LINE:
            raise self.fault(f"wrote a line of more than {LONGEST_LINE:,} bytes")
        self._rest[stream] = rest
        for raw in whole:
            line = raw.decode(errors="replace").rstrip("\r")
            self._note(stream, line)
            if stream == "<":
                self._lines.append(line)

    def _ended(self) -> EngineFault:
        """The error for a program that has closed its pipes."""
        self._wait(ENDING)
        with suppress(OSError, EngineFault):
            self._split("!", os.read(self._errors, CHUNK))
        code = self._process.returncode
        return self.fault("closed its output" if code is None else f"ended with exit code {code}")

    def _wait(self, seconds: float) -> bool:
        """Whether it ends by itself. What it still writes is dropped, so that no pipe is full."""
        deadline = monotonic() + seconds
        while self._process.poll() is None:
            left = deadline - monotonic()
            if left <= 0:
                return False
            for pipe, _ in self._readers.poll(_milliseconds(min(left, 0.01))):
                if not os.read(pipe, CHUNK):
                    self._readers.unregister(pipe)
            self._nap(left)
        return True

    def _nap(self, left: float) -> None:
        """A short wait, where there may be no pipe to wait for."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(min(left, 0.01))

    def _note(self, direction: str, line: str) -> None:
        if self._log is not None:
            self._log.write(f"{time():.6f} {os.getpid()} {direction} {line}\n")
        self._recent.append(f"{direction} {line[:LONGEST_SHOWN]}")

    def _close_log(self) -> None:
        if self._log is not None:
            self._log.close()


RUNNING: WeakSet[Child] = WeakSet()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=RUNNING.clear)  # those are the parent's


def kill_all() -> None:
    """Kill every program that this process runs, because the process is about to end."""
    for child in list(RUNNING):
        child.kill()


def _opened(log: str) -> TextIO:
    """A log to which lines are added."""
    try:
        return open(log, "a", encoding="utf-8", buffering=1)
    except OSError as fault:
        raise BadMethod(f"log={shown(log)} cannot be written: {fault.strerror}") from None


def _milliseconds(seconds: float) -> float:
    """For `poll`, which would take a negative number for no limit."""
    return max(seconds, 0.0) * 1000
