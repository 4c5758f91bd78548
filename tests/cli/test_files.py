"""The files of `playout play`: refused paths, permissions, and what a killed process leaves."""

from __future__ import annotations

import errno
import gc
import inspect
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

import playout as po
from playout.cli import record
from playout.cli.errors import Fault
from playout.record import Record
from support.commands import fault, playout
from support.helpers import run_python

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="named pipes, modes, signals")

PLAY = ["play", "--size", "5", "--playouts", "50", "--seed", "1"]


def game(*moves: str) -> Record:
    position = po.Breakthrough(5)
    for move in moves:
        position.push(move)
    return Record(position, ("you", "uct@9"), 1)


def moves_in(path: Path) -> tuple[str, ...]:
    return tuple(record.read(path).position.history)


# Ctrl-C and kill


def interrupted_at(point: int, save: Callable[[], None]) -> bool:
    """Save, with a Ctrl-C at the n-th point where Python handles it. Returns whether there was one.

    These points are the first step of a function and the return of a built-in one. The garbage
    collector rests meanwhile: an exception in a callback of its own would be ignored.
    """
    left, before = point, sys.getprofile()

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal left
        is_generator = frame.f_code.co_flags & inspect.CO_GENERATOR  # its end looks like a call
        if event == "c_return" or (event == "call" and not is_generator):
            left -= 1
            if left == 0:
                raise KeyboardInterrupt

    is_heard = False
    gc.disable()
    try:
        sys.setprofile(count)
        save()
    except KeyboardInterrupt:
        is_heard = True
    finally:
        sys.setprofile(before)
        gc.enable()
    assert is_heard == (left <= 0), point
    return is_heard


@pytest.mark.traced_slowly
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # opened, and Ctrl-C before it has a name
def test_ctrl_c_anywhere_in_saving_is_never_lost(tmp_path: Path) -> None:
    """KeyboardInterrupt is raised, and the folder has only the old record or the new one."""
    path = tmp_path / "game.json"
    old, new = ("a2a3",), ("a2a3", "d4d3")
    found, point = [], 1
    record.write(path, game(*old))
    while interrupted_at(point, lambda: record.write(path, game(*new))):
        assert list(tmp_path.iterdir()) == [path], point
        found.append(moves_in(path))
        if found[-1] == new:
            record.write(path, game(*old))
        point += 1
    assert moves_in(path) == new
    assert {old, new} == set(found)


DIES = """
import os, signal
from pathlib import Path
import playout as po
from playout.cli import record
from playout.record import Record
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
record.write(Path({path!r}), Record(po.Breakthrough(5), ("you", "you"), 1))
"""


