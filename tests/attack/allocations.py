"""Every allocation of every public entry point fails once, Python's and the C library's alike.

Each entry point of `_entries.py` is called repeatedly, and each time a later allocation fails
(`_sweep.py`, with the allocator in `_allocator.c`). The short form lets only some of them fail.
Errors of NumPy's and Python's own are counted separately.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

PROMISE = (
    "where memory runs out there is a MemoryError: no crash, no leak, no wrong result, "
    "and the same objects answer as before"
)

FOLDER = Path(__file__).parent
STRIDE = 29  # the short form lets every 29th allocation fail


def attack(night: bool) -> str:
    """Sweep every entry point."""
    if sys.platform != "linux":
        return "left out: the allocator is for Linux"
    if sys.version_info >= (3, 12):
        return "left out: Python 3.12 and 3.13 crash where a list comprehension gets no memory"
    counts: Counter[str] = Counter()
    faults = []
    for outcome in swept("_entries", 1 if night else STRIDE):
        counts.update(outcome["counts"], points=1)
        faults += [f"{outcome['name']}: {fault}" for fault in outcome["faults"]]
    assert not faults, "\n\n".join([f"{len(faults)} faults", *faults])
    return (
        f"{counts['points']} entry points, {counts['raised']:,} MemoryErrors, "
        f"{counts['foreign']:,} other errors of NumPy and Python, "
        f"{counts['absorbed']:,} failures without effect"
    )


def swept(module: str, stride: int) -> list[dict[str, Any]]:
    """The outcomes for each entry point of a module."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "LD_PRELOAD": str(allocator(Path(folder))),
            "PYTHONMALLOC": "malloc",
            "OPENBLAS_NUM_THREADS": "1",
        }
        command = [sys.executable, str(FOLDER / "_sweep.py"), str(stride), module]
        run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert run.returncode == 0, "the sweep itself has failed"
    return [json.loads(line) for line in run.stdout.splitlines()]


def allocator(folder: Path) -> Path:
    """Compile the allocator. Returns the library."""
    library = folder / "allocator.so"
    compiler = [*os.environ.get("CC", "cc").split(), "-O1", "-shared", "-fPIC"]
    # thread-local variables must not be allocated at first use
    command = [*compiler, "-ftls-model=initial-exec", str(FOLDER / "_allocator.c")]
    subprocess.run([*command, "-o", str(library)], check=True)
    return library
