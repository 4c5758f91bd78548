"""Searcher: keeping the tree from move to move, pondering, and stopping."""

from __future__ import annotations

import gc
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

import playout as po
from playout.searching import _Pondering
from support.helpers import (
    Heap,
    await_threads,
    facts,
    random_game,
    run_python,
    thread_count,
    thread_ids,
)
from support.searching import tree_search

TREES = [po.UCT(), po.UCTTuned(), po.RAVE(), po.GRAVE()]


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_the_first_search_is_search(method: po.Method) -> None:
    b = po.Breakthrough(5)
    searcher = po.Searcher(b, method, seed=3)
    assert facts(searcher.search(playouts=500)) == facts(po.search(b, method, playouts=500, seed=3))


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_searches_add_up(method: po.Method) -> None:
    b = po.Breakthrough(5)
    searcher = po.Searcher(b, method, seed=3)
    parts = [searcher.search(playouts=n) for n in (1, 100, 399)]
    whole = po.search(b, method, playouts=500, seed=3)
    assert [part.playouts for part in parts] == [1, 100, 399]
    assert sorted(map(repr, parts[-1].moves)) == sorted(map(repr, whole.moves))


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_advance_keeps_what_is_known(method: po.Method) -> None:
    searcher = po.Searcher(po.Breakthrough(5), method, seed=1)
    first = searcher.search(playouts=3000)
    below = first.tree.children[0]
    expected = {child.move: (child.visits, child.mean) for child in below.children}
    assert searcher.advance(first.move) == first.move
    known = searcher.result
    kept = {row["move"]: (row["visits"], row["mean"]) for row in known.moves if row["visits"]}
    assert kept == expected
    second = searcher.search(playouts=100)
    assert second.playouts == 100
    assert second.moves["visits"].sum() == known.moves["visits"].sum() + 100


@pytest.mark.parametrize("method", TREES, ids=repr)
def test_a_whole_game(method: po.Method) -> None:
    """A whole game is repeatable, and all its moves are legal."""

    def game() -> list[str]:
        searcher = po.Searcher(po.Breakthrough(5), method, seed=7)
        while not searcher.position.is_over:
            searcher.advance(searcher.search(playouts=200).move)
        with pytest.raises(po.BadPosition, match="this game is over"):
            searcher.search(playouts=200)
        with pytest.raises(po.BadPosition, match="this game is over"):
            _ = searcher.result
        with pytest.raises(po.IllegalMove, match="the game is over"):
            searcher.advance("a2a3")
        searcher.ponder()  # the game is over: no effect
        assert not searcher.is_pondering
        return list(searcher.position.history)

    moves = game()
    assert game() == moves
    assert 10 < len(moves) < 60


def test_passes_and_moves_never_looked_at() -> None:
    for seed in range(3):
        searcher = po.Searcher(po.Othello(4), "rave", seed=1, solver=True)
        for position in random_game(po.Othello(4), seed):
            if position.history:
                searcher.advance(position.history[-1])
            assert searcher.position == position
            if not position.is_over:
                result = searcher.search(playouts=20)
                assert result.position == position
                assert result.move in position.legal_moves


def test_a_game_in_python() -> None:
    """The player who leaves a multiple of four wins."""
    searcher = po.Searcher(Heap(11), "rave", seed=1, solver=True)
    while not searcher.position.is_over:
        result = searcher.search(playouts=2000)
        assert result.reason == "proven"
        searcher.advance(result.move)
    assert searcher.position.result == 1.0
    assert searcher.position.history[0] == "take 3"


def test_a_small_table_is_pruned_and_used_on() -> None:
    searcher = po.Searcher(po.Breakthrough(), "rave", seed=1, memory="300 kB")
    for _ in range(30):
        result = searcher.search(playouts=2000)
        assert result.bytes <= 300_000
        searcher.advance(result.move)
        if searcher.position.is_over:
            break


def test_a_result_keeps_its_tree_while_the_table_does() -> None:
    searcher = po.Searcher(po.Breakthrough(5), "uct", seed=1)
    result = searcher.search(playouts=500)
    searcher.advance(result.move)
    assert result.tree.visits == 500
    small = po.Searcher(po.Breakthrough(5), "uct", seed=1, memory="100kB")
    result = small.search(playouts=5000)
    small.advance(result.move)
    with pytest.raises(AttributeError, match="no longer holds this position"):
        _ = result.tree


