"""Games from text of any form."""

from __future__ import annotations

from typing import Any

import pytest

import playout as po
from playout.exchange import of_position, read_game, written
from playout.games import GAMES


def test_what_each_text_is() -> None:
    game = po.Othello()
    for move in ("f5", "d6"):
        game.push(move)
    for form, text in written(of_position(game)).items():
        found = read_game(text, GAMES["othello"])
        assert found.position == game, form
        has_moves = form not in ("line", "OBF")
        assert (found.position.history == game.history) == has_moves, form


def test_a_game_that_began_elsewhere_has_no_move_list_of_othello() -> None:
    game = po.Othello.from_fen("-----OX--XO----- O")
    game.push(game.legal_moves[0])
    assert "GGF" in written(of_position(game))
    assert written(of_position(game))["OBF"] == game.fen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no game: give the JSON"),
        ("what?", "'what\\?' is no game"),
        ("{", "the game looks like JSON and is not"),
        ("{}", "it is no record of a game"),
        ("[Game]", "a tag is written"),
        ("(;GM[Chess];)", "the game is 'Chess', not Othello"),
        (b"f5", "a game is read from text, not from b'f5'"),
    ],
)
def test_wrong_texts(text: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_game(text)


def test_moves_alone_are_of_the_game_that_is_given() -> None:
    assert read_game("4435", GAMES["connect-four"]).position.history == ("4", "4", "3", "5")
    with pytest.raises(ValueError, match="move 2"):
        read_game("a2a3 a2a3", GAMES["breakthrough"])
