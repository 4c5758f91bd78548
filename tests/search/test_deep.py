"""Games of 20,000 plies in a thread with a small stack: nothing recurses as deep as the game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import playout as po
from mcts_core.games.python_game import PythonPosition

PLIES = 20_000
STACK = 256 * 1024


class Chain:
    """One legal move at each ply. At the end the first player has won."""

    max_plies = PLIES

    def __init__(self, at: int = 0, plies: int = PLIES) -> None:
        self.at, self.plies = at, plies

    @property
    def turn(self) -> int:
        return self.at % 2

    def legal_moves(self) -> list[str]:
        return ["on"]

    def play(self, move: str) -> None:
        self.at += 1

    def is_over(self) -> bool:
        return self.at == self.plies

    def result(self) -> float:
        return 1.0

    def key(self) -> int:
        return self.at

    def copy(self) -> Chain:
        return Chain(self.at, self.plies)


@pytest.fixture
def small_stack() -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Calls a function in a thread of 256 KB."""

    def call(ask: Callable[[], Any]) -> Any:
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.append(ask()))
        thread.start()
        thread.join()
        return found[0]

    before = threading.stack_size(STACK)
    yield call
    threading.stack_size(before)


def test_solve(small_stack: Callable[[Callable[[], Any]], Any]) -> None:
    solution = small_stack(lambda: po.solve(Chain()))
    assert (solution.value, len(solution.pv)) == (1.0, PLIES)


@pytest.mark.traced_slowly
def test_perft(small_stack: Callable[[Callable[[], Any]], Any]) -> None:
    position = PythonPosition(Chain())
    assert small_stack(lambda: position.perft(PLIES)) == 1


@pytest.mark.traced_slowly
def test_perft_of_a_compiled_game(small_stack: Callable[[Callable[[], Any]], Any]) -> None:
    """A depth beyond the end of the game counts nothing and takes little memory."""
    assert small_stack(lambda: po.Breakthrough(3, first_rows=1).perft(2**20)) == 0
    assert small_stack(lambda: po.Othello(4).perft(5)) == po.Othello(4).perft(5)


def test_a_searcher_that_moves_on(small_stack: Callable[[Callable[[], Any]], Any]) -> None:
    """A full table is copied from the new root to its full depth, one ply a playout."""

    def play() -> tuple[int, int]:
        searcher = po.Searcher(Chain(plies=2000), "uct", seed=1, memory=500_000)
        searcher.search(playouts=1500)
        known = int(searcher.result.moves["visits"].sum())
        searcher.advance("on")
        return known, int(searcher.result.moves["visits"].sum())

    before, after = small_stack(play)
    assert before == 1500
    assert after == before - 1


def test_other_searches(small_stack: Callable[[Callable[[], Any]], Any]) -> None:
    for method in ("flat", "ucb", "uct", "rave", "grave"):
        assert small_stack(lambda m=method: po.search(po.Othello(), m, playouts=500, seed=1)).move
    assert small_stack(lambda: po.search(po.Othello(), po.AlphaBeta(depth=8))).depth == 8
    ending = po.playout(po.Othello(), seed=1)
    position = po.Othello()
    for move in ending.moves[:46]:
        position.push(move)
    assert small_stack(lambda: po.solve(position)).is_solved


def test_a_game_that_comes_back_to_a_position(
    small_stack: Callable[[Callable[[], Any]], Any],
) -> None:
    class Round(Chain):
        max_plies = 50

        def key(self) -> int:
            return self.at % 10

        def copy(self) -> Round:
            return Round(self.at, self.plies)

    def ask() -> str:
        with pytest.raises(po.BadPosition) as fault:
            po.solve(Round())
        return str(fault.value)

    assert "max_plies" in small_stack(ask) or "come back" in small_stack(ask)