# Pondering


@pytest.mark.parametrize("method", TREES, ids=repr)
@pytest.mark.parametrize("threads", [1, 2])
def test_pondering(method: po.Method, threads: int) -> None:
    with po.Searcher(po.Breakthrough(), method, seed=1, threads=threads) as searcher:
        searcher.ponder()
        searcher.ponder()  # once is enough
        assert searcher.is_pondering
        assert "pondering" in repr(searcher)
        seen = [searcher.result.moves["visits"].sum()]
        deadline = time.monotonic() + 10
        while seen[-1] < 5000 and time.monotonic() < deadline:
            time.sleep(0.01)
            result = searcher.result
            seen.append(result.moves["visits"].sum())
            assert str(result)
            assert len(result.tree.to_json(2, 5)) > 2
        assert seen == sorted(seen)
        assert seen[-1] >= 5000
        searcher.stop()
        assert not searcher.is_pondering
        known = searcher.result.moves["visits"].sum()
        assert known >= seen[-1]
        time.sleep(0.02)
        assert searcher.result.moves["visits"].sum() == known
    assert searcher.search(playouts=10).moves["visits"].sum() == known + 10


@pytest.mark.parametrize("method", TREES, ids=repr)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_looking_while_pondering_changes_nothing(method: po.Method, threads: int) -> None:
    """A move has at most `threads` visits more than the next position: those that made entries."""
    with po.Searcher(po.Breakthrough(6), method, seed=1, threads=threads) as searcher:
        searcher.ponder()
        deadline = time.monotonic() + 0.1
        while time.monotonic() < deadline:
            result = searcher.result
            assert result.pv is not None
            assert len(result.tree.to_json(2, 5)) > 2
        searcher.stop()
        for child in searcher.result.tree.children:
            below = sum(move.visits for move in child.children)
            assert child.visits - threads <= below <= child.visits


@pytest.mark.parametrize("memory", ["300kB", "10MB"])
def test_looking_from_another_thread_while_moving(memory: str) -> None:
    """A result belongs to one position, also while a full table is copied for the next one."""
    searcher = po.Searcher(po.Breakthrough(6), "rave", seed=1, memory=memory)
    seen: list[po.Result] = []
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            seen.append(searcher.result)
            with suppress(AttributeError):  # the root has moved
                _ = seen[-1].tree.children

    def play() -> None:
        for _ in range(10):
            searcher.advance(searcher.search(playouts=1500).move)
            while not looking.done() and (not seen or seen[-1].position != searcher.position):
                time.sleep(0.001)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(1) as pool:
            looking = pool.submit(look)
            try:
                play()
            finally:
                ended.set()
            looking.result()
    finally:
        sys.setswitchinterval(interval)
    assert len({result.position.fen for result in seen}) >= 10
    for result in seen:
        assert result.move in result.position.legal_moves
        assert result.pv[0] == result.move


@pytest.mark.traced_slowly
def test_other_threads_of_python_do_not_shrink_the_batches() -> None:
    """Each batch waits for the GIL, so batches must not become small beside a busy thread."""
    ended = threading.Event()

    def spin() -> None:
        while not ended.is_set():
            pass

    spinners = [threading.Thread(target=spin) for _ in range(3)]
    for spinner in spinners:
        spinner.start()
    try:
        began = time.monotonic()
        po.search(po.Breakthrough(), "uct", playouts=20_000, seed=1, threads=2)
        assert time.monotonic() - began < 10  # 300 playouts took a second
    finally:
        ended.set()
        for spinner in spinners:
            spinner.join()


def test_pondering_ends_by_itself_when_moving() -> None:
    searcher = po.Searcher(po.Breakthrough(5), "uct", seed=1)
    for act in (lambda: searcher.search(playouts=10), lambda: searcher.advance("a2a3")):
        searcher.ponder()
        act()
        assert not searcher.is_pondering


def test_pondering_ends_when_all_is_proven() -> None:
    won = po.Breakthrough.from_fen("bb.b/...w/..../w... w")
    searcher = po.Searcher(won, "uct", seed=1, solver=True)
    searcher.ponder()
    deadline = time.monotonic() + 10
    while searcher.is_pondering and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not searcher.is_pondering
    assert searcher.search(playouts=10).reason == "proven"


