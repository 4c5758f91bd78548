"""Players and their limits: as text and back, and how a clock is shared out."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import playout as po
from playout.arena.limit import Limit, limit_from
from playout.arena.players import Calling, player_again, player_from, player_of

TEXTS = [
    "UCT()@1000",
    "RAVE(bias=0.01)@2s",
    "GRAVE(ref=25)@60+0.5s solver threads=2",
    "UCT()@1000 guided",
    "UCT()@1000,2s",
    "UCT()@500,0.1s,60+0.5s",
    "UCT()@1000 memory=512000000",
    "UCT()@1000 ppaf solver keep",
    "AlphaBeta(depth=4)",
    "AlphaBeta()@50000n",
    "Flat(schedule='recent', half_life=50.0)@10",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_player_is_written_as_it_is_read(text: str) -> None:
    player = player_from(text)
    assert str(player) == text
    assert pickle.loads(pickle.dumps(player)) == player
    assert player_again(player.described()) == player


def test_a_level_for_all_is_for_those_without_one() -> None:
    limit = Limit(playouts=500)
    assert str(player_from("uct", limit)) == "UCT()@500"
    assert str(player_from("uct@9", limit)) == "UCT()@9"
    assert str(player_from("alphabeta", limit)) == "AlphaBeta()"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uct@fast", "after @ comes a level, playouts"),
        ("uct@0", "playouts must be a whole number from 1"),
        ("uct@1000 quick", "such as guided, solver or threads=2, not 'quick'"),
        ("uct@1000 threads=", "not 'threads='"),
        ("you@1000", "you needs no level"),
        ("alphabeta@1000", r"AlphaBeta\(\) counts no playouts: limit it by its depth"),
        ("uct@1+s", "after @ comes a level"),
        ("uct@1000,2000", "after @ comes a level"),
        ("uct@1000,", "after @ comes a level"),
        ("uct@1000 memory=plenty", "memory must be bytes"),
    ],
)
def test_texts_that_name_no_player(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        player_from(text)


def test_memory_is_an_amount() -> None:
    """However it is written, it is the same player."""
    assert player_from("uct@9 memory=1MB") == po.Searching("uct", Limit(9), memory=10**6)


def test_what_can_be_a_player() -> None:
    def first(position: po.Position) -> str:
        return position.legal_moves[0]

    limit = Limit(playouts=10)
    assert player_of(first, limit).name == "first"
    assert player_of(po.UCT(), limit) == player_from("uct@10")
    assert player_of(po.Searching(po.UCT(), limit), limit) == player_from("uct@10")
    with pytest.raises(po.BadMethod, match="a player is a method, a text such as"):
        player_of(7, limit)


def test_a_function_is_not_kept_in_a_record() -> None:
    with pytest.raises(po.BadMethod, match="go on with the same call of"):
        player_again(Calling(len).described())


def test_you_play_elsewhere() -> None:
    you = player_from("you")
    with pytest.raises(po.BadMethod, match="you cannot play in a match"):
        you.begin(po.Breakthrough(), np.random.SeedSequence(1))


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("10_000", Limit(playouts=10_000)),
        ("5n", Limit(nodes=5)),
        (".5s", Limit(seconds=0.5)),
        ("60 + 1s", Limit(clock=60.0, increment=1.0)),
    ],
)
def test_levels(text: str, limit: Limit) -> None:
    assert limit_from(text, "") == limit
    assert limit_from(str(limit), "") == limit


def test_an_increment_needs_a_clock() -> None:
    with pytest.raises(ValueError, match="give clock= too"):
        Limit(seconds=1.0, increment=0.1)


def test_a_clock_is_never_overspent() -> None:
    """However long a game is, the budgets of all its moves fit into the clock."""
    limit, left = Limit(clock=10.0, increment=0.0), 10.0
    for _ in range(500):
        budget = limit.budget(left)
        assert budget is not None
        assert 0 < budget < max(left, 0.01)
        left -= budget
    assert left > -0.05  # the margin


def test_an_increment_is_used() -> None:
    assert Limit(clock=60.0, increment=2.0).budget(60.0) == pytest.approx(3.0 + 1.9)
    assert Limit(clock=60.0, seconds=0.1).budget(60.0) == 0.1


def test_slow_machines_get_more_time() -> None:
    scaled = player_from("uct@60+1s").scaled(2.0)
    assert str(scaled) == "UCT()@120+2s"
    assert str(player_from("uct@100").scaled(2.0)) == "UCT()@100"
