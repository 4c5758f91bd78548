"""A policy of playouts as a function in Python."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import playout as po
from mcts_core.playouts import Rollout
from support.timers import ctrl_c_pressed_after, needs_timer

METHODS = ("flat", "ucb", "amaf", "uct", "rave", "grave")


def forward(position: Any, moves: Sequence[str]) -> list[float]:
    """Prefers moves to the c file; the last move of several is never played."""
    weights = [3.0 if "c" in move[2:] else 1.0 for move in moves]
    return weights if len(moves) == 1 else [*weights[:-1], 0.0]


def second(position: Any, moves: Sequence[str]) -> int:
    return min(1, len(moves) - 1)


class Count:
    """A race to ten: a game in Python."""

    max_plies = n_codes = 10

    def __init__(self) -> None:
        self.n, self.turn = 0, 0

    def legal_moves(self) -> list[int]:
        return [] if self.is_over() else [1, 2, 3]

    def play(self, move: int) -> None:
        self.n, self.turn = self.n + move, 1 - self.turn

    def is_over(self) -> bool:
        return self.n >= 10

    def result(self) -> float:
        return float(self.turn)

    def key(self) -> tuple[int, int]:
        return self.n, self.turn

    def code(self, move: int) -> int:
        return move


def test_a_game_follows_it() -> None:
    position = po.Breakthrough(5)
    game = po.playout(position, seed=1, policy=second)
    for move in game.moves:
        assert position.legal_moves.index(move) == min(1, len(position.legal_moves) - 1)
        position.push(move)
    assert position.result == game.result
    game = po.playout(po.Breakthrough(5), seed=1, policy=forward)
    after = po.Breakthrough(5)
    for move in game.moves:
        assert move != after.legal_moves[-1] or len(after.legal_moves) == 1
        after.push(move)


@pytest.mark.parametrize("policy", [forward, second])
@pytest.mark.parametrize(
    "start", [po.Breakthrough(4), po.Othello(4)], ids=["breakthrough", "othello"]
)
def test_the_twin_plays_the_same_games(start: po.Position, policy: Any) -> None:
    for seed in range(5):
        game = po.playout(start, seed=seed, policy=policy)
        twin = po.reference.playout(start, seed, policy)
        assert (game.result, tuple(game.moves)) == (twin.result, twin.moves)
    found = po.playouts(start, 100, seed=1, policy=policy)
    twins = po.reference.playouts(start, 100, 1, policy)
    assert (found.wins, found.draws, found.plies) == (twins.wins, twins.draws, twins.plies)


class Last:
    """An object as a policy: it cannot be hashed, and its index is NumPy's."""

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, position: Any, moves: Sequence[str]) -> np.int64:
        return np.int64(len(moves) - 1)


def test_an_object_as_a_policy() -> None:
    start = po.Breakthrough(4)
    found = po.search(start, "uct", playouts=50, seed=1, policy=Last())
    twin = po.reference.search(start, "uct", playouts=50, seed=1, policy=Last())
    assert (str(found.move), found.value) == (twin.move, twin.value)


@pytest.mark.parametrize("method", METHODS)
def test_the_twin_searches_alike(method: str) -> None:
    start = po.Breakthrough(4)
    found = po.search(start, method, playouts=150, seed=1, policy=forward)
    twin = po.reference.search(start, method, playouts=150, seed=1, policy=forward)
    visits = {str(row["move"]): int(row["visits"]) for row in found.moves}
    assert visits == {row.move: row.visits for row in twin.moves}


def test_ways_to_play_in_parallel() -> None:
    """Threads and executors change nothing where playouts alone count; lanes play the same way."""
    start = po.Breakthrough(4)
    one = po.playouts(start, 200, seed=1, policy=forward)
    two = po.playouts(start, 200, seed=1, policy=forward, threads=2)
    with ThreadPoolExecutor(2) as pool:
        three = po.playouts(start, 200, seed=1, policy=forward, executor=pool)
        search = po.search(start, "uct", playouts=100, seed=1, policy=forward, executor=pool)
    assert (one.wins, one.plies) == (two.wins, two.plies) == (three.wins, three.plies)
    assert search.playouts == 100
    lanes = po.search(start, po.UCT(lanes=4), playouts=100, seed=1, policy=forward)
    assert lanes.playouts == 100


