"""A game in plain Python: exact keys, errors in the right place, and threads."""

from __future__ import annotations

import gc
import pickle
import random
import sys
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

import pytest

import playout as po
from mcts_core.games.python_game import PythonPosition
from mcts_core.minimax.proof import ExactSolver
from support import helpers
from support.helpers import WITH_TESTS, run_python

# Keys


class Constant:
    """A value with the same hash as all others."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self.value == other.value

    def __hash__(self) -> int:
        return 1


KEYS: dict[str, Callable[[int], Hashable]] = {
    "small ints": lambda state: state,
    "-1 and -2": lambda state: tuple(-1 if state >> bit & 1 else -2 for bit in range(12)),
    "negative ints": lambda state: -1 - state,
    "two bitboards in one int": lambda state: (state & 63) << 70 | state >> 6,
    "ints around 2**63": lambda state: 2**63 - 100 + state,
    "ints beyond 2**64": lambda state: state * 2**64,
    "strings": lambda state: format(state, "b"),
    "bytes": lambda state: state.to_bytes(9, "big"),
    "nested tuples": lambda state: ((state & 7, (state >> 3, None)), "x"),
    "frozensets": lambda state: frozenset(bit for bit in range(12) if state >> bit & 1),
    "floats": lambda state: state / 7,
    "one hash for all": lambda state: Constant(state),
    "of many kinds": lambda state: (state, -state - 1, str(state), (state,))[state % 4],
}


class Drawn:
    """A random graph of 300 states. Moves lead to higher numbers; the last thirty states are ends.

    A player may move several times in a row.
    """

    STATES, ENDS = 300, 30

    def __init__(self, seed: int, key: Callable[[int], Hashable]) -> None:
        choice = random.Random(seed)
        self.after = [
            sorted({min(state + choice.randint(1, 60), self.STATES - 1) for _ in range(3)})
            for state in range(self.STATES)
        ]
        self.turns = [choice.randrange(2) for _ in range(self.STATES)]
        self.results = [choice.choice((0.0, 0.5, 1.0)) for _ in range(self.STATES)]
        self.key_of, self.state = key, 0

    @property
    def turn(self) -> int:
        return self.turns[self.state]

    def legal_moves(self) -> list[int]:
        return [] if self.is_over() else self.after[self.state]

    def play(self, move: int) -> None:
        self.state = move

    def is_over(self) -> bool:
        return self.state >= self.STATES - self.ENDS

    def result(self) -> float:
        return self.results[self.state]

    def key(self) -> Hashable:
        return self.key_of(self.state)

    def copy(self) -> Drawn:
        twin = object.__new__(Drawn)
        twin.__dict__.update(self.__dict__)
        return twin

    def value(self) -> float:
        """The value of the start to its mover, computed from the ends backwards."""
        values = list(self.results)
        for state in reversed(range(self.STATES - self.ENDS)):
            best = min if self.turns[state] else max
            values[state] = best(values[after] for after in self.after[state])
        return 1.0 - values[0] if self.turns[0] else values[0]


@pytest.mark.parametrize("kind", KEYS)
def test_no_two_keys_collide(kind: str) -> None:
    """Proofs are right for keys with any hashes."""
    proven = 0
    for seed in range(12):
        game = Drawn(seed, KEYS[kind])
        assert po.solve(game).value == game.value()
        result = po.search(game, "uct", playouts=5000, seed=seed, solver=True)
        if result.reason == "proven":
            assert result.value == game.value()
            proven += 1
    assert proven > 6


@pytest.mark.parametrize("kind", KEYS)
def test_each_key_has_a_word_of_its_own(kind: str) -> None:
    position = PythonPosition(Drawn(1, KEYS[kind]))
    keys = set()
    for state in range(Drawn.STATES):
        position.object.state = state
        key = position.key
        assert 0 <= key < 2**64
        assert position.key == key
        keys.add(key)
    assert len(keys) == Drawn.STATES


def test_equal_keys_are_one_position() -> None:
    """Keys are compared by `==`: 1 == 1.0 == True, and tuples of them are equal too."""
    start = Drawn(1, lambda state: (state, "x"))
    one, other = PythonPosition(start), PythonPosition(start)
    assert one == other
    assert hash(one) == hash(other)
    one.push(one.legal_moves[0])
    assert one != other
    assert PythonPosition(Drawn(1, lambda _: True)).key == PythonPosition(Drawn(1, lambda _: 1)).key


def test_the_goals_of_the_exact_solver_share_no_entry() -> None:
    """The goals "a win" and "a draw" share a table, and no key mixes them up."""
    word = 0xA5A5F00DC0FFEE11
    for seed in range(40):
        game = Drawn(seed, lambda state: state // 2 if state % 2 else (state // 2) ^ word)
        assert po.solve(game).value == game.value()


# Errors


class Failing(helpers.Heap):
    """Raises at the n-th call of one of its parts."""

    part, left, error = "", 0, OSError

    @classmethod
    def fail_at(cls, part: str, call: int, error: type[BaseException] = OSError) -> None:
        cls.part, cls.left, cls.error = part, call, error

    def __getattribute__(self, name: str) -> Any:
        if name == Failing.part:
            Failing.left -= 1
            if Failing.left == 0:
                raise Failing.error(f"{name} is out of order")
        return super().__getattribute__(name)

    def copy(self) -> Failing:
        return Failing(self.size, self.turn)


def wrapped(part: str) -> PythonPosition:
    """A position that fails when this part is called."""
    Failing.fail_at("", 0)
    position = PythonPosition(Failing(12))
    position.push("take 1")
    Failing.fail_at(part, 1)
    return position


ASKED: dict[str, tuple[str, ...]] = {
    "legal_moves": ("legal_moves", "is_over"),
    "is_over": ("legal_moves", "is_over"),
    "result": ("legal_moves", "is_over"),
    "turn": ("turn",),
    "key": ("key",),
    "hash": ("key",),
    "equal": ("key",),
    "code": ("code", "legal_moves", "is_over"),
    "push": ("copy", "legal_moves", "is_over", "play"),
    "perft": ("legal_moves", "is_over", "play", "copy"),
    "search": ("legal_moves", "is_over", "play", "copy", "key", "turn"),
    "solve": ("legal_moves", "is_over", "play", "copy", "key", "turn"),
    "playouts": ("legal_moves", "is_over", "play", "copy", "turn"),
    "playout": ("legal_moves", "is_over", "play", "copy"),
    "playout with codes": ("code",),
}
CALLS: dict[str, Callable[[PythonPosition], object]] = {
    "legal_moves": lambda p: p.legal_moves,
    "is_over": lambda p: p.is_over,
    "result": lambda p: p.result,
    "turn": lambda p: p.turn,
    "key": lambda p: p.key,
    "hash": hash,
    "equal": lambda p: p == p.copy(),
    "code": lambda p: p.code("take 1"),
    "push": lambda p: p.copy().push("take 1"),
    "perft": lambda p: p.perft(3),
    "search": lambda p: po.search(p, "uct", playouts=50, seed=1),
    "solve": po.solve,
    "playouts": lambda p: po.playouts(p, 100, seed=1, threads=2),
    "playout": lambda p: po.playout(p, seed=1),
    "playout with codes": lambda p: po.playout(p, seed=1),
}


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt, IndexError])
@pytest.mark.parametrize(
    ("call", "part"), [(call, part) for call, parts in ASKED.items() for part in parts]
)
def test_what_a_game_raises_comes_out(call: str, part: str, error: type[BaseException]) -> None:
    """Every public method raises the error, and the position does not change."""
    position = wrapped(part)
    messages: list[str] = []
    for number in [*range(1, 30), *range(30, 1000, 97)]:
        Failing.fail_at(part, number, error)
        try:
            CALLS[call](position)
        except error as raised:
            messages.append(str(raised))
        else:
            assert Failing.left > 0, "the error was swallowed"
            break
    Failing.fail_at("", 0)
    assert set(messages) == {f"{part} is out of order"}
    assert position.perft(3) == PythonPosition(helpers.Heap(11, 1)).perft(3)
    assert position.history == ("take 1",)


def test_a_result_that_fails() -> None:
    position = wrapped("")
    while not position.is_over:
        position.push("take 1")
    Failing.fail_at("result", 1)
    with pytest.raises(OSError, match="result is out of order"):
        _ = position.result
    assert position.result in (0.0, 1.0)


@pytest.mark.traced_slowly
def test_ctrl_c_inside_perft() -> None:
    """The result is not a wrong number, and the next call works."""
    full = PythonPosition(helpers.Heap(40)).perft(9)
    assert full == 19683
    Failing.fail_at("", 0)
    position = PythonPosition(Failing(40))
    Failing.fail_at("play", 5000, KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        position.perft(9)
    Failing.fail_at("", 0)
    assert position.perft(9) == full
    assert po.search(position, "uct", playouts=100, seed=1).playouts == 100


def test_a_copy_with_other_moves_is_named() -> None:
    class Odd(helpers.Heap):
        def copy(self) -> Odd:
            return Odd(self.size // 4)

    position = PythonPosition(Odd(12))
    assert position.legal_moves == ("take 1", "take 2", "take 3")
    with pytest.raises(po.BadPosition, match=r"copy\(\) must give an equal position"):
        position.push("take 3")


def test_a_position_that_was_never_made() -> None:
    hollow = PythonPosition.__new__(PythonPosition)
    asks: list[Callable[[], object]] = [
        hollow.check,
        hollow.copy,
        hollow.private,
        hollow.pop,
        lambda: hollow.legal_moves,
        lambda: hollow.history,
        lambda: hollow.key,
        lambda: hollow.turn,
        lambda: hollow.n_codes,
        lambda: hollow.perft(1),
        lambda: hollow.push("a"),
        lambda: po.search(hollow, "uct", playouts=1),
        lambda: po.playouts(hollow, 1),
    ]
    for ask in asks:
        with pytest.raises(po.BadPosition, match="never given a position"):
            ask()


# From move to move


def test_history_copies_and_pickles() -> None:
    position = PythonPosition(helpers.Heap(12))
    position.push("take 3")
    twin = position.copy()
    position.push("take 1")
    assert position.history == ("take 3", "take 1")
    assert twin.history == ("take 3",)
    assert position.pop() == "take 1"
    assert position == twin
    assert pickle.loads(pickle.dumps(position)) == position
    position.pop()
    with pytest.raises(IndexError, match="no move has been pushed"):
        position.pop()


def test_positions_of_a_search_go_on_alone() -> None:
    """Moves pushed on a result's position change neither the result nor the searcher."""
    searcher = po.Searcher(helpers.Heap(21), "rave", seed=1)
    result = searcher.search(playouts=200)
    result.position.push("take 2")
    assert searcher.position.history == ()
    assert searcher.result.position.history == ()
    assert searcher.advance("take 1") == "take 1"


