"""Several threads at one object: each pair of a Searcher's calls, positions, trees, engines.

Python switches threads as often as possible, so that calls meet other calls half done. An answer
must be right for some moment during the call. Allowed errors are that the game is over, that the
move is no longer legal, or that the searcher is closed.
"""

from __future__ import annotations

import faulthandler
import gc
import itertools
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import playout as po
from mcts_core.games.python_game import PythonPosition
from mcts_core.search.driver import Driver
from playout.task import Task
from support.helpers import Heap, await_threads, facts, thread_count

PROMISE = "one object may be used from many threads"

PATIENCE = 60  # seconds that a bout may take too long: only a hang takes more
THREADS = (2, 3, 4)

Call = Callable[[random.Random], object]


class Bout(NamedTuple):
    """Calls that threads repeat on one object, and a check of the object afterwards."""

    name: str
    calls: list[Call]  # one for each thread
    check: Callable[[], object]


def fight(bout: Bout, seconds: float, seed: int) -> int:
    """Let the threads call for `seconds`. Returns the number of calls."""
    ends, counts, faults = time.monotonic() + seconds, [0] * len(bout.calls), []

    def act(number: int) -> None:
        choice = random.Random(f"{seed} {number}")
        try:
            while time.monotonic() < ends and not faults:
                bout.calls[number](choice)
                counts[number] += 1
        except BaseException as fault:
            faults.append(fault)

    faulthandler.dump_traceback_later(seconds + PATIENCE, exit=True)
    fighters = [threading.Thread(target=act, args=(number,)) for number in range(len(bout.calls))]
    for fighter in fighters:
        fighter.start()
    for fighter in fighters:
        fighter.join()
    try:
        if faults:
            raise faults[0]
        bout.check()
    except BaseException as fault:
        raise AssertionError(f"{bout.name}, seed {seed}: {fault!r}") from fault
    faulthandler.cancel_dump_traceback_later()
    return sum(counts)


# A searcher


def check_result(result: po.Result) -> None:
    assert result.move in result.position.legal_moves, f"{result.move} in\n{result.position}"
    assert result.pv[0] == result.move, f"{result.pv} does not begin with {result.move}"
    assert sorted(result.moves["move"]) == sorted(result.position.legal_moves)


def search(searcher: po.Searcher, choice: random.Random) -> int:
    result = searcher.search(
        playouts=choice.randint(1, 500),
        seconds=choice.choice((None, 0.002)),
        until_sure=choice.choice((None, 0.1)),
    )
    check_result(result)
    assert result.moves["visits"].sum() >= result.playouts
    return result.playouts


def advance(searcher: po.Searcher, choice: random.Random) -> int:
    move = choice.choice(searcher.position.legal_moves or ["the game is over"])
    assert searcher.advance(move) == move
    return 0


def look(searcher: po.Searcher, choice: random.Random) -> int:
    check_result(searcher.result)
    return 0


def ponder(searcher: po.Searcher, choice: random.Random) -> int:
    searcher.ponder()
    return 0


def stop(searcher: po.Searcher, choice: random.Random) -> int:
    searcher.stop()
    return 0


def close(searcher: po.Searcher, choice: random.Random) -> int:
    searcher.close()
    answer = searcher.result  # raises
    raise AssertionError(f"a closed searcher answers: {answer}")


CALLS = {
    "search": search,
    "advance": advance,
    "result": look,
    "ponder": ponder,
    "stop": stop,
    "close": close,
}
PAIRS = list(itertools.combinations_with_replacement(CALLS, 2))


class Shared:
    """A searcher that threads share, replaced when its game is over or it was closed."""

    def __init__(self, make: Callable[[], po.Searcher]) -> None:
        self.make = make
        self.lock = threading.Lock()
        self.searcher = make()
        self.played: list[int] = []  # playouts of each search

    def call(self, name: str, choice: random.Random) -> None:
        searcher = self.searcher
        try:
            self.played.append(CALLS[name](searcher, choice))
        except po.IllegalMove:
            pass  # another thread has moved
        except ValueError as error:
            if not any(reason in str(error) for reason in ("game is over", "searcher is closed")):
                raise
            self.renew(searcher)

    def renew(self, old: po.Searcher) -> None:
        with self.lock:
            if self.searcher is old:
                self.searcher = self.make()

    def check(self, names: tuple[str, str]) -> None:
        """Check that nothing was lost or counted twice."""
        self.searcher.stop()
        assert not self.searcher.is_pondering, "it was stopped, and ponders"
        if self.searcher.position.is_over:
            return
        result = self.searcher.result
        check_result(result)
        visits = result.moves["visits"].sum()
        assert visits >= result.playouts, f"{visits} visits of {result.playouts} playouts"
        if not {"advance", "close"} & {*names}:
            assert visits == result.playouts, f"{visits} visits of {result.playouts} playouts"
        if not {"advance", "close", "ponder"} & {*names}:
            played = sum(self.played)
            assert played == result.playouts, f"{result.playouts} of {played} playouts are known"