def test_starting_and_stopping_quickly() -> None:
    searcher = po.Searcher(po.Breakthrough(), "uct", seed=1)
    began = time.perf_counter()
    for _ in range(100):
        searcher.ponder()
        searcher.stop()
        searcher.stop()
    assert time.perf_counter() - began < 10
    assert searcher.search(playouts=100).reason == "playouts"  # no earlier stop has an effect


def test_stopping_what_another_thread_is_about_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """`stop` comes after `ponder` has made its Call and before it starts it."""
    searcher = po.Searcher(po.Breakthrough(5), "uct", seed=1)
    before, start = thread_count(), _Pondering.start

    def stop_first(pondering: _Pondering) -> None:
        stopping = threading.Thread(target=searcher.stop)
        stopping.start()
        stopping.join()
        start(pondering)

    monkeypatch.setattr(_Pondering, "start", stop_first)
    searcher.ponder()
    assert not searcher.is_pondering
    await_threads(before)
    assert searcher.search(playouts=10).playouts == 10


def test_stop_ends_a_search_from_another_thread() -> None:
    searcher = po.Searcher(po.Breakthrough(), "uct", seed=1)
    timer = threading.Timer(0.1, searcher.stop)
    timer.start()
    began = time.perf_counter()
    result = searcher.search(seconds=60)
    assert result.reason == "stopped"
    assert time.perf_counter() - began < 5
    assert result.playouts == result.moves["visits"].sum() > 0
    timer.join()


