"""Ctrl-C at random moments of everything that takes time.

A timer replaces the key: Python calls its handler where it would call that of SIGINT. The
interrupted call raises KeyboardInterrupt, or returns if it was about to end. No thread keeps
running. Afterwards the same call, or the same object, gives right answers.
"""

from __future__ import annotations

import _weakrefset
import faulthandler
import random
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, _base, thread
from itertools import cycle
from types import FrameType
from typing import Any

import playout as po
from mcts_core.games.python_game import PythonPosition
from support.helpers import Heap, await_threads, facts, thread_count

PROMISE = "Ctrl-C ends what is running and loses nothing"

HANGS = 60  # seconds: a longer call hangs

BOARD = po.Breakthrough(5)
ENDING = po.Othello.from_fen("--XXXX-XX-OO--X-XOOXXOOOXOXXOXOXXXOOOOX-XXXOOO--XXXXXO--X--XXXX- O")

EXECUTORS = frozenset(
    module.__file__ for module in (_base, thread, threading, weakref, _weakrefset)
)


class Case:
    """Something to interrupt, with its preparation and a check afterwards."""

    spared: frozenset[str] = frozenset()  # files of Python's library in which it is not interrupted

    def prepare(self) -> None:
        """Prepare, without interrupts."""

    def act(self) -> None:
        raise NotImplementedError

    def check(self) -> None:
        raise NotImplementedError


class Repeatable(Case):
    """A call with one right answer."""

    def __init__(self, call: Callable[..., Any], *arguments: Any, **options: Any) -> None:
        self.call = lambda: call(*arguments, **options)
        self.expected: Any = None

    def prepare(self) -> None:
        if self.expected is None:
            self.expected = self.call()

    def act(self) -> None:
        self.call()

    def check(self) -> None:
        answer = self.call()
        assert answer == self.expected, f"{answer} afterwards, {self.expected} before"


class Spread(Repeatable):
    """A search on an executor. Ctrl-C in the executor's own code can break the executor."""

    spared = EXECUTORS

    def __init__(self, start: Any, method: str, playouts: int) -> None:
        super().__init__(self.search, start, method, playouts)

    @staticmethod
    def search(start: Any, method: str, playouts: int) -> object:
        with ThreadPoolExecutor(2) as executor:
            return searched(start, method, playouts=playouts, executor=executor)


class Searching(Case):
    """One searcher that searches repeatedly and keeps its tree."""

    def __init__(self, start: Any, method: str, threads: int, playouts: int) -> None:
        self.searcher = po.Searcher(start, method, seed=1, threads=threads, memory="2MB")
        self.playouts, self.known = playouts, 0

    def act(self) -> None:
        self.searcher.search(playouts=self.playouts)

    def check(self) -> None:
        result = self.searcher.result
        visits = result.moves["visits"].sum()
        assert visits == result.playouts, f"{visits} visits of {result.playouts} playouts"
        assert visits >= self.known, f"{visits} visits, {self.known} before"
        self.known = self.searcher.search(playouts=10).moves["visits"].sum()
        assert self.known == visits + 10, f"{self.known} visits after {visits} and 10 more"


class Pondering(Searching):
    def __init__(self, start: Any, method: str, threads: int) -> None:
        super().__init__(start, method, threads, 0)

    def act(self) -> None:
        try:
            self.searcher.ponder()
            time.sleep(0.002)
            self.searcher.stop()
        except KeyboardInterrupt:
            self.searcher.stop()
            raise


class Advancing(Case):
    """After an interrupt, a searcher is at the position before or after the move."""

    def prepare(self) -> None:
        self.searcher = po.Searcher(po.Breakthrough(6), "rave", seed=1, memory="300kB")
        self.searcher.search(playouts=2000)

    def act(self) -> None:
        for _ in range(10):
            self.searcher.advance(self.searcher.position.legal_moves[0])

    def check(self) -> None:
        position = self.searcher.position
        again = po.Breakthrough(6)
        for move in position.history:
            again.push(move)
        assert again == position
        for result in (self.searcher.result, self.searcher.search(playouts=10)):
            assert result.position == position, f"{result.position!r} is not {position!r}"
            moves = sorted(result.moves["move"])
            assert moves == sorted(position.legal_moves), f"{moves} in {position!r}"
        assert result.playouts == 10


