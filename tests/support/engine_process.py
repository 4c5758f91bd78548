"""An engine in a process of its own, and what it writes, line by line."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from time import monotonic, perf_counter
from types import TracebackType
from typing import Self

PATIENCE = 60.0  # seconds that an answer may take on a machine full of work


class EngineProcess:
    """A program that is talked to by its pipes. At the end of the block it must have gone."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._lines: queue.Queue[tuple[float, str] | None] = queue.Queue()
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put((perf_counter(), line.decode().rstrip("\n")))
        self._lines.put(None)

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def timed_line(self) -> tuple[float, str]:
        """The next line, and when it came."""
        found = self._lines.get(timeout=PATIENCE)
        assert found is not None, f"the engine has ended: {self.errors()}"
        return found

    def line(self) -> str:
        return self.timed_line()[1]

    def until(self, *beginnings: str) -> list[str]:
        """The lines up to the first that begins like this."""
        found = [self.line()]
        end = monotonic() + PATIENCE
        while not found[-1].startswith(beginnings):
            assert monotonic() < end, found[-10:]
            found.append(self.line())
        return found

    def ask(self, command: str, beginning: str) -> str:
        """The line that answers a command."""
        self.send(command)
        return self.until(beginning)[-1]

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing comes for a while."""
        end = monotonic() + seconds
        try:
            found = self._lines.get(timeout=max(0.0, end - monotonic()))
        except queue.Empty:
            return True
        self._lines.put(found)  # only said in a message of a failed test
        return False

    def close_input(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def rest(self) -> list[str]:
        """All that comes until the process ends; it must end by itself, and well."""
        found = []
        while (item := self._lines.get(timeout=PATIENCE)) is not None:
            found.append(item[1])
        assert self._process.wait(PATIENCE) == 0, self.errors()
        assert self.errors() == ""
        return found

    def errors(self) -> str:
        assert self._process.stderr is not None
        return self._process.stderr.read().decode()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for pipe in (self._process.stdin,):
            if pipe is not None and not pipe.closed:
                pipe.close()
        try:
            assert self._process.wait(PATIENCE) == 0 or error is not None
        finally:
            self._process.kill()
            self._process.wait()
            for end in (self._process.stdout, self._process.stderr):
                if end is not None:
                    end.close()


def engine(*words: str) -> EngineProcess:
    """A `playout` command that serves: `engine("uci")`."""
    return EngineProcess([sys.executable, "-P", "-m", "playout", *words])


def answers(*words: str, script: str) -> list[str]:
    """All that a `playout` command writes to a script on its standard input."""
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "playout", *words],
        input=script.encode(),
        capture_output=True,
        timeout=PATIENCE,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    return ran.stdout.decode().split("\n")[:-1]
