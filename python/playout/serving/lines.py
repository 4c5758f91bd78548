"""Lines in and out of a pipe: commands are read on a thread, answers are written whole."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

LONGEST = 200_000  # characters of a line that are looked at; a game of 500 moves has 3,000
CHUNK = 65_536  # bytes that are read at once
MOST_WAITING = 10_000  # lines read ahead; the program at the other end waits then

Read = Callable[[int], bytes]
"""Returns at most n bytes and at least one, or none at the end, as `os.read` does."""


class Lines:
    """The lines that another program writes, in order; the end of its pipe ends them.

    >>> parts = [b"uci\\nisre", b"ady\\r\\nquit", b""]
    >>> list(Lines(lambda size: parts.pop(0)))
    ['uci', 'isready', 'quit']
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._waiting: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._arrived = threading.Event()  # there is a line, or the end
        # Nobody waits for it at the end of the process: it may be blocked in `read`.
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        for line in split(self._chunks()):
            self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        self._waiting.put(line)
        self._arrived.set()

    def _chunks(self) -> Iterator[bytes]:
        try:
            while chunk := self._read(CHUNK):
                yield chunk
        except (OSError, ValueError):  # the pipe was closed on this side
            return

    def __iter__(self) -> Iterator[str]:
        """Each line once. Only one thread may do this."""
        while True:
            line = self._waiting.get()
            self._arrived.clear()
            if not self._waiting.empty():
                self._arrived.set()
            if line is None:
                return
            yield line

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is another line, or the end; False if the time is over before."""
        return self._arrived.wait(seconds)


def split(chunks: Iterable[bytes]) -> Iterator[str]:
    """Lines without their ends. Of a longer one than LONGEST only the beginning is kept.

    >>> list(split([b"a\\n\\nb", b"\\xff\\n"]))
    ['a', '', 'b\\ufffd']
    """
    begun = b""
    for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for end in whole:
            yield _text(begun + end)
            begun = b""
        begun = (begun + rest)[:LONGEST]
    if begun:
        yield _text(begun)


def _text(line: bytes) -> str:
    return line[:LONGEST].rstrip(b"\r").decode("utf-8", errors="replace")


def command_in(line: str) -> tuple[str, str]:
    """The first word of a line, and all that follows.

    >>> command_in("go  nodes 10 "), command_in("")
    (('go', 'nodes 10'), ('', ''))
    """
    name, *words = line.split(maxsplit=1) or [""]
    return name, "".join(words).strip()


class Output:
    """Where answers go, from any thread: each text is written whole, and at once."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._writing = threading.Lock()

    def write(self, text: str) -> None:
        """Write lines; a line break is added at the end."""
        with self._writing:
            self._stream.write(text + "\n")
            self._stream.flush()