def test_one_search_at_a_time() -> None:
    searcher = po.Searcher(po.Breakthrough(5), "rave", seed=1)
    results: list[po.Result] = []
    threads = [
        threading.Thread(target=lambda: results.append(searcher.search(playouts=20_000)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(result.moves["visits"].sum() for result in results) == [
        20_000 * n for n in (1, 2, 3, 4)
    ]


@pytest.mark.serial
def test_stop_ends_the_batch_of_several_threads() -> None:
    """A batch of two threads lasts up to 16 ms. After `stop` they compute for some milliseconds.

    Processor time depends less than time on the clock on what else the machine does. The best of
    some rounds counts.
    """
    slowness = 4 if "LD_PRELOAD" in os.environ else 1  # a build with sanitizers
    assert any(spent_after_stops() < 0.008 * slowness for _ in range(5))


def spent_after_stops() -> float:
    """Seconds of processor time that three of four searches take at most after a `stop`."""
    spent = []
    for number in range(12):
        searcher = po.Searcher(po.Othello(), "rave", threads=2)
        thread = threading.Thread(target=searcher.search, kwargs={"seconds": 60})
        thread.start()
        time.sleep(0.06 + 0.01 * number)
        began = time.process_time()
        searcher.stop()
        thread.join()
        spent.append(time.process_time() - began)
        searcher.close()
    return sorted(spent)[len(spent) * 3 // 4]


def test_a_forgotten_searcher_stops_pondering() -> None:
    before = thread_ids()  # one of an earlier test may be about to end
    searcher = po.Searcher(po.Breakthrough(), "uct", seed=1)
    searcher.ponder()
    fresh = thread_ids() - before
    assert len(fresh) == 1
    del searcher
    gc.collect()
    deadline = time.monotonic() + 30.0
    while fresh & thread_ids():
        assert time.monotonic() < deadline
        time.sleep(0.0005)


def test_python_ends_while_pondering() -> None:
    code = (
        "import playout as po; s = po.Searcher(po.Breakthrough(), 'uct'); s.ponder(); print('bye')"
    )
    ended = run_python(code)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "bye\n", "")


BROKEN = """
import time
from concurrent.futures import ThreadPoolExecutor
import playout as po

class Broken:
    is_broken = False
    plies = 0
    path = 1
    def legal_moves(self):
        if Broken.is_broken:
            raise RuntimeError("out of order")
        return ["a", "b"]
    def play(self, move):
        self.plies += 1
        self.path = 2 * self.path + (move == "b")
    def is_over(self):
        return self.plies == 30
    def result(self):
        return 0.5
    def key(self):
        return self.path

searcher = po.Searcher(Broken(), "uct", seed=1)
for _ in range(20):
    Broken.is_broken = False
    searcher.ponder()
    time.sleep(0.01)
    Broken.is_broken = True
    while searcher.is_pondering:
        time.sleep(0.001)
    try:
        searcher.stop()
    except RuntimeError as error:
        print(error)
    searcher.stop()
Broken.is_broken = False
assert searcher.search(playouts=100).playouts == 100
"""


def test_an_error_of_a_game_in_python_is_raised_once() -> None:
    """An error while pondering is raised by `stop`, once; then the searcher works again."""
    ended = run_python(BROKEN)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == 20 * "out of order\n"


# From several threads, and after a fork

CALLS: dict[str, Callable[[po.Searcher], object]] = {
    "search": lambda s: s.search(playouts=50),
    "advance": lambda s: s.advance(next(iter(s.position.legal_moves), "over")),
    "result": lambda s: s.result.moves["visits"].sum(),
    "ponder": po.Searcher.ponder,
    "stop": po.Searcher.stop,
    "close": po.Searcher.close,
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "pair", list(itertools.combinations_with_replacement(CALLS, 2)), ids="-".join
)
def test_any_two_calls_at_once(pair: tuple[str, str], threads: int) -> None:
    """Four threads make two kinds of calls. Each is done or refused, and no thread remains."""
    before = thread_count()
    current = [po.Searcher(po.Breakthrough(5), "rave", seed=1, threads=threads)]
    ended = threading.Event()
    faults: list[BaseException] = []

    def call(name: str) -> None:
        while not ended.is_set():
            try:
                CALLS[name](current[0])
            except (po.BadPosition, po.IllegalMove):  # the game is over
                pass
            except ValueError as fault:
                if "closed" not in str(fault):
                    faults.append(fault)
            except BaseException as fault:
                faults.append(fault)

    callers = [threading.Thread(target=call, args=(name,)) for name in pair * 2]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for caller in callers:
            caller.start()
        time.sleep(0.005)
        current[0] = po.Searcher(po.Breakthrough(5), "rave", seed=1, threads=threads)
        time.sleep(0.002)
    finally:
        ended.set()
        for caller in callers:
            caller.join()
        sys.setswitchinterval(interval)
    assert not faults
    current.clear()
    gc.collect()
    await_threads(before)


def test_a_second_run_of_an_engine_is_refused() -> None:
    engine = tree_search(po.Breakthrough(5), po.UCT(), seed=1)
    running = threading.Thread(target=engine.run, args=(None, 60.0))
    running.start()
    while engine.playouts == 0:
        time.sleep(0.001)
    refused: list[Callable[[], object]] = [
        lambda: engine.run(10**6),
        lambda: engine.advance(engine.position.legal_moves[0].raw),
    ]
    for ask in refused:
        with pytest.raises(RuntimeError, match="already running in another thread"):
            ask()
    engine.stop()
    running.join()
    assert engine.run(engine.playouts + 10) == "playouts"


def test_a_stop_that_comes_before_the_search_begins() -> None:
    """`stop` also ends a search that waits for its turn."""
    searcher = po.Searcher(po.Breakthrough(5), "uct", seed=1)
    reasons: list[str] = []

    def search() -> None:
        reasons.append(searcher.search(seconds=60).reason)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    began = time.monotonic()
    searcher.stop()
    for thread in threads:
        thread.join()
    assert reasons == ["stopped"] * 3
    assert time.monotonic() - began < 5


def test_close() -> None:
    searcher = po.Searcher(po.Breakthrough(5), "uct", seed=1)
    kept = searcher.search(playouts=500)
    searcher.ponder()
    searcher.close()
    searcher.close()
    searcher.stop()
    assert not searcher.is_pondering
    assert "closed" in repr(searcher)
    assert kept.tree.visits >= 500  # a result keeps its tree
    uses: list[Callable[[], object]] = [
        lambda: searcher.search(playouts=1),
        lambda: searcher.advance("a2a3"),
        lambda: searcher.result,
        lambda: searcher.position,
        searcher.ponder,
    ]
    for use in uses:
        with pytest.raises(ValueError, match="this searcher is closed: make a new one"):
            use()


FORKED = """
import os, signal, sys, time
import playout as po

searcher = po.Searcher(po.Breakthrough(), "uct", seed=1, threads=2)
known = searcher.search(playouts=100)
searcher.ponder()
time.sleep(0.1)
child = os.fork()
if child == 0:
    signal.alarm(20)
    uses = [
        lambda: searcher.search(playouts=10), lambda: searcher.advance("a2a3"), searcher.ponder,
        searcher.stop, searcher.close, lambda: searcher.result, lambda: searcher.position,
        lambda: known.tree,
    ]
    for use in uses:
        try:
            use()
        except RuntimeError as error:
            print(error)
    print(po.search(po.Breakthrough(), "uct", playouts=100, seed=1, threads=2).playouts, flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1])
searcher.stop()
print(searcher.search(playouts=10).playouts)
"""


FORKED_WHILE_SEARCHING = """
import os, signal, threading, time
import playout as po

searcher = po.Searcher(po.Breakthrough(), "uct", seed=1)
searching = threading.Thread(target=lambda: searcher.search(seconds=60))
searching.start()
time.sleep(0.1)
child = os.fork()
if child == 0:
    signal.alarm(20)
    uses = [
        lambda: searcher.search(playouts=1), lambda: searcher.advance("a2a3"), searcher.ponder
    ]
    for use in uses:
        try:
            use()
        except RuntimeError as error:
            print(error, flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1])
searcher.stop()
searching.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_while_another_thread_searches() -> None:
    ended = run_python(FORKED_WHILE_SEARCHING)
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    assert lines[3:] == ["0"]
    assert all("forked while the search was running" in line for line in lines[:3])


FORKED_AT_REST = """
import os
import playout as po

searcher = po.Searcher(po.Breakthrough(), "uct", seed=1, threads=2)
known = searcher.search(playouts=100)
child = os.fork()
if child:
    os.waitpid(child, 0)
more = searcher.search(playouts=10)
print(known.tree.visits, more.playouts, searcher.advance("a2a3"), flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_at_rest() -> None:
    """Parent and child continue, each with its own search."""
    ended = run_python(FORKED_AT_REST)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == 2 * "110 10 a2a3\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_while_pondering() -> None:
    """Every use raises an error in the child. A new search works; the parent continues."""
    ended = run_python(FORKED)
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    assert len(lines) == 11
    assert all("forked while the search was running" in line for line in lines[:8])
    assert lines[8:] == ["100", "0", "10"]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_searcher_in_a_cycle_is_collected_anywhere(threads: int) -> None:
    """Even in the threads of its own search, which cannot wait for themselves."""
    gc.collect()
    gc.freeze()  # the game collects in its playouts: with all that earlier tests left, for seconds
    before = thread_count()
    for _ in range(20):
        searcher = po.Searcher(CollectingHeap(300), "uct", seed=1, threads=threads)
        searcher.itself = searcher  # type: ignore[attr-defined]
        searcher.ponder()
        del searcher
        time.sleep(0.01)
    gc.collect()
    await_threads(before)


class CollectingHeap(Heap):
    """Sometimes runs the garbage collector in its own code."""

    def play(self, move: str) -> None:
        super().play(move)
        if self.size % 50 == 0:
            gc.collect()

    def copy(self) -> CollectingHeap:
        return CollectingHeap(self.size, self.turn)


# Errors


def test_bad_arguments() -> None:
    b = po.Breakthrough(5)
    for method in ("flat", "ucb", po.AMAF()):
        with pytest.raises(
            po.BadMethod, match=r"a Searcher keeps a tree between moves, and .* none"
        ):
            po.Searcher(b, method)
    with pytest.raises(po.BadMethod, match="there is no method 'utc'"):
        po.Searcher(b, "utc")
    with pytest.raises(ValueError, match="threads must be"):
        po.Searcher(b, threads=0)
    with pytest.raises(po.BadPosition, match="a search starts from a position"):
        po.Searcher("b")
    searcher = po.Searcher(b)
    with pytest.raises(ValueError, match="a search needs a limit"):
        searcher.search()
    with pytest.raises(po.IllegalMove, match="'a2a4' is not legal here"):
        searcher.advance("a2a4")
    with pytest.raises(po.IllegalMove, match="given as text"):
        searcher.advance(None)
    assert searcher.position == b
    assert searcher.method == po.UCT()


def test_the_position_is_a_copy() -> None:
    b = po.Breakthrough(5)
    searcher = po.Searcher(b)
    b.push("a2a3")
    searcher.position.push("b2b3")
    assert searcher.position == po.Breakthrough(5)
