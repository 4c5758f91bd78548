"""Ctrl-C and Ctrl-D in a terminal: a real process on a pseudo-terminal."""

from __future__ import annotations

import codecs
import os
import re
import select
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from support.commands import playout, timeless

pty = pytest.importorskip("pty")

PATIENCE = 60  # seconds: anything slower is a fault
# Ctrl-C works even if a shell runs the tests in the background, where it is ignored.
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
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def read_until(self, text: str, *, after: str = "") -> None:
        """Read until this text is shown, below another one; an empty text means until the end."""
        deadline = time.monotonic() + PATIENCE
        while not (text and text in self.plain[self.plain.find(after) :]):
            left = deadline - time.monotonic()
            assert left > 0, f"{text!r} was not shown: {self.plain}"
            if select.select([self._ours], [], [], left)[0]:
                try:
                    data = os.read(self._ours, 65536)
                except OSError:  # the end, on Linux
                    data = b""
                if not data:
                    assert not text, f"{text!r} was not shown: {self.plain}"
                    return
                self.shown += self._decoder.decode(data)  # a character may come in two parts

    @property
    def plain(self) -> str:
        return CODES.sub("", self.shown).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def press_ctrl_c(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def leave_by_ctrl_c(self) -> None:
        """Press it until the command ends: Python misses it just before `input` begins to wait."""
        for _ in range(20):
            self.press_ctrl_c()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(3)
                return

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


@pytest.mark.traced_slowly
@pytest.mark.parametrize("method", ["rave", "flat"])
def test_ctrl_c_ends_a_search_with_the_answer_so_far(
    method: str, terminals: list[Terminal]
) -> None:
    words = ["search", "--size", "5", "-m", method, "-s", "1000", "--seed", "1"]
    terminal = opened(terminals, *words)
    terminal.read_until("Ctrl-C ends the search")  # the live display is on
    terminal.press_ctrl_c()
    assert terminal.end() == 0
    assert "(ended: stopped)" in terminal.plain
    assert "Traceback" not in terminal.plain
    last = terminal.plain.rstrip().splitlines()[-1]
    repeated = playout(*shlex.split(last.split("Again: playout ")[1]))
    ending = timeless(repeated.out).split("Best: ")[1]
    stopped = timeless(terminal.plain).split("Best: ")[1]
    told = " ".join(stopped.split()).replace("(ended: stopped)", "(ended: playouts)")
    assert told == " ".join(ending.split())


@pytest.mark.traced_slowly
def test_ctrl_c_ends_alpha_beta_with_the_last_depth(terminals: list[Terminal]) -> None:
    terminal = opened(
        terminals, "search", "-g", "othello", "--moves", "f5d6c3", "-m", "alphabeta", "-s", "1000"
    )
    terminal.read_until("depth 4, ")
    terminal.press_ctrl_c()
    assert terminal.end() == 0
    assert "(ended: stopped)" in terminal.plain


@pytest.mark.traced_slowly
def test_ctrl_c_before_the_first_answer(terminals: list[Terminal]) -> None:
    """The position is not solved: the command says how far it came, without a traceback."""
    terminal = opened(terminals, "solve")
    terminal.read_until("s; solving; Ctrl-C gives up")  # after the nodes and seconds so far
    terminal.press_ctrl_c()
    assert terminal.end() == 130
    assert re.search(r"Not solved: [0-9,]+ nodes in \S+ m?s, and you ended it", terminal.plain)
    assert "Again: playout solve" in terminal.plain
    assert "Traceback" not in terminal.plain


def test_ctrl_c_ends_the_page(terminals: list[Terminal]) -> None:
    pytest.importorskip("uvicorn")
    terminal = opened(terminals, "web", "--no-open")
    terminal.read_until("Ctrl-C ends it.")
    (port,) = re.findall(r"Open http://127\.0\.0\.1:([0-9]+)/\?token=", terminal.plain)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", int(port)), timeout=5):
            break
        time.sleep(0.05)
    terminal.press_ctrl_c()
    assert terminal.end() == 0
    assert "Traceback" not in terminal.plain


@pytest.mark.traced_slowly
def test_ctrl_c_shows_the_comparison_so_far(terminals: list[Terminal]) -> None:
    words = ["compare", "--size", "4", "--playouts", "200", "--runs", "100000", "--seed", "1"]
    terminal = opened(terminals, *words)
    terminal.read_until("2 of 100000 searches of each method")
    terminal.press_ctrl_c()
    assert terminal.end() == 0
    found = re.search(r"Searches of each method: ([0-9]+)", terminal.plain)
    assert found
    assert int(found[1]) >= 2
    assert f"--runs {found[1]}" in terminal.plain
    assert "Traceback" not in terminal.plain


@pytest.mark.parametrize("way", ["ctrl-c", "ctrl-d"])
def test_leaving_a_game(way: str, terminals: list[Terminal], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    terminal = opened(terminals, "play", "--size", "5", "-n", "100", "--save", str(path))
    terminal.read_until("white to move> ")
    terminal.type("a2a3\n")
    terminal.read_until("black plays ")
    if way == "ctrl-c":
        terminal.leave_by_ctrl_c()
    else:
        terminal.read_until("white to move> ", after="black plays ")  # readline reads now
        terminal.type("\x04")
    assert terminal.end() == 0
    assert "Traceback" not in terminal.plain
    assert f"Go on with: playout play --resume {path}" in terminal.plain
    resumed = playout("play", "--resume", str(path))
    assert "white to move> " in resumed.out


@pytest.mark.traced_slowly
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
    assert terminal.plain.count("•") == 4  # where black may play
    assert "\x1b[1;38;2;" in terminal.shown or "\x1b[1;38;5;" in terminal.shown
    terminal.type("quit\n")
    assert terminal.end() == 0


# Ctrl-C at any moment, from start-up to the end

# Python runs this first. It presses Ctrl-C at the n-th call of a function after playout has begun
# to import its modules; with n = 0 it prints the number of calls.
SITE = """
import atexit, os, signal, sys

signal.signal(signal.SIGINT, getattr(signal, os.environ["ON_CTRL_C"]))
press_at, calls = int(os.environ["PRESS_AT"]), 0

def count(frame, event, argument):
    global calls
    if event == "call" and "mcts_core" in sys.modules:
        calls += 1
        if calls == press_at:
            sys.setprofile(None)
            os.kill(os.getpid(), signal.SIGINT)

sys.setprofile(count)
if not press_at:
    atexit.register(lambda: print(calls, file=sys.stderr))
"""
CONSOLE_SCRIPT = "import sys; from playout.cli import main; sys.exit(main())"


def pressed_at(
    call: int, way: str, folder: Path, on_ctrl_c: str = "default_int_handler"
) -> subprocess.CompletedProcess[str]:
    """Run `playout perft 1` with Ctrl-C at this call; 0: none."""
    (folder / "sitecustomize.py").write_text(SITE)
    (folder / "playout").write_text(CONSOLE_SCRIPT)
    program = ["-m", "playout"] if way == "module" else [str(folder / "playout")]
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    settings = {"PRESS_AT": str(call), "ON_CTRL_C": on_ctrl_c, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, *program, "perft", "1"],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.traced_slowly
@pytest.mark.parametrize("way", ["module", "script"])
def test_ctrl_c_at_any_moment_is_one_line(way: str, tmp_path: Path) -> None:
    whole = pressed_at(0, way, tmp_path)
    assert whole.returncode == 0
    calls = int(whole.stderr)
    importing = [1, calls // 3]
    running = [calls - calls * part // 1000 for part in (16, 4, 1)]
    for call in importing + running:
        ran = pressed_at(call, way, tmp_path)
        assert (ran.returncode, ran.stderr.strip()) == (130, "playout: interrupted"), call


def test_ctrl_c_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """SIGINT is ignored, as in a shell's background."""
    assert pressed_at(1, "script", tmp_path, "SIG_IGN").returncode == 0


def test_the_library_leaves_ctrl_c_alone(tmp_path: Path) -> None:
    """Also under `python -m`, and in a program that runs a command of playout."""
    (tmp_path / "other.py").write_text(
        "import signal\n"
        "from playout.cli import main\n"
        "assert main(['perft', '1']) == 0\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
    )
    (tmp_path / "sitecustomize.py").write_text(
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    for program in (["-m", "other", "playout"], [str(tmp_path / "other.py"), "playout"]):
        ran = subprocess.run(
            [sys.executable, *program],
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stderr