def test_a_game_in_python_gets_its_own_objects() -> None:
    seen: list[tuple[Any, Any]] = []

    def largest(position: Count, moves: list[int]) -> int:
        seen.append((position, moves))
        return moves.index(max(moves))

    assert list(po.playout(Count(), seed=1, policy=largest).moves) == ["3"] * 4
    assert all(isinstance(position, Count) and moves == [1, 2, 3] for position, moves in seen)
    for method in METHODS:
        assert po.search(Count(), method, playouts=40, seed=1, policy=largest).playouts == 40
    found = po.compare(Count(), ["uct"], playouts=20, runs=2, seed=1, policy=largest)
    assert found.policy.endswith("largest")
    assert "largest" in found.to_json()


BAD_ANSWERS: list[tuple[Any, str]] = [
    (10**9, "returned the index 1000000000 where there are .* an index is 0 to"),
    (-1, "returned the index -1"),
    ("a2a3", "returned 'a2a3': return the index of a move, such as moves.index"),
    (None, "returned None: return the index"),
    (True, "returned True: return the index"),
    ([1.0], "weights are .* numbers of at least 0 with a finite sum above 0"),
    (np.zeros(500), "weights are"),
    (["x"], "weights are"),
]


@pytest.mark.parametrize(("answer", "message"), BAD_ANSWERS, ids=lambda value: str(value)[:12])
def test_wrong_answers_are_refused(answer: Any, message: str) -> None:
    def my_policy(position: Any, moves: Any) -> Any:
        return answer

    with pytest.raises(po.BadMethod, match=f"the policy .*my_policy .*{message}"):
        po.playout(po.Breakthrough(4), policy=my_policy)
    with pytest.raises(po.BadMethod, match=message):
        po.playouts(po.Breakthrough(4), 10**6, policy=my_policy, threads=2)
    for method in METHODS:
        with pytest.raises(po.BadMethod, match=message):
            po.search(po.Breakthrough(4), method, playouts=100, policy=my_policy)


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf, 0.0, 1e308])
def test_wrong_weights_are_refused(weight: float) -> None:
    with pytest.raises(po.BadMethod, match="weights are"):
        po.playout(po.Breakthrough(4), policy=lambda _, moves: [weight] * len(moves))


def test_an_exception_keeps_its_traceback() -> None:
    def my_policy(position: Any, moves: Any) -> int:
        return {"a": 1}["nonsense"] if position.turn else 0

    for call in (
        lambda: po.search(po.Breakthrough(4), "uct", playouts=100, seed=1, policy=my_policy),
        lambda: po.search(po.Breakthrough(4), "flat", playouts=100, seed=1, policy=my_policy),
        lambda: po.playouts(po.Breakthrough(4), 100, seed=1, policy=my_policy),
    ):
        with pytest.raises(KeyError, match="nonsense") as caught:
            call()
        frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert "my_policy" in frames
        assert any("raised by the policy" in note for note in caught.value.__notes__)


def test_a_searcher_survives_an_exception() -> None:
    fails = [False]

    def sometimes(position: Any, moves: Any) -> int:
        if fails[0]:
            raise RuntimeError("as asked")
        return 0

    with po.Searcher(po.Breakthrough(4), "uct", seed=1, policy=sometimes) as searcher:
        before = searcher.search(playouts=50).moves["visits"].sum()
        fails[0] = True
        with pytest.raises(RuntimeError, match="as asked"):
            searcher.search(playouts=50)
        fails[0] = False
        assert searcher.search(playouts=50).moves["visits"].sum() == before + 50


@needs_timer
@pytest.mark.parametrize("method", ["uct", "ucb", "flat"])
def test_control_c(method: str) -> None:
    def slow(position: Any, moves: Any) -> int:
        time.sleep(0.001)
        return 0

    with ctrl_c_pressed_after(0.1):
        kept = po.search(
            po.Breakthrough(4), method, seconds=20, seed=1, policy=slow, on_interrupt="return"
        )
    assert kept.reason == "interrupted"
    assert 0 < kept.seconds < 5
    assert int(kept.moves["visits"].sum()) == kept.playouts
    assert not np.isnan(kept.moves["mean"][kept.moves["visits"] > 0]).any()


def test_where_it_has_no_place() -> None:
    with pytest.raises(po.BadMethod, match="has no meaning for it"):
        po.search(po.Breakthrough(), "alphabeta", policy=second)
    with pytest.raises(po.BadMethod, match="plays games to their end"):
        po.search(po.Breakthrough(5), po.UCT(cut=4), playouts=10, policy=second)
    with pytest.raises(po.BadMethod, match="cannot be written into a player's text"):
        po.Searching("uct", policy=second)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="policy must be one of"):
        po.search(po.Breakthrough(5), "uct", playouts=10, policy=Count)
    with pytest.raises(ValueError, match="Rollout is no policy of its own"):
        po.playout(po.Breakthrough(5), policy=Rollout())
