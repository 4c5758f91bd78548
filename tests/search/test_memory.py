"""The memory of tables goes back to the system, and small searches do not accumulate memory."""

from __future__ import annotations

import os
import sys

import pytest

from support.helpers import run_python

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="reads /proc, and the address sanitizer keeps what is freed",
)

RESIDENT = """
import gc, os
import playout as po

def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20
"""

# One heap for all threads, trimmed. Otherwise glibc keeps some MB in several heaps.
ONE_HEAP = """
import ctypes
assert ctypes.CDLL(None).mallopt(-8, 1) == 1
resident_before_trim = resident

def resident():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return resident_before_trim()
"""

TABLES = """
po.search(po.Breakthrough(), "grave", playouts=1000, seed=1)
before = resident()
for memory in ("60MiB", "80MiB"):
    result = po.search(po.Breakthrough(), "grave", playouts=180_000, seed=1, memory=memory)
    held = resident()
    assert held > before + int(memory[:2]) * 0.9, held
    del result
    assert resident() < before + 16, (before, held, resident())
solution = po.solve(po.Breakthrough(5), nodes=500_000)
assert resident() < before + 16
"""

SEARCHERS = (
    ONE_HEAP
    + """
def ponder(n):
    for _ in range(n):
        searcher = po.Searcher(po.Breakthrough(5), "uct", seed=1)
        searcher.ponder()
        searcher.stop()

po.search(po.Breakthrough(), "grave", playouts=20_000, seed=1)  # fills the few chunks that are kept
ponder(100)
before = resident()
ponder(500)
assert resident() < before + 1, (before, resident())
"""
)

CLOSED = """
po.search(po.Breakthrough(), "grave", playouts=20_000, seed=1)
before = resident()
searcher = po.Searcher(po.Breakthrough(), "grave", seed=1)
searcher.search(playouts=200_000)
searcher.ponder()
searcher.stop()
assert resident() > before + 60
searcher.close()
assert resident() < before + 16, (before, resident())
"""

SEARCHES = (
    ONE_HEAP
    + """
methods = ["flat", "ucb", "amaf", "uct", "rave", "grave"]

def search(n):
    for seed in range(n):
        threads = 1 + (seed % 7 == 0 and methods[seed % 6] != "ucb")
        po.search(po.Breakthrough(5), methods[seed % 6], playouts=300, seed=seed, threads=threads)

po.search(po.Breakthrough(), "grave", playouts=20_000, seed=1)  # fills the few chunks that are kept
search(600)
before = resident()
search(1200)
assert resident() < before + 1, (before, resident())
"""
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [TABLES, SEARCHERS, CLOSED, SEARCHES],
    ids=["tables", "searchers", "closed", "searches"],
)
def test_what_stays_resident(code: str) -> None:
    ended = run_python(RESIDENT + code)
    assert (ended.returncode, ended.stderr) == (0, "")