STARTS: list[Any] = [po.Breakthrough(5), po.Breakthrough(4), po.Othello(6), Heap(30)]
METHODS: list[po.Method] = [po.UCT(), po.RAVE(), po.GRAVE(), po.UCT(lanes=8), po.RAVE(lanes=8)]


def searcher_bout(names: tuple[str, str], threads: int, choice: random.Random) -> Bout:
    start, method = choice.choice(STARTS), choice.choice(METHODS)
    options: dict[str, Any] = {
        "threads": choice.choice((1, 2)),
        "memory": choice.choice(("300kB", "64MB")),
        "solver": choice.choice((False, True)),
    }
    shared = Shared(lambda: po.Searcher(start, method, seed=1, **options))
    calls = [
        lambda choice, name=name: shared.call(name, choice)
        for name in itertools.islice(itertools.cycle(names), threads)
    ]
    name = f"{' and '.join(names)} from {threads} threads: {start!r}, {method!r}, {options}"
    return Bout(name, calls, lambda: shared.check(names))


def tree_bout(start: Any, method: po.Method) -> Bout:
    """Walks through the tree of a search whose game continues."""
    shared = Shared(lambda: po.Searcher(start, method, seed=1, threads=2, memory="300kB"))

    def play(choice: random.Random) -> None:
        shared.call("search", choice)
        shared.call("advance", choice)

    def walk(choice: random.Random) -> None:
        try:
            tree = shared.searcher.result.tree
        except (po.BadPosition, AttributeError):
            return  # the game is over, or the search has moved on
        for node in tree.walk(depth=3):
            assert node.visits == 0 or -1e-9 <= node.mean <= 1 + 1e-9, node

    return Bout(f"trees of {start!r}, {method!r}", [play, walk, walk], lambda: None)


# Positions


def solved(position: po.Position) -> object:
    with suppress(po.BadPosition):  # the game is over
        found = po.solve(position, memory="100kB")
        return found.position.key, found.value
    return None


def searched(position: po.Position) -> object:
    with suppress(po.BadPosition):
        result = po.search(position, playouts=20, seed=1, memory="100kB")
        return result.position.key, result.move, result.value
    return None


def played_out(position: po.Position) -> object:
    with suppress(po.BadPosition):
        found = po.playouts(position, 20, seed=1)
        return found.wins, found.draws, found.losses, found.plies
    return None


LOOKS: dict[str, Callable[[po.Position], Any]] = {
    "legal_moves": lambda position: position.legal_moves,
    "key": lambda position: position.key,
    "turn": lambda position: position.turn,
    "is_over": lambda position: position.is_over,
    "result": lambda position: position.result,
    "perft": lambda position: position.perft(3),
    "solve": solved,
    "search": searched,
    "playouts": played_out,
}


def seen(position: po.Position) -> dict[str, Any]:
    return {name: look(position) for name, look in LOOKS.items()}


def below(position: po.Position) -> list[po.Position]:
    """A position, and all positions that can be reached from it."""
    found = {position.key: position}
    waiting = [position]
    while waiting:
        position = waiting.pop()
        for move in position.legal_moves:
            after = position.copy()
            after.push(move)
            if after.key not in found:
                found[after.key] = after
                waiting.append(after)
    return list(found.values())


def position_bout(start: po.Position, threads: int) -> Bout:
    """Pushing and popping against reading: what is read is right for some position."""
    shared = start.copy()
    every = [seen(position) for position in below(start)]
    right = {name: {answers[name] for answers in every} for name in LOOKS}

    def move(choice: random.Random) -> None:
        if choice.random() < 0.5:
            with suppress(po.IllegalMove):  # another thread has moved
                shared.push(choice.choice(shared.legal_moves or ["over"]))
        else:
            with suppress(IndexError):  # another thread has taken it back
                shared.pop()

    def look(choice: random.Random) -> None:
        name = choice.choice([*LOOKS])
        answer = LOOKS[name](shared)
        assert answer in right[name], f"{name} is {answer}"

    def copy(choice: random.Random) -> None:
        """A copy is the position that its own moves lead to."""
        twin, again = shared.copy(), start.copy()
        for move in twin.history:
            again.push(move)
        assert seen(twin) == seen(again), f"after {twin.history}: {seen(twin)}"

    calls = [move, look, copy, move][:threads]
    name = f"{start!r} pushed and popped, with {threads} threads"
    return Bout(name, calls, lambda: copy(random.Random()))


