"""Evaluations by functions in Python: in every search that evaluates, and when they fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import playout as po
from support.noughts import LINES, Noughts


def rows(position: po.Position) -> float:
    return po.evaluate(position, "rows")


METHODS: list[Callable[[Any], po.Method]] = [
    lambda evaluation: po.AlphaBeta(depth=4, evaluation=evaluation),
    lambda evaluation: po.AlphaBeta(depth=3, evaluation=evaluation, selective=False, multi_pv=3),
    lambda evaluation: po.BestFirst(evaluation=evaluation),
    lambda evaluation: po.UCT(cut=0, evaluation=evaluation),
    lambda evaluation: po.RAVE(cut=6, minimax=0.3, evaluation=evaluation),
    lambda evaluation: po.GRAVE(prior="shallow", evaluation=evaluation),
]


def limits(method: po.Method) -> dict[str, int]:
    if method.plays_out:
        return {"playouts": 200, "seed": 1}
    return {"nodes": 3000}


@pytest.mark.parametrize("made", METHODS)
def test_it_finds_what_the_compiled_one_finds(made: Callable[[Any], po.Method]) -> None:
    for position in po.random_positions(po.Breakthrough(5), 4, plies=(0, 9), seed=3):
        ours = po.search(position, made(rows), **limits(made(rows)))
        theirs = po.search(position, made("rows"), **limits(made("rows")))
        assert (ours.move, ours.value, ours.nodes) == (theirs.move, theirs.value, theirs.nodes)
        assert po.evaluate(position, rows) == po.evaluate(position, "rows")


def test_it_may_use_the_whole_position() -> None:
    """It gets a position of its own, which it may change."""
    seen = []

    def mobility(position: po.Position) -> float:
        seen.append(position.fen)
        position.push_index(0)
        return -len(position.legal_moves)

    po.search(po.ConnectFour(), po.AlphaBeta(depth=3, evaluation=mobility))
    assert len(set(seen)) > 20


def points(game: Noughts) -> float:
    """Lines that are open to the mover, less those to the opponent."""
    mover, other = "xo"[game.turn], "xo"[1 - game.turn]
    lines = [game.squares[line] for line in LINES]
    return 50 * (
        sum(other not in line for line in lines) - sum(mover not in line for line in lines)
    )


@pytest.mark.parametrize(
    "method",
    [
        po.AlphaBeta(depth=4, evaluation=points),
        po.BestFirst(evaluation=points),
        po.UCT(cut=0, evaluation=points),
    ],
    ids=lambda method: type(method).__name__,
)
def test_a_game_in_python(method: po.Method) -> None:
    """The function gets the user's own object. x wins at once."""
    game = Noughts("xx.oo....")
    assert po.search(game, method, **limits(method)).move == "2"


def test_othello_in_a_tree() -> None:
    """Points predict results there: 256 make a win e times as likely."""
    found = po.search(po.Othello(6), po.UCT(cut=0, evaluation=lambda p: 256), playouts=1, seed=1)
    assert found.moves["mean"][0] == pytest.approx(1 - 1 / (1 + 2.718281828**-1), abs=1e-4)


@pytest.mark.parametrize("made", METHODS)
@pytest.mark.parametrize("after", [0, 30])
def test_exceptions_come_out(made: Callable[[Any], po.Method], after: int) -> None:
    calls = 0

    def broken(position: po.Position) -> float:
        nonlocal calls
        calls += 1
        if calls > after:
            raise ZeroDivisionError("by my function")
        return rows(position)

    method = made(broken)
    with pytest.raises(ZeroDivisionError, match="by my function"):
        po.search(po.Breakthrough(6), method, **limits(method))
    assert calls == after + 1


@pytest.mark.parametrize("wrong", [None, "3", float("nan"), True])
def test_wrong_answers(wrong: Any) -> None:
    with pytest.raises(po.BadMethod, match="returns a finite number of points, not"):
        po.evaluate(po.Breakthrough(), lambda position: wrong)


def test_huge_points_stay_below_proven_results() -> None:
    assert po.evaluate(po.Breakthrough(), lambda position: 1e9) == 25_000