class Moving(Case):
    """A position is the one that its moves lead to."""

    def __init__(self) -> None:
        self.position = PythonPosition(Heap(100))

    def act(self) -> None:
        for move in ("take 1", "take 2", "take 3", "take 1"):
            self.position.push(move)
        for _ in range(4):
            self.position.pop()

    def check(self) -> None:
        again = PythonPosition(Heap(100))
        for move in self.position.history:
            again.push(move)
        assert again == self.position
        assert again.legal_moves == self.position.legal_moves
        while self.position.history:
            self.position.pop()
        assert self.position.perft(3) == 27


class Threefold:
    """Three moves a ply, 30 plies. A game in plain Python."""

    def __init__(self) -> None:
        self.number, self.plies = 0, 0

    @property
    def turn(self) -> int:
        return self.plies % 2

    def legal_moves(self) -> list[str]:
        return ["a", "b", "c"]

    def play(self, move: str) -> None:
        self.number = 3 * self.number + "abc".index(move)
        self.plies += 1

    def is_over(self) -> bool:
        return self.plies == 30

    def result(self) -> float:
        return self.number % 3 / 2

    def key(self) -> int:
        return self.number << 5 | self.plies


def searched(start: Any, method: Any, **options: Any) -> object:
    return facts(po.search(start, method, seed=1, **options))


def counted(start: Any, method: Any, playouts: int, **options: Any) -> object:
    """With several threads only the number of playouts is repeatable."""
    result = po.search(start, method, playouts=playouts, seed=1, **options)
    return result.playouts, int(result.moves["visits"].sum())


def valued(start: Any, depth: int, **options: Any) -> object:
    """With several threads only the value of a plain alpha-beta is repeatable."""
    result = po.search(start, po.AlphaBeta(depth, selective=False), **options)
    return result.value, result.depth


def analysed(*arguments: Any, **options: Any) -> object:
    return [facts(result) for result in po.analysis(*arguments, **options)]


def evaluated(position: po.Position) -> float:
    return position.key % 64


def played(position: po.Position, n: int, **options: Any) -> object:
    found = po.playouts(position, n, seed=1, **options)
    return found.wins, found.draws, found.losses, found.plies


def solved(position: Any) -> object:
    found = po.solve(position, memory="1MB")
    return found.value, found.score, found.pv


def compared(*methods: str) -> object:
    found = po.compare(BOARD, methods, playouts=200, runs=5, seed=1, exact_nodes=0)
    return found.moves.tolist(), found.values.tolist()


THREEFOLD = PythonPosition(Threefold())

CASES: dict[str, Case] = {
    "flat": Repeatable(searched, BOARD, "flat", playouts=20_000),
    "flat, 2 threads": Repeatable(searched, BOARD, "flat", playouts=20_000, threads=2),
    "ucb": Repeatable(searched, BOARD, "ucb", playouts=5000),
    "amaf, 2 threads": Repeatable(searched, BOARD, "amaf", playouts=5000, threads=2),
    "uct": Repeatable(searched, BOARD, "uct", playouts=5000),
    "uct, 2 threads": Repeatable(counted, BOARD, "uct", 10_000, threads=2),
    "rave, lanes": Repeatable(searched, BOARD, po.RAVE(lanes=8), playouts=8000),
    "rave, solver": Repeatable(searched, BOARD, "rave", playouts=5000, solver=True),
    "grave, 2 threads": Repeatable(counted, BOARD, po.GRAVE(lanes=8), 8000, threads=2),
    "analysis": Repeatable(analysed, BOARD, "rave", playouts=3000, every=1000, seed=1),
    "executor": Spread(BOARD, "uct", 20_000),
    "Searcher.search": Searching(BOARD, "rave", 1, 3000),
    "Searcher.search, 2 threads": Searching(BOARD, "uct", 2, 3000),
    "Searcher.ponder": Pondering(BOARD, "uct", 1),
    "Searcher.ponder, 2 threads": Pondering(BOARD, "grave", 2),
    "Searcher.advance": Advancing(),
    "solve": Repeatable(solved, po.Breakthrough(4, 5)),
    "solve, Othello": Repeatable(solved, ENDING),
    "alphabeta": Repeatable(searched, po.Othello(), po.AlphaBeta(depth=9)),
    "alphabeta, 2 threads": Repeatable(valued, BOARD, 7, threads=2),
    "alphabeta, own evaluation": Repeatable(
        searched, po.Othello(), po.AlphaBeta(depth=7, evaluation=evaluated)
    ),
    "playouts": Repeatable(played, BOARD, 20_000),
    "playouts, 3 threads": Repeatable(played, BOARD, 20_000, threads=3),
    "perft": Repeatable(BOARD.perft, 6),
    "compare": Repeatable(compared, "flat", "uct", "rave"),
    "own game: push": Moving(),
    "own game: perft": Repeatable(THREEFOLD.perft, 9),
    "own game: playouts": Repeatable(played, THREEFOLD, 300, threads=2),
    "own game: search": Repeatable(searched, THREEFOLD, "uct", playouts=300),
    "own game: search, 2 threads": Repeatable(counted, Threefold(), "uct", 300, threads=2),
    "own game: Searcher": Searching(Heap(30), "rave", 1, 300),
    "own game: solve": Repeatable(solved, Heap(40)),
}


