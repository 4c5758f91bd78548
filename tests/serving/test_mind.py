"""Searches beside a conversation: the tree that is kept, limits, and how they are stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from time import perf_counter

import pytest

import playout as po
from playout.arena.players import player_from
from playout.result import Result
from playout.serving.mind import Effort, Mind, moves_between
from playout.serving.thinking import Thinking

METHODS = ("uct solver", "rave", "grave", "flat", "ucb", "amaf", "AlphaBeta")


def mind_of(player: str) -> Mind:
    found = player_from(player)
    assert isinstance(found, po.Searching)
    return Mind(found)


def visits(result: Result) -> int:
    return int(result.moves["visits"].sum())


def test_tree_is_kept_along_a_game() -> None:
    """What was known below two moves is known when they have been played."""
    mind, position = mind_of("uct"), po.Breakthrough()
    first = mind.decide(position, Effort(work=5000))
    assert visits(first) == first.playouts == 5000
    for move in first.pv[:2]:
        position.push(move)
    second = mind.decide(position, Effort(work=1000))
    assert second.playouts == 1000
    assert visits(second) > 1000


def test_a_stop_between_two_slices_is_not_lost() -> None:
    """The next slice is one playout long, and the last."""
    run = mind_of("rave").begin(po.Breakthrough(), Effort())
    slices = run.results()
    first = next(slices)
    run.stop()
    last = next(slices)
    assert last.playouts <= first.playouts + 1
    assert last.reason != "running"
    assert list(slices) == []


@pytest.mark.parametrize("change", ["take back", "another game", "another player", "new game"])
def test_tree_is_not_kept_elsewhere(change: str) -> None:
    mind, position = mind_of("uct"), po.Breakthrough()
    position.push("a2a3")
    mind.decide(position, Effort(work=1000))
    if change == "take back":
        position.pop()
    elif change == "another game":
        position = po.Breakthrough(5)
    elif change == "another player":
        mind.player = mind_of("rave").player
    else:
        mind.forget()
    assert visits(mind.decide(position, Effort(work=500))) == 500


@pytest.mark.parametrize(
    ("effort", "is_kept"),
    [
        (Effort(work=100, seconds=1e-3), False),
        (Effort(work=100, hurry=1e-3), False),
        (Effort(work=100, seconds=10.0), True),
    ],
)
def test_large_tree_is_given_up_for_want_of_time(effort: Effort, is_kept: bool) -> None:
    """Copying it would take longer than the move may."""
    mind, position = mind_of("uct"), po.Breakthrough()
    first = mind.decide(position, Effort(work=20_000))
    for move in first.pv[:2]:
        position.push(move)
    second = mind.decide(position, effort)
    assert (visits(second) > second.playouts) == is_kept


def test_moves_between_positions_that_are_not_of_one_game() -> None:
    assert moves_between(po.Othello(), po.Breakthrough()) is None
    assert moves_between(po.Breakthrough(5), po.Breakthrough(6)) is None


@pytest.mark.parametrize("player", METHODS)
@pytest.mark.parametrize("seconds", [0.0, 0.03])
def test_stop_at_any_moment(player: str, seconds: float) -> None:
    """Also before there is a result: then the first one is waited for."""
    mind = mind_of(player)
    for _ in range(5):
        results: list[Result] = []
        answers: list[tuple[Result | None, Exception | None]] = []
        thinking = thinking_of(
            mind, Effort(), results.append, partial(lambda to, *answer: to.append(answer), answers)
        )
        thinking.wait(seconds)
        thinking.stop()
        assert answers == [(results[-1], None)]
        assert results[-1].move in po.Othello().legal_moves


def thinking_of(
    mind: Mind,
    effort: Effort,
    report: Callable[[Result], None],
    finish: Callable[[Result | None, Exception | None], None],
    is_held: bool = False,
) -> Thinking:
    return Thinking(partial(mind.begin, po.Othello(), effort), report, finish, is_held=is_held)


def test_held_answer() -> None:
    """It waits for its release, though the search has ended."""
    ended = threading.Event()
    thinking = thinking_of(
        mind_of("uct"), Effort(work=10), lambda found: None, lambda *found: ended.set(), True
    )
    assert not thinking.wait(0.2)
    assert not ended.is_set()
    thinking.release(None)
    assert thinking.wait(10)
    assert ended.is_set()


def test_release_limits_the_time() -> None:
    began = perf_counter()
    thinking = thinking_of(mind_of("uct"), Effort(), lambda found: None, lambda *found: None, True)
    thinking.release(0.1)
    assert thinking.wait(10)
    assert perf_counter() - began > 0.1


def test_fault_is_handed_on() -> None:
    """A search that cannot be is answered too."""
    found: list[tuple[Result | None, Exception | None]] = []
    mind = mind_of("AlphaBeta")
    thinking = Thinking(
        partial(mind.begin, po.Othello(6), Effort()),
        lambda result: None,
        lambda *answer: found.append(answer),
    )
    assert thinking.wait(10)
    ((result, fault),) = found
    assert result is None
    assert isinstance(fault, po.BadMethod)


@pytest.mark.parametrize(
    ("player", "effort", "work"),
    [
        ("uct", Effort(work=300), 300),
        ("uct@200", Effort(work=300), 200),
        ("uct@400", Effort(depth=8), 256),
        ("flat", Effort(work=300), 300),
    ],
)
def test_the_smallest_limit_holds(player: str, effort: Effort, work: int) -> None:
    assert mind_of(player).decide(po.Othello(), effort).playouts == work


@pytest.mark.parametrize(("player", "depth"), [("AlphaBeta", 5), ("AlphaBeta(depth=3)", 3)])
def test_the_smallest_depth_holds(player: str, depth: int) -> None:
    assert mind_of(player).decide(po.Othello(), Effort(depth=5)).depth == depth
