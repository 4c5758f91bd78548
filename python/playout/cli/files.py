"""Files of saved games: read as a whole and replaced as a whole, so that none is half written."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

if sys.platform != "win32":
    import fcntl

LARGEST = 16 * 2**20  # bytes: a larger file is refused; a long game has some kilobytes
NEW_FILE = 0o666  # the mode of a new file, before the umask
PATIENCE = 10.0  # seconds to wait for another process that saves in the same folder
PAUSE = 0.005

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def read(path: Path) -> str:
    """The text of a file; an OSError says why it cannot be read."""
    return read_bytes(path).decode()


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; an OSError says why it cannot be read."""
    _refuse_unless_file(path.stat())  # first, because opening a pipe or a device may have effects
    with open(path, "rb", opener=_open_at_once) as file:
        _refuse_unless_file(os.fstat(file.fileno()))  # it may have been replaced meanwhile
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(
            errno.EFBIG, f"it has more than {LARGEST // 2**20} MiB, and no game is that long"
        )
    return data


def replace(path: Path, text: str) -> None:
    """Replace a file. The old one stays until the new one is complete. Raises OSError.

    A link is followed. One process at a time saves in a folder (not on Windows, which cannot lock
    one).
    """
    target = Path(os.path.realpath(path))
    mode = _mode_of(target)
    if sys.platform == "win32":
        return _replace(target, text.encode(), mode)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        _lock(folder)
        return _replace(target, text.encode(), mode)
    finally:
        os.close(folder)  # unlocks it


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without blocking; a pipe would wait for a process at its other end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _refuse_unless_file(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = KINDS.get(stat.S_IFMT(found.st_mode), "something else")
        raise OSError(errno.EINVAL, f"it is {kind}, not a file")


def _mode_of(target: Path) -> int | None:
    """The permissions of an existing file; None if there is none."""
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    _refuse_unless_file(found)
    return found.st_mode & 0o777


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    """Write `.NAME.part` beside the file and rename it.

    The folder is locked, so an existing `.part` file was left by a process that was killed.
    """
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        _write(part, data, mode)
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):  # after Ctrl-C the part may be renamed already
            part.unlink()
        raise


def _write(part: Path, data: bytes, mode: int | None) -> None:
    """Write a new file.

    Unbuffered: after Ctrl-C a buffer would be written when the file is closed, and that might fail.
    """
    opener = partial(os.open, mode=NEW_FILE if mode is None else mode)
    with open(part, "xb", buffering=0, opener=opener) as file:
        while data:
            data = data[file.write(data) :]
        os.fsync(file.fileno())
    if mode is not None:
        part.chmod(mode)  # undoes the umask


def _lock(handle: int) -> None:
    """Lock a folder until its handle is closed or the process ends, even if it is killed."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise OSError(errno.EBUSY, "another program keeps its folder locked") from None
            time.sleep(PAUSE)
        except OSError:
            return None  # a file system without locks, such as some network drives