class Alarm:
    """A key that is pressed once, after some time."""

    def __init__(self) -> None:
        self.is_set = self.has_rung = False
        self.spared: frozenset[str] = frozenset()

    def ring(self, number: int, frame: FrameType | None) -> None:
        if not self.is_set:
            return  # too late: the case has ended
        code = frame.f_code if frame else None
        if code and code.co_filename in self.spared and code.co_name != "wait":
            signal.setitimer(signal.ITIMER_REAL, 1e-5)  # a moment later
            return
        self.has_rung = True
        raise KeyboardInterrupt

    def interrupts(self, case: Case, delay: float) -> bool:
        """Run a case. Returns whether it was interrupted; otherwise it ended first."""
        self.is_set, self.has_rung, self.spared = True, False, case.spared
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            case.act()
        except KeyboardInterrupt:
            return True
        finally:
            self.is_set = False
            signal.setitimer(signal.ITIMER_REAL, 0)
        assert not self.has_rung, "it went on after the interrupt"
        return False


def duration(case: Case) -> float:
    """The seconds that a case takes without an interrupt; its check must pass."""
    case.prepare()
    began = time.perf_counter()
    case.act()
    seconds = time.perf_counter() - began
    case.check()
    return seconds


def moment(choice: random.Random) -> float:
    """A moment from 0 to 1, often near 0, where each moment is a different line of Python."""
    return choice.choice((choice.random(), 10 ** choice.uniform(-3, 0)))


def interrupt(case: Case, alarm: Alarm, delay: float, most_threads: int) -> bool:
    """Interrupt a case after `delay` seconds. Returns whether that came in time."""
    case.prepare()
    was_interrupted = alarm.interrupts(case, delay)
    await_threads(most_threads)
    case.check()
    return was_interrupted


def attack(night: bool) -> str:
    wanted, interrupts = 20_000 if night else 500, 0
    choice, alarm = random.Random(1), Alarm()
    unraised: list[str] = []  # errors raised in finalizers
    sys.unraisablehook = lambda failure: unraised.append(repr(failure.exc_value))
    seconds = {name: duration(case) for name, case in CASES.items()}
    former = signal.signal(signal.SIGALRM, alarm.ring)
    faulthandler.dump_traceback_later(HANGS, exit=True)
    most_threads = thread_count()
    try:
        for name in cycle(CASES):
            faulthandler.dump_traceback_later(HANGS, exit=True)
            delay = max(1e-6, seconds[name] * moment(choice))
            try:
                interrupts += interrupt(CASES[name], alarm, delay, most_threads)
                assert not unraised, f"printed and forgotten: {unraised}"
            except BaseException as fault:
                raise AssertionError(f"{name} after {delay:.6f} s: {fault!r}") from fault
            if interrupts == wanted:
                break
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, former)
    return f"{len(CASES)} entry points, {interrupts:,} interrupts: 0 lost"