# Threads


@pytest.mark.traced_slowly
def test_one_position_in_several_threads() -> None:
    """Each thread sees the position before or after a move, never in between."""
    position = PythonPosition(helpers.Heap(30))
    ended = threading.Event()
    faults: list[BaseException] = []

    def go_on() -> None:
        while not ended.is_set():
            with suppress(IndexError, po.IllegalMove):
                position.push("take 1")
                position.pop()

    def look() -> None:
        try:
            while not ended.is_set():
                size = position.copy().object.size
                assert 20 <= size <= 30
                assert len(position.legal_moves) == 3
                assert position.perft(3) == 27
                assert not position.is_over
                assert po.search(position, "uct", playouts=20, seed=1).playouts == 20
                assert po.playouts([position, position], 5, seed=1).n == 5
        except BaseException as fault:
            faults.append(fault)
            ended.set()

    threads = [threading.Thread(target=run) for run in (go_on, go_on, look, look)]
    for thread in threads:
        thread.start()
    ended.wait(1.0)
    ended.set()
    for thread in threads:
        thread.join()
    assert not faults


def test_searches_of_one_position_fail_each_for_itself() -> None:
    """An error in one of two searches affects only that one."""
    here = threading.local()

    class Local(helpers.Heap):
        def play(self, move: str) -> None:
            if getattr(here, "fails", False):
                raise ArithmeticError
            super().play(move)

        def copy(self) -> Local:
            return Local(self.size, self.turn)

    position = po.search(Local(21), "uct", playouts=10, seed=1).position
    outcomes: list[object] = []

    def run(fails: bool) -> None:
        for _ in range(30):
            here.fails = fails
            try:
                outcomes.append((fails, po.search(position, "uct", playouts=200).playouts))
            except ArithmeticError:
                outcomes.append((fails, "failed"))

    threads = [threading.Thread(target=run, args=(fails,)) for fails in (True, False, False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(outcomes) == {(True, "failed"), (False, 200)}


def test_positions_of_another_game_are_refused() -> None:
    solver = ExactSolver(PythonPosition(helpers.Heap(5)))
    other = PythonPosition(helpers.Heap(5))
    for ask in (solver.known, solver.work, lambda p: solver.prove(p, 0, 1.0)):
        with pytest.raises(po.BadPosition, match="another game"):
            ask(other)


@pytest.mark.traced_slowly
def test_perft_of_copies_keeps_nothing() -> None:
    position = PythonPosition(helpers.Heap(12))

    def ask(n: int) -> None:
        for _ in range(n):
            assert position.copy().perft(2) == 9
            position.copy().push("take 1")

    ask(100)
    gc.collect()
    before = sys.getallocatedblocks()
    ask(1000)
    gc.collect()
    assert sys.getallocatedblocks() < before + 200


class Letters:
    """Each of four letters may be said once. The player who says the last one wins."""

    def __init__(self, left: str = "abcd", turn: int = 0) -> None:
        self.left, self.turn = left, turn

    def legal_moves(self) -> list[str]:
        return list(self.left)

    def play(self, move: str) -> None:
        self.left, self.turn = self.left.replace(move, ""), 1 - self.turn

    def is_over(self) -> bool:
        return not self.left

    def result(self) -> float:
        return float(self.turn)

    def key(self) -> object:
        return self.left

    def copy(self) -> Letters:
        return Letters(self.left, self.turn)


def test_a_playout_names_its_moves_where_they_are_played() -> None:
    position = PythonPosition(Letters())
    for seed in range(20):
        assert sorted(po.playout(position, seed=seed).moves) == list("abcd")


def test_a_failure_ends_many_playouts() -> None:
    """After a failure, playouts under way are not finished."""
    Failing.fail_at("", 0)
    position = PythonPosition(Failing(12))
    Failing.fail_at("play", 100)
    began = time.monotonic()
    with pytest.raises(OSError, match="play is out of order"):
        po.playouts(position, 2_000_000_000, seed=1, threads=2)
    assert time.monotonic() - began < 10
    Failing.fail_at("", 0)


def test_the_exact_solver_after_a_failure() -> None:
    Failing.fail_at("", 0)
    solver = ExactSolver(PythonPosition(Failing(12)))
    position = PythonPosition(helpers.Heap(12))
    with pytest.raises(po.BadPosition, match="another game"):
        solver.prove(position, 0, 1.0)
    position = PythonPosition(Failing(12))
    solver = ExactSolver(position)
    Failing.fail_at("play", 5, KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        solver.prove(position, 0, 1.0)
    Failing.fail_at("", 0)
    solver.limit(nodes=1)
    assert solver.prove(position, 0, 1.0) == "nodes"
    solver.limit()
    assert solver.prove(position, 0, 1.0) is False


def test_no_push_is_lost() -> None:
    """When two threads push at once, each returned move is in the history."""
    position = PythonPosition(helpers.Heap(100_000))

    def push() -> None:
        for _ in range(200):
            position.push("take 1")

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=push) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(position.history) == 600
    assert position.object.size == 100_000 - 600


def test_what_a_game_in_python_has_not() -> None:
    position = PythonPosition(helpers.Heap(5))
    with pytest.raises(po.BadPosition, match="no C functions"):
        _ = position.capsule

    class Half(helpers.Heap):
        def code(self, move: str) -> float:  # type: ignore[override]
            return 2.5

        def copy(self) -> Half:
            return Half(self.size, self.turn)

    with pytest.raises(po.BadPosition, match=r"code\(\) gave 2.5"):
        PythonPosition(Half(5)).code("take 1")


CYCLE = """
import gc
import playout as po
from games.test_python_game import Letters

class Bot:
    pass

for method in ("uct", "flat"):
    for _ in range(5):
        bot = Bot()
        bot.itself = bot
        bot.result = po.search(Letters(), method, playouts=20)
        bot.result.position.object.bot = bot
        del bot
        gc.collect()
print("collected")
"""


def test_a_search_in_a_cycle_is_collected() -> None:
    """The game lives as long as the search that drops its states."""
    ended = run_python(CYCLE, PYTHONMALLOC="debug", **WITH_TESTS)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "collected\n", "")


def test_playouts_start_from_the_position_that_was_checked() -> None:
    """Another thread may push while the game's own code runs: here that code itself pushes."""

    class Sly(helpers.Heap):
        shared: PythonPosition | None = None

        def is_over(self) -> bool:
            shared, Sly.shared = Sly.shared, None
            if shared is not None:
                shared.push("take 3")  # which ends the game
            return super().is_over()

    position = PythonPosition(Sly(4))
    position.push("take 1")
    Sly.shared = position
    assert po.playouts(position, 20, seed=1).plies >= 20
    assert position.is_over
