"""Reasons for moves in words."""

from __future__ import annotations

import pytest

import playout as po
from playout.explaining import reasons, tactics, winning_replies, wins


@pytest.mark.parametrize(
    ("line", "move", "told"),
    [
        (".b./w../..w/w.. w", "a3a4", "wins at once: it ends the game"),
        (".b./w../..w/w.. w", "a1b2", "misses a move that wins at once"),
        ("..b/.../b../.ww w", "b1a2", "captures the man that would have won"),
        ("..b/.../b../.ww w", "b1a2", "the only move that stops a win at the next move"),
        ("..b/.../b../.ww w", "c1c2", "allows a2a1, which wins at once"),
        ("b.b/.../b.b/.w. w", "b1b2", "cannot stop a2a1, which wins"),
    ],
)
def test_breakthrough(line: str, move: str, told: str) -> None:
    found = reasons(po.Breakthrough.from_fen(line), move)
    assert told in found


def test_a_capture_is_told_if_nothing_decides() -> None:
    position = po.Breakthrough.from_fen("bbbb/.bbb/..../.b../w.ww/wwww w")
    assert reasons(position, "a2b3") == ["captures a man of black"]
    assert reasons(position, "d2d3") == []


def test_othello_counts_discs() -> None:
    assert reasons(po.Othello(), "f5") == ["turns 1 disc of white"]
    assert tactics(po.Othello(), "f5") == []


def test_a_pass() -> None:
    for seed in range(500):
        position = po.Othello(4)
        for move in po.playout(position, seed=seed).moves:
            if position.legal_moves == ("pass",):
                assert reasons(position, "pass") == ["the only legal move"]
                return
            position.push(move)
    pytest.fail("no game had a pass")


def test_connect_four_stops_a_row() -> None:
    position = po.ConnectFour()
    for move in "1122":
        position.push(move)
    position.push("3")
    assert winning_replies(position, position.find_move("1"))
    assert reasons(position, "4") == ["the only move that stops a win at the next move"]
    position.push("1")
    assert wins(position, position.find_move("4"))


def test_an_illegal_move() -> None:
    with pytest.raises(po.IllegalMove):
        reasons(po.Othello(), "a1")
