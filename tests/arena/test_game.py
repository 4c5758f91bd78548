"""One game between two players: how it may end."""

from __future__ import annotations

import sys
import time

import numpy as np
import pytest

import playout as po
from playout.arena.game import Played, play
from playout.arena.limit import Limit
from playout.arena.players import MARGIN, Calling, Player, player_from

SEED = np.random.SeedSequence(1)
UCT = player_from("uct@20")


def first(position: po.Position) -> str:
    return position.legal_moves[0]


def played(
    white: Player, black: Player, start: po.Position | None = None, **rules: float
) -> Played:
    return play(start or po.Breakthrough(5), (white, black), SEED, po.Adjudication(**rules))  # type: ignore[arg-type]


def test_a_game_is_played_by_the_rules() -> None:
    game = played(UCT, UCT)
    position = po.Breakthrough(5)
    for move in game.moves:
        position.push(move)
    assert position.is_over
    assert (game.result, game.reason, game.fault) == (position.result, "the rules", "")
    assert len(game.seconds) == len(game.expected) == len(game.moves)


def test_the_seed_repeats_a_game() -> None:
    again = played(UCT, UCT)
    assert again.moves == played(UCT, UCT).moves
    assert again.expected == played(UCT, UCT).expected


def test_a_function_plays() -> None:
    game = played(Calling(first), UCT)
    position = po.Breakthrough(5)
    for ply, move in enumerate(game.moves):
        assert ply % 2 or move == position.legal_moves[0]
        position.push(move)


def test_a_function_may_change_its_copy() -> None:
    def careless(position: po.Position) -> str:
        return position.push(position.legal_moves[0])

    assert played(Calling(careless), UCT).reason == "the rules"


@pytest.mark.parametrize("move", ["a1a9", "", None, 7, "a2a3 a2a3", "\x00"])
@pytest.mark.parametrize("side", [0, 1])
def test_an_illegal_move_loses(move: object, side: int) -> None:
    wrong = Calling(lambda position: move, label="wrong")  # type: ignore[arg-type, return-value]
    game = played(wrong, UCT) if side == 0 else played(UCT, wrong)
    assert (game.result, game.reason) == (float(side), "illegal move")
    assert game.fault.startswith("wrong: ")
    assert "is no legal move in" in game.fault


@pytest.mark.parametrize("side", [0, 1])
def test_an_error_loses(side: int) -> None:
    def fails(position: po.Position) -> str:
        raise ZeroDivisionError("by nothing")

    game = played(Calling(fails), UCT) if side == 0 else played(UCT, Calling(fails))
    assert (game.result, game.reason) == (float(side), "error")
    assert game.fault == "fails: ZeroDivisionError: by nothing"
    assert len(game.moves) == side


def test_a_function_that_exits_loses() -> None:
    game = played(Calling(lambda position: sys.exit("enough")), UCT)
    assert (game.result, game.reason) == (0.0, "error")
    assert game.fault == "<lambda>: SystemExit: enough"


def test_ctrl_c_is_nobodys_loss() -> None:
    def interrupted(position: po.Position) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(Calling(interrupted), UCT)


def test_the_clock_runs_out() -> None:
    def slow(position: po.Position) -> str:
        time.sleep(0.08)
        return position.legal_moves[0]

    game = played(Calling(slow, Limit(clock=0.01)), UCT)
    assert (game.result, game.reason, game.moves) == (0.0, "clock", ())
    assert "the clock ran out" in game.fault


def test_a_function_that_takes_too_long_loses_once_it_returns() -> None:
    def slow(position: po.Position) -> str:
        time.sleep(MARGIN + 0.1)
        return position.legal_moves[0]

    game = played(Calling(slow, Limit(seconds=0.01)), UCT)
    assert (game.result, game.reason, game.moves) == (0.0, "clock", ())
    assert "and the limit is 0.01 s" in game.fault


@pytest.mark.serial
def test_a_method_keeps_its_clock() -> None:
    game = played(player_from("uct@0.2+0s"), player_from("uct@0.2+0.001s"))
    assert game.reason == "the rules"
    assert sum(game.seconds[::2]) < 0.3


def test_a_solved_position_ends_the_game() -> None:
    start = po.Breakthrough(4)
    game = played(UCT, UCT, start, solve_nodes=10**6)
    assert (game.moves, game.reason) == ((), "solver")
    assert game.result == po.solve(start).value == 0.0
    start.push(start.legal_moves[0])
    worth = po.solve(start).value
    assert worth is not None
    assert played(UCT, UCT, start, solve_nodes=10**6).result == 1 - worth


def test_players_agree() -> None:
    strong = player_from("uct@2000 solver")
    game = played(strong, strong, agreed=0.95, plies=2)
    assert game.reason == "agreement"
    last = game.expected[-2:]
    assert all(value is not None for value in last)
    assert all((value or 0) >= 0.95 for value in last) == (game.result == 1.0)
    to_the_end = played(strong, strong)
    assert to_the_end.moves[: len(game.moves)] == game.moves
    assert to_the_end.result == game.result


def test_functions_agree_to_nothing() -> None:
    assert played(Calling(first), UCT, agreed=0.51, plies=2).reason == "the rules"


def test_a_long_game_is_a_draw() -> None:
    game = played(UCT, UCT, most_plies=7)
    assert (len(game.moves), game.result, game.reason) == (7, 0.5, "length")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"agreed": 0.5}, "agreed must be a number above 0.5"),
        ({"agreed": 1.1}, "up to 1"),
        ({"plies": 0}, "plies must be a whole number from 2"),
        ({"solve_nodes": 0}, "solve_nodes must be"),
    ],
)
def test_rules_that_make_no_sense(rules: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        po.Adjudication(**rules)  # type: ignore[arg-type]


def test_a_pass_in_othello() -> None:
    game = played(player_from("uct@5"), player_from("flat@30"), po.Othello(4))
    assert game.reason == "the rules"
