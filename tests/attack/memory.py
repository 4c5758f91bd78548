"""Memory that remains after thousands of searches of all kinds, and after big tables."""

from __future__ import annotations

import ctypes
import gc
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import playout as po
from mcts_core.games.python_game import PythonPosition
from support.helpers import Heap

PROMISE = "memory does not grow from search to search, and a big table is given back"

PLAYOUTS = 2500  # that fill a MiB of table
LEAK = 1.0  # MiB that may remain after any number of searches
KEPT = 16.0  # MiB that may remain of big tables

BOARD = po.Breakthrough(5)
ENDING = po.Othello.from_fen("OX--O-OXX-O-OOOOOXOOXXXOOOXXOOXXXXOO O")
HEAP = PythonPosition(Heap(9))


def resident() -> float:
    """The resident memory of this process in MiB."""
    gc.collect()
    status = Path("/proc/self/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found, status
    return int(found[1]) / 1024


class Failing(Heap):
    def play(self, move: str) -> None:
        super().play(move)
        if self.size == 3:
            raise ArithmeticError


def fail(method: str, threads: int) -> None:
    with suppress(ArithmeticError):
        po.search(Failing(9), method, playouts=100, threads=threads)


def play(start: Any, method: str, threads: int) -> None:
    """A searcher from move to move."""
    with po.Searcher(start, method, threads=threads, memory="1MB") as searcher:
        for _ in range(3):
            searcher.advance(searcher.search(playouts=50).move)
        searcher.ponder()


def ponder() -> None:
    searcher = po.Searcher(BOARD)
    searcher.ponder()
    searcher.stop()


def look() -> None:
    for result in po.analysis(BOARD, "rave", playouts=200, every=100):
        assert len(str(result)) > 0
        assert len(result.tree.to_json()) > 0


def spread() -> None:
    with ThreadPoolExecutor(2) as executor:
        po.search(BOARD, playouts=200, executor=executor)


KINDS: list[Callable[[], object]] = [
    lambda: po.search(BOARD, "flat", playouts=200),
    lambda: po.search(BOARD, "flat", playouts=200, threads=2),
    lambda: po.search(BOARD, "ucb", playouts=200),
    lambda: po.search(BOARD, "amaf", playouts=200),
    lambda: po.search(BOARD, "amaf", playouts=200, threads=2),
    lambda: po.search(BOARD, "uct", playouts=200),
    lambda: po.search(BOARD, "uct", playouts=500, threads=2),
    lambda: po.search(BOARD, po.RAVE(lanes=8), playouts=200),
    lambda: po.search(BOARD, "rave", playouts=500, threads=2, solver=True),
    lambda: po.search(BOARD, "grave", playouts=200, solver=True),
    lambda: po.search(BOARD, po.GRAVE(lanes=8), playouts=500, threads=2),
    lambda: po.search(po.Othello(), po.AlphaBeta(depth=3)),
    lambda: po.search(BOARD, po.AlphaBeta(depth=5, threads=3)),
    look,
    spread,
    lambda: play(BOARD, "rave", 1),
    lambda: play(po.Othello(6), "uct", 2),
    lambda: po.solve(po.Breakthrough(3, first_rows=1)),
    lambda: po.solve(ENDING),
    lambda: po.playouts([BOARD] * 10, 100),
    lambda: po.playouts([BOARD] * 10, 100, threads=2),
    lambda: BOARD.perft(4),
    lambda: po.compare(BOARD, ["flat", "uct"], playouts=20, runs=2, exact_nodes=0),
    lambda: po.search(Heap(9), "rave", playouts=50, solver=True),
    lambda: po.search(Heap(30), "uct", playouts=50, threads=2),
    lambda: po.search(Heap(9), "flat", playouts=50),
    lambda: play(Heap(30), "grave", 1),
    lambda: po.solve(Heap(9)),
    lambda: po.playouts(HEAP, 20, threads=2),
    lambda: HEAP.perft(6),
    lambda: fail("flat", 1),
    lambda: fail("rave", 2),
]


def share_one_heap() -> None:
    """Make glibc use one heap for all threads.

    By default it uses several and keeps some MiB in them, depending on which threads overlap.
    """
    arena_max = -8
    assert ctypes.CDLL(None).mallopt(arena_max, 1) == 1


def growth(kinds: list[Callable[[], object]], times: int) -> float:
    """Memory growth in MiB over `times` calls of each, after the same number to warm up."""
    repeat(kinds, max(1000, times))
    before = in_use()
    repeat(kinds, times)
    return in_use() - before


def repeat(kinds: list[Callable[[], object]], times: int) -> None:
    for call in islice(cycle(kinds), times):
        call()


def in_use() -> float:
    """Memory in MiB without the free memory that the C library keeps."""
    ctypes.CDLL(None).malloc_trim(0)
    return resident()


def fill(mebibytes: int) -> None:
    """Search until a table of this size is full; every entry has a block of AMAF counters."""
    method, memory = po.GRAVE(ref=1), mebibytes * 2**20
    result = po.search(
        po.Breakthrough(), method, playouts=PLAYOUTS * mebibytes, seed=1, memory=memory
    )
    assert result.bytes > 0.98 * memory, f"a table of {result.bytes / 2**20:.0f} MiB"


def kept(sizes: list[int]) -> float:
    """MiB that remain after tables of these sizes, one after the other."""
    before = resident()
    for size in sizes:
        fill(size)
    return resident() - before


def attack(night: bool) -> str:
    share_one_heap()
    fill(20)  # fills the list of chunks that are kept
    searches = 10_000 if night else 500
    big = [360, 542, 542, 542] if night else [360, 542]
    grown = growth(KINDS, searches)
    assert grown <= LEAK, f"{searches} searches take {grown:.1f} MiB"
    pondered = growth([ponder], 500)
    assert pondered <= LEAK, f"500 ponderings take {pondered:.1f} MiB"
    stayed = kept(big)
    assert stayed <= KEPT, f"of tables of {big} MiB, {stayed:.1f} MiB stay"
    tables = " and ".join(map(str, sorted({*big})))
    return f"{searches:,} searches: {grown:+.1f} MiB; after tables of {tables} MiB: {stayed:+.1f}"
