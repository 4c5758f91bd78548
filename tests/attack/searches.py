"""Change files of searches, keep their checksums right, and read them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from support.forged_searches import SETTINGS, Forge

PROMISE = "a file of a search is refused in one line, or a search goes on from it: no crash"


def attack(night: bool) -> str:
    """Read many changed files of each kind of search."""
    files = 1500 if night else 100
    n_read = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(len(SETTINGS)):
            forge = Forge(number, Path(folder))
            for _ in range(files):
                forge.write()
                n_read += forge.is_read()
    n = files * len(SETTINGS)
    return f"{n:,} changed files: {n - n_read:,} refused, {n_read:,} searched, 0 faults"
