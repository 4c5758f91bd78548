"""Ctrl-C and Ctrl-D in a terminal: a real process on a pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import playout, timeless

pty = pytest.importorskip("pty")

PATIENCE = 60  # seconds: only a fault takes so long
# Ctrl-C is heard even if a shell runs the tests in the background, where it is ignored.
RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from playout.cli import main
sys.exit(main())
"""
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours, and moves of the cursor


class Terminal:
    """A command in a terminal of 100 columns."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"},
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def read_until(self, text: str) -> None:
        """Read on until that is shown; an empty text is never shown before the end."""
        deadline = time.monotonic() + PATIENCE
        while not (text and text in self.plain):
            left = deadline - time.monotonic()
            assert left > 0, f"{text!r} was not shown: {self.plain}"
            if select.select([self._ours], [], [], left)[0]:
                try:
                    data = os.read(self._ours, 65536)
                except OSError:  # how Linux tells the end
                    data = b""
                if not data:
                    assert not text, f"{text!r} was not shown: {self.plain}"
                    return
                self.shown += data.decode()

    @property
    def plain(self) -> str:
        return CODES.sub("", self.shown).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def press_ctrl_c(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Read to the end; the exit code."""
        self.read_until("")
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def opened(terminals: list[Terminal], *arguments: str) -> Terminal:
    terminals.append(Terminal(*arguments))
    return terminals[-1]


@pytest.mark.parametrize("method", ["rave", "flat"])
def test_ctrl_c_ends_a_search_with_the_answer_so_far(
    method: str, terminals: list[Terminal]
) -> None:
    words = ["search", "--size", "5", "-m", method, "-s", "1000", "--seed", "1"]
    terminal = opened(terminals, *words)
    terminal.read_until("Ctrl-C ends the search")  # it is live
    terminal.press_ctrl_c()
    assert terminal.end() == 0
    assert "you stopped it" in terminal.plain
    assert "Traceback" not in terminal.plain
    last = terminal.plain.rstrip().splitlines()[-1]
    repeated = playout(*shlex.split(last.split("Again: playout ")[1]))
    ending = timeless(repeated.out).split("Best: ")[1]
    stopped = timeless(terminal.plain).split("Best: ")[1]
    assert " ".join(stopped.split()).replace("you stopped it", "all playouts played") == " ".join(
        ending.split()
    )


def test_ctrl_c_ends_alpha_beta_with_the_last_depth(terminals: list[Terminal]) -> None:
    terminal = opened(
        terminals, "search", "-g", "othello", "--moves", "f5d6c3", "-m", "alphabeta", "-s", "1000"
    )
    terminal.read_until("depth 4, ")
    terminal.press_ctrl_c()
    assert terminal.end() == 0
    assert "you stopped it" in terminal.plain


def test_ctrl_c_before_the_first_answer(terminals: list[Terminal]) -> None:
    """Nothing to show, and no traceback."""
    terminal = opened(terminals, "solve")
    terminal.read_until("solving; Ctrl-C gives up")
    terminal.press_ctrl_c()
    assert terminal.end() == 130
    assert "playout: interrupted" in terminal.plain
    assert "Traceback" not in terminal.plain


@pytest.mark.parametrize("way", ["ctrl-c", "ctrl-d"])
def test_leaving_a_game(way: str, terminals: list[Terminal], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    terminal = opened(terminals, "play", "--size", "5", "-n", "100", "--save", str(path))
    terminal.read_until("white to move> ")
    terminal.type("a2a3\n")
    terminal.read_until("black plays ")
    if way == "ctrl-c":
        terminal.press_ctrl_c()
    else:
        terminal.type("\x04")
    assert terminal.end() == 0
    assert "Traceback" not in terminal.plain
    assert f"Go on with: playout play --resume {path}" in terminal.plain
    resumed = playout("play", "--resume", str(path))
    assert "white to move> " in resumed.out


def test_ctrl_c_while_a_method_thinks(terminals: list[Terminal]) -> None:
    terminal = opened(terminals, "play", "--size", "5", "--white", "uct@1000s")
    terminal.read_until("UCT(), 1000 s a move ...")
    terminal.press_ctrl_c()
    assert terminal.end() == 0
    assert "Go on with: playout play " in terminal.plain
    assert "Traceback" not in terminal.plain


def test_the_board_is_in_colour(terminals: list[Terminal]) -> None:
    terminal = opened(terminals, "play", "-g", "othello")
    terminal.read_until("black to move> ")
    assert terminal.plain.count("●") == 4
    assert terminal.plain.count("·") == 4  # where black may play
    assert "\x1b[1;38;2;" in terminal.shown or "\x1b[1;38;5;" in terminal.shown
    terminal.type("quit\n")
    assert terminal.end() == 0