def test_what_a_killed_process_leaves_goes_with_the_next_save(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record.write(path, game("a2a3"))
    assert run_python(DIES.format(path=str(path))).returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 2  # it was killed during the save
    assert moves_in(path) == ("a2a3",)
    playout("play", "--resume", str(path))
    assert list(tmp_path.iterdir()) == [path]
    assert moves_in(path) == ("a2a3", *moves_in(path)[1:])


@pytest.mark.parametrize("kind", ["link", "named pipe"])
def test_what_lies_where_a_save_begins_is_not_written_to(kind: str, tmp_path: Path) -> None:
    path, part, other = tmp_path / "game.json", tmp_path / ".game.json.part", tmp_path / "other"
    other.write_text("not yours")
    part.symlink_to(other) if kind == "link" else os.mkfifo(part)
    record.write(path, game("a2a3"))
    assert other.read_text() == "not yours"
    assert moves_in(path) == ("a2a3",)
    assert sorted(tmp_path.iterdir()) == [path, other]


def test_two_that_save_the_same_game_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, is_writing, may_go_on = tmp_path / "game.json", threading.Event(), threading.Event()
    fsync = os.fsync

    def slow(handle: int) -> None:
        is_writing.set()
        may_go_on.wait(60)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", slow)
    first = threading.Thread(target=record.write, args=(path, game("a2a3")))
    first.start()
    assert is_writing.wait(60)
    second = threading.Thread(target=record.write, args=(path, game("b2b3")))
    second.start()
    second.join(0.2)
    assert second.is_alive()
    assert not path.exists()
    may_go_on.set()
    first.join(60)
    second.join(60)
    assert moves_in(path) == ("b2b3",)
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_another_program_keeps_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gives up after a while, with a message."""
    import fcntl

    from playout.cli import files

    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    monkeypatch.setattr(files, "PATIENCE", 0.1)
    with pytest.raises(Fault, match="another program keeps its folder locked"):
        record.write(tmp_path / "game.json", game())
    os.close(handle)
    record.write(tmp_path / "game.json", game())


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    record.write(tmp_path / "game.json", game("a2a3"))
    assert moves_in(tmp_path / "game.json") == ("a2a3",)


# Links and modes


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_is_followed(is_there: bool, tmp_path: Path) -> None:
    """The file that the link names is replaced or created, and the link stays."""
    (tmp_path / "real").mkdir()
    path, link = tmp_path / "real" / "game.json", tmp_path / "link.json"
    link.symlink_to(Path("real") / "game.json")
    if is_there:
        record.write(path, game())
    record.write(link, game("a2a3"))
    assert link.is_symlink()
    assert moves_in(path) == moves_in(link) == ("a2a3",)
    assert list((tmp_path / "real").iterdir()) == [path]
    assert sorted(tmp_path.iterdir()) == [link, tmp_path / "real"]


def test_a_link_to_itself(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(link)
    assert "Too many levels of symbolic links" in fault(*PLAY, "--save", str(link))


@pytest.fixture
def umask() -> Iterator[Callable[[int], int]]:
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


@pytest.mark.parametrize("mask", [0o022, 0o002, 0o077])
def test_a_new_file_has_the_mode_that_the_umask_leaves(
    mask: int, umask: Callable[[int], int], tmp_path: Path
) -> None:
    umask(mask)
    record.write(tmp_path / "game.json", game())
    assert stat.S_IMODE((tmp_path / "game.json").stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o666])
def test_a_file_keeps_its_mode(mode: int, umask: Callable[[int], int], tmp_path: Path) -> None:
    umask(0o027)
    path = tmp_path / "game.json"
    record.write(path, game())
    path.chmod(mode)
    record.write(path, game("a2a3"))
    assert stat.S_IMODE(path.stat().st_mode) == mode


# What is not a file


@pytest.fixture(params=["a folder", "a named pipe", "a socket", "a device"])
def no_file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A path and the kind of thing there."""
    path = tmp_path / "there"
    if request.param == "a folder":
        path.mkdir()
        yield path, request.param
    elif request.param == "a named pipe":
        os.mkfifo(path)
        yield path, request.param
    elif request.param == "a socket":
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
            yield path, request.param
    else:
        ours, theirs = os.openpty()  # an unused device
        yield Path(os.ttyname(theirs)), request.param
        os.close(ours)
        os.close(theirs)


def kind_of(path: Path) -> tuple[int, int]:
    return path.stat().st_ino, path.stat().st_mode


@pytest.mark.parametrize("by", ["path", "link"])
def test_what_is_not_a_file_is_not_saved_to(
    by: str, no_file: tuple[Path, str], tmp_path: Path
) -> None:
    """It is refused before the game begins, and not changed."""
    path, kind = no_file
    before = kind_of(path)
    (tmp_path / "link").symlink_to(path)
    given = path if by == "path" else tmp_path / "link"
    assert f"{given} cannot be written: it is {kind}, not a file" in fault(
        *PLAY, "--save", str(given)
    )
    typed = playout(*PLAY, stdin=f"save {given}\na2a3\n")
    assert f"{given} cannot be written: it is {kind}, not a file" in typed.out
    assert "The game is not saved" in typed.out
    assert kind_of(path) == before
    assert (tmp_path / "link").is_symlink()


def resumed(path: Path) -> subprocess.CompletedProcess[str]:
    """Resume in another process, with a timeout in case it blocks."""
    return subprocess.run(
        [sys.executable, "-m", "playout", "play", "--resume", str(path)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_what_is_not_a_file_is_not_resumed(no_file: tuple[Path, str]) -> None:
    path, kind = no_file
    ran = resumed(path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert f"{path} cannot be read: it is {kind}, not a file" in ran.stderr


SWAPS = """
import os
from pathlib import Path
from playout.cli import record
path, real_open = Path({path!r}), os.open

def open_swapped(*arguments, **more):
    path.unlink()
    os.mkfifo(path)
    return real_open(*arguments, **more)

os.open = open_swapped
try:
    record.read(path)
except record.Fault as fault:
    print(fault.message)
"""


def test_a_file_that_becomes_a_pipe_while_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record.write(path, game())
    assert "it is a named pipe, not a file" in run_python(SWAPS.format(path=str(path))).stdout


def test_a_file_too_large_to_be_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record.write(path, game())
    with path.open("r+b") as file:
        file.truncate(16 * 2**20)
    assert "is broken at line" in fault("play", "--resume", str(path))  # it is read
    with path.open("r+b") as file:
        file.truncate(16 * 2**20 + 1)
    assert "it has more than 16 MiB, and no game is that long" in fault(
        "play", "--resume", str(path)
    )


def test_a_name_that_no_file_can_have() -> None:
    ran = playout(*PLAY, stdin="save a\0b\na2a3\n")
    assert "cannot be written: embedded null byte" in ran.out
    assert "black plays " in ran.out
