"""Searches of games from outside the package: compiled ones, and games in plain Python."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import playout as po
import playout.reference as ref
from support import helpers
from support.noughts import Noughts

TREES: list[po.Method] = [po.UCT(), po.UCTTuned(), po.RAVE(), po.GRAVE(ref=5)]
METHODS = [po.Flat(), po.UCB(), po.AMAF(), *TREES]
SELDOM_ASKED = {"code": (po.Flat, po.UCB, po.UCT, po.UCTTuned), "key": (po.Flat, po.UCB, po.AMAF)}
every_method = pytest.mark.parametrize("method", METHODS, ids=repr)
every_tree = pytest.mark.parametrize("method", TREES, ids=repr)


@every_method
def test_a_game_compiled_outside_is_searched(tictactoe: ModuleType, method: po.Method) -> None:
    start = tictactoe.TicTacToe()
    centre = 0
    for seed in range(10):
        result = po.search(start, method, playouts=1000, seed=seed)
        centre += result.move == start.legal_moves[4]
        assert result.moves["visits"].sum() == 1000
        assert 0.5 < result.value < 0.9
    assert (
        centre >= 4
    )  # the most promising move, although all moves draw; by chance it would be one


@every_tree
def test_tic_tac_toe_is_proven_a_draw(tictactoe: ModuleType, method: po.Method) -> None:
    for start in (tictactoe.TicTacToe(), Noughts()):
        result = po.search(start, method, playouts=200_000, seed=1, solver=True)
        assert (result.reason, result.value) == ("proven", 0.5)
        assert result.nodes <= 5478


@every_method
@pytest.mark.parametrize("seed", [1, 2])
def test_python_and_compiled_games_are_searched_alike(
    tictactoe: ModuleType, method: po.Method, seed: int
) -> None:
    """The same game in two languages has the same visits, means and line."""
    compiled = po.search(tictactoe.TicTacToe(), method, playouts=500, seed=seed)
    python = po.search(Noughts(), method, playouts=500, seed=seed)
    assert compiled.moves["visits"].tolist() == python.moves["visits"].tolist()
    assert np.array_equal(compiled.moves["mean"], python.moves["mean"], equal_nan=True)
    squares = [move.raw for move in compiled.pv]
    assert [int(move) for move in python.pv] == squares


@every_method
def test_a_python_game_equals_its_twin(method: po.Method) -> None:
    ours = po.search(Noughts(), method, playouts=300, seed=3)
    twin = ref.search(Noughts(), method, playouts=300, seed=3)
    visits = {move.move: move.visits for move in twin.moves}
    assert {row["move"]: row["visits"] for row in ours.moves} == visits
    assert ours.move == twin.move


class Sum:
    """A game for one player with results between 0 and 1: choose four digits, the sum counts."""

    n_codes = 40

    def __init__(self) -> None:
        self.digits: list[int] = []

    def legal_moves(self) -> list[int]:
        return list(range(10))

    def play(self, digit: int) -> None:
        self.digits.append(digit)

    def is_over(self) -> bool:
        return len(self.digits) == 4

    def result(self) -> float:
        return sum(self.digits) / 36

    def key(self) -> object:
        return tuple(self.digits)

    def code(self, digit: int) -> int:
        return 10 * len(self.digits) + digit


@every_method
def test_one_player_and_results_between(method: po.Method) -> None:
    result = po.search(Sum(), method, playouts=3000, seed=1)
    assert result.move == "9"
    assert 0.6 < result.value <= 1.0


@every_tree
def test_results_between_are_proven_too(method: po.Method) -> None:
    result = po.search(Sum(), method, playouts=200_000, seed=1, solver=True)
    assert (result.move, result.value) == ("9", 1.0)


def broken(**parts: Any) -> object:
    return type("Broken", (Noughts,), parts)()


@pytest.mark.parametrize(
    ("parts", "error", "message"),
    [
        ({"result": lambda self: 7}, po.BadPosition, "a result lies between 0 and 1"),
        ({"code": lambda self, move: 99}, po.BadPosition, r"n_codes says it is in 0\.\.17"),
        ({"turn": 3, "__init__": lambda self: None}, po.BadPosition, "turn must be 0 or 1"),
        ({"key": lambda self: []}, TypeError, "unhashable"),
        ({"key": lambda self: 1}, po.BadPosition, "key"),
        ({"n_codes": 0}, po.BadPosition, "n_codes must be a whole number"),
        ({"legal_moves": None}, po.BadPosition, r"it has no legal_moves\(\)"),
        ({"max_plies": 3}, po.BadPosition, "set max_plies higher"),
        ({"play": lambda self, move: 1 / 0}, ZeroDivisionError, "division"),
        ({"legal_moves": lambda self: range(2000)}, po.BadPosition, "at most 1024"),
    ],
)
def test_faults_of_a_python_game(parts: Any, error: type[Exception], message: str) -> None:
    if "turn" in parts:
        parts = parts | {"squares": "." * 9}
    with pytest.raises(error, match=message):
        po.search(broken(**parts), "rave", playouts=300, seed=1)


class OneKey:
    """After "stop" the game is over, after "go" it is not, and both positions have one key."""

    n_codes = 3

    def __init__(self, *moves: str) -> None:
        self.moves, self.made = moves, ""

    @property
    def turn(self) -> int:
        return int(self.made == "go")

    def legal_moves(self) -> list[str]:
        return ["on"] if self.made else list(self.moves)

    def play(self, move: str) -> None:
        self.made = move

    def is_over(self) -> bool:
        return self.made in ("stop", "on")

    def result(self) -> float:
        return float(self.made == "on")

    def key(self) -> str:
        return self.made.replace("stop", "go")

    def code(self, move: str) -> int:
        return ("stop", "go", "on").index(move)


@every_tree
@pytest.mark.parametrize("solver", [False, True])
def test_an_end_with_the_key_of_an_entry(method: po.Method, solver: bool) -> None:
    """The second playout comes to the end, where the first one has left an entry."""
    with pytest.raises(po.BadGame, match="a number of moves"):
        po.search(OneKey("go", "stop"), method, playouts=2, seed=1, solver=solver)


@every_tree
@pytest.mark.parametrize("playouts", [2, 3])
def test_looking_at_an_end_with_the_key_of_an_entry(method: po.Method, playouts: int) -> None:
    """Whether the entry has a body, which the third playout makes, or not."""
    found = po.search(OneKey("stop", "go"), method, playouts=playouts, seed=1)
    assert found.playouts == playouts
    with pytest.raises(po.BadGame, match="two positions with different moves have one key"):
        list(found.tree.walk())


@every_method
@pytest.mark.parametrize(
    "part", ["legal_moves", "play", "is_over", "result", "key", "code", "copy"]
)
def test_a_python_game_may_fail_at_any_moment(method: po.Method, part: str) -> None:
    """In any state of the search, the error is raised, and the search can be repeated."""
    calls = last = 0

    def failing(self: Any, *arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == last:
            raise ArithmeticError(f"call {last}")
        return getattr(Noughts, part)(self, *arguments)

    game = broken(**{part: failing})
    failures = 0
    for last in [*range(1, 40), *range(60, 1000, 163)]:
        calls = 0
        threads = 1 if isinstance(method, po.UCB) else 1 + last % 2
        fault = fault_of(game, method, threads, last)
        failed = calls >= last
        taken_at_its_word = failed and part in ("is_over", "legal_moves") and "position" in fault
        assert fault == (f"call {last}" if failed else "") or taken_at_its_word
        failures += failed
    assert failures > 20 or isinstance(method, SELDOM_ASKED.get(part, ()))


def fault_of(game: object, method: po.Method, threads: int, seed: int) -> str:
    """The message of the error that a search ends with."""
    try:
        po.search(game, method, playouts=40, seed=seed, threads=threads)  # type: ignore[call-overload]
    except (ArithmeticError, po.BadPosition) as error:
        return str(error)
    return ""


@every_tree
def test_a_method_that_is_refused_leaves_nothing_behind(method: po.Method) -> None:
    for scale in ("kind", "phase"):
        with pytest.raises(po.BadMethod, match=scale):
            po.search(Noughts(), po.RAVE(scale=scale, bias=(1e-5, 1e-4)), playouts=10)
    assert po.search(Noughts(), method, playouts=10).playouts == 10


class Heap:
    """Take one to three of ten; all moves of a player have one AMAF code."""

    n_codes = 2

    def __init__(self) -> None:
        self.size, self.turn = 10, 0

    def legal_moves(self) -> list[int]:
        return [n for n in (1, 2, 3) if n <= self.size]

    def play(self, n: int) -> None:
        self.size, self.turn = self.size - n, 1 - self.turn

    def is_over(self) -> bool:
        return self.size == 0

    def result(self) -> float:
        return float(self.turn)

    def key(self) -> object:
        return self.size, self.turn

    def code(self, n: int) -> int:
        return self.turn


class FailingHeap(helpers.Heap):
    """Fails in one of its calls, as by Ctrl-C. With 21 left, taking one wins."""

    calls_left = 0
    part = ""

    @classmethod
    def called(cls, part: str) -> None:
        if part == cls.part:
            cls.calls_left -= 1
            if cls.calls_left == 0:
                raise KeyboardInterrupt

    def legal_moves(self) -> list[str]:
        self.called("legal_moves")
        return super().legal_moves()

    def play(self, move: str) -> None:
        self.called("play")
        super().play(move)

    def is_over(self) -> bool:
        self.called("is_over")
        return super().is_over()

    def result(self) -> float:
        self.called("result")
        return super().result()

    def key(self) -> tuple[int, int]:
        self.called("key")
        return super().key()

    def code(self, move: str) -> int:
        self.called("code")
        return super().code(move)

    def copy(self) -> FailingHeap:
        self.called("copy")
        return FailingHeap(self.size, self.turn)


PARTS = ("legal_moves", "play", "is_over", "result", "key", "code", "copy")


@every_tree
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("part", PARTS)
def test_a_failure_teaches_nothing_wrong(
    method: po.Method, threads: int, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failed simulation is discarded, and everything before is kept, also by the solver."""
    failures = 0
    for call in (1, 2, 3, 5, 8, 13, 21, 34, 89, 144, 233, 377, 610):
        monkeypatch.setattr(FailingHeap, "part", part)
        monkeypatch.setattr(FailingHeap, "calls_left", 0)
        searcher = po.Searcher(FailingHeap(21), method, seed=call, threads=threads, solver=True)
        monkeypatch.setattr(FailingHeap, "calls_left", call)
        try:
            searcher.search(playouts=1500)
        except KeyboardInterrupt:
            failures += 1
            monkeypatch.setattr(FailingHeap, "calls_left", 0)
            known = int(searcher.result.moves["visits"].sum())
            assert known == searcher.result.playouts
        monkeypatch.setattr(FailingHeap, "calls_left", 0)
        result = searcher.search(playouts=20_000)
        assert (result.reason, result.value, result.move) == ("proven", 1.0, "take 1")
    assert failures > 2 or isinstance(method, SELDOM_ASKED.get(part, ()))