def search_bout(start: Any, method: po.Method) -> Bout:
    """Concurrent searches of one position have the same results as single ones."""

    def found(seed: int) -> object:
        return facts(po.search(start, method, playouts=200, seed=seed))

    alone = [found(seed) for seed in range(5)]

    def compare(choice: random.Random) -> None:
        seed = choice.randrange(5)
        assert found(seed) == alone[seed], f"seed {seed}"

    return Bout(f"searches of {start!r}, {method!r}", 3 * [compare], lambda: None)


def playouts_bout(start: po.Position) -> Bout:
    """Playouts of positions that change meanwhile: each row is of the position before or after."""
    positions = [start.copy() for _ in range(3)]

    def rows(threads: int) -> list[tuple[float, ...]]:
        found = po.playouts(positions, 100, seed=1, threads=threads)
        columns = (found.wins, found.draws, found.losses, found.plies, found.mean)
        return list(zip(*(column.tolist() for column in columns)))

    before = rows(1)
    for position in positions:
        position.push(start.legal_moves[0])
    after = rows(1)
    right = list(zip(before, after))

    def move(choice: random.Random) -> None:
        for position in positions:
            position.pop()
        for position in positions:
            position.push(start.legal_moves[0])

    def play(choice: random.Random) -> None:
        for row, allowed in zip(rows(choice.randint(1, 2)), right):
            assert row in allowed, f"{row}, not one of {allowed}"

    return Bout(f"playouts of {start!r}", [move, play, play], lambda: None)


def engine_bout(engine: Driver, threads: int) -> Bout:
    """An engine runs once at a time; a second run raises an error."""
    refusals = []

    def run(choice: random.Random) -> None:
        try:
            engine.run(engine.playouts + 300, threads=threads)
        except RuntimeError as refusal:
            refusals.append(refusal)

    def check() -> None:
        assert refusals, "an engine was run twice at the same time"
        visits = engine.root()["visits"].sum()
        assert visits == engine.playouts, f"{visits} visits of {engine.playouts} playouts"

    return Bout(f"{type(engine).__name__} run on {threads} threads", 2 * [run], check)


def engines() -> Iterator[Driver]:
    for method in (po.UCT(), po.Flat(), po.AMAF()):
        settings = {"seed": 1, "threads": 1, "memory": None, "policy": "random", "solver": False}
        yield Task.checked(po.Breakthrough(5), method, **settings).engine()


# All bouts

ENDING = "OX--O-OXX-O-OOOOOXOOXXXOOOXXOOXXXXOO O"
POSITIONS = (po.Breakthrough(3, first_rows=1), po.Othello.from_fen(ENDING), PythonPosition(Heap(9)))


def bouts(seed: int) -> Iterator[Bout]:
    choice = random.Random(seed)
    for names, threads in itertools.product(PAIRS, THREADS):
        yield searcher_bout(names, threads, choice)
    for start in STARTS:
        yield tree_bout(start, choice.choice(METHODS))
        yield search_bout(start, choice.choice(METHODS))
    for position in POSITIONS:
        for threads in THREADS:
            yield position_bout(position, threads)
        yield playouts_bout(position)
    for engine in engines():
        for threads in (1, 2):
            yield engine_bout(engine, threads)


def work(seconds: float, seed: int) -> int:
    """Run all bouts in `seconds`. Returns the number of calls."""
    count = sum(1 for _ in bouts(seed))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        return sum(fight(bout, seconds / count, seed) for bout in bouts(seed))
    finally:
        sys.setswitchinterval(interval)


def attack(night: bool) -> str:
    faulthandler.enable()
    seconds, before = 630 if night else 20, thread_count()
    calls = work(seconds, seed=1)
    gc.collect()
    await_threads(before)
    return f"{len(PAIRS)} pairs x 2-4 threads, {seconds} s: {calls:,} calls, 0 faults"