@every_tree
def test_a_failed_advance_changes_nothing(
    method: po.Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any call that fails, also while a full table is copied."""
    monkeypatch.setattr(FailingHeap, "part", "key")
    failures = {65_536: 0, 1 << 30: 0}
    for memory, call in itertools.product(failures, (1, 2, 9)):
        monkeypatch.setattr(FailingHeap, "calls_left", 0)
        searcher = po.Searcher(FailingHeap(100), method, seed=1, memory=memory)
        before = searcher.search(playouts=300)
        monkeypatch.setattr(FailingHeap, "calls_left", call)
        try:
            searcher.advance("take 1")
        except KeyboardInterrupt:
            failures[memory] += 1
            assert searcher.result.to_dict()["moves"] == before.to_dict()["moves"]
            assert searcher.result.playouts == 300
        monkeypatch.setattr(FailingHeap, "calls_left", 0)
        assert searcher.search(playouts=50).playouts == 50
    assert failures[65_536] > failures[1 << 30] > 0


@pytest.mark.parametrize("threads", [1, 3])
def test_moves_that_share_a_code(threads: int) -> None:
    """They share their AMAF values, but a playout begins with only one of them."""
    playouts = 300
    ours = po.search(Heap(), "amaf", playouts=playouts, seed=1, threads=threads)
    twin = ref.search(Heap(), po.AMAF(), playouts=playouts, seed=1)
    assert ours.moves["visits"].sum() == playouts
    assert set(ours.moves["amaf_visits"]) == {playouts}
    by_move = {row["move"]: (row["visits"], row["mean"]) for row in ours.moves}
    assert by_move == {str(move.move): (move.visits, move.mean) for move in twin.moves}
    estimates = po.compare_estimates(Heap(), playouts, seed=1)
    assert {row["move"]: row["visits"] for row in estimates} == {
        move: visits for move, (visits, _) in by_move.items()
    }


def test_amaf_needs_codes() -> None:
    game = broken(code=None)
    assert po.search(game, "uct", playouts=100, seed=1).playouts == 100
    for method in ("amaf", "rave", "grave"):
        with pytest.raises(po.BadMethod, match=r"give it code\(\) and n_codes"):
            po.search(game, method, playouts=100, seed=1)


def test_anything_else_is_not_a_game() -> None:
    for thing in (None, 7, "bbb/.../www w"):
        with pytest.raises((po.BadPosition, TypeError), match="position"):
            po.search(thing, "uct", playouts=100)  # type: ignore[call-overload, arg-type]
