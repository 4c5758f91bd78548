"""OBF, move lists and GGF: reading, writing, and errors that name the column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import playout as po
from playout import formats
from playout.games import game_named
from support.helpers import random_game

START = "---------------------------OX------XO---------------------------"


def games(size: int) -> list[po.Othello]:
    """Finished random games, some with passes."""
    played = []
    for seed in range(30):
        *_, last = random_game(po.Othello(size), seed)
        played.append(last)
    return played


@pytest.mark.parametrize("size", [4, 6, 8])
def test_there_and_back(size: int) -> None:
    played = games(size)
    assert any("pass" in game.history for game in played)
    for game in played:
        assert formats.read_obf(formats.write_obf(game)).position == game
        again = formats.read_moves(formats.write_moves(game), size)
        assert (again, again.history) == (game, game.history)
        tags = {"PB": "Ann", "PW": "Bob", "RE": "+2.000"}
        ggf = formats.read_ggf(formats.write_ggf(game, tags))
        assert (ggf.position, ggf.position.history, ggf.tags) == (game, game.history, tags)


def test_obf_scores() -> None:
    obf = formats.read_obf(f"{START} X; F5:+0; d3:-2 ;")
    assert obf.scores == {"f5": 0, "d3": -2}
    assert formats.write_obf(obf.position, obf.scores) == f"{START} X; F5:+0; D3:-2;"
    assert (
        formats.read_obf(START.replace("X", "*").replace("O", "0") + " *").position == po.Othello()
    )


def test_moves_as_people_write_them() -> None:
    game = formats.read_moves(" F5 D6\nC3 d3")
    assert [str(move) for move in game.history] == ["f5", "d6", "c3", "d3"]


def test_a_written_pass_and_one_left_out_are_the_same() -> None:
    game = next(g for g in games(8) if "pass" in g.history)
    written = "".join(game.history).replace("pass", "--")
    assert formats.read_moves(written).history == game.history


def test_a_pass_at_the_end_is_written() -> None:
    game = next(g for g in games(8) if "pass" in g.history).copy()
    while game.history[-1] != "pass":
        game.pop()
    again = formats.read_moves(formats.write_moves(game))
    assert (again, again.history) == (game, game.history)


def test_ggf_of_a_server() -> None:
    text = (
        "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio3000]PW[Saio1200]RB[2197.01]"
        "RW[2199.72]TI[05:00//02:00]TY[8r]RE[+0.000]"
        "BO[8 ---------------------------O*------*O--------------------------- *]"
        "B[F5//0.01]W[F6/-1.00/0.1]B[E6/0.5];)"
    )
    game = formats.read_ggf(text)
    assert [str(move) for move in game.position.history] == ["f5", "f6", "e6"]
    assert game.tags["PC"] == "GGS/os"


def test_ggf_times_and_evaluations() -> None:
    """They are written as they were read, also where a pass was left out or a number is none."""
    told = "(;GM[Othello]TY[4]BO[4 XO-------------- O]W[pa]B[C1/-1.50/0.25];)"
    game = formats.read_ggf(told)
    assert game.position.history == ("pass", "c1")
    assert (game.scores, game.seconds) == ((None, -1.5), (None, 0.25))
    again = formats.write_ggf(game.position, scores=game.scores, seconds=game.seconds)
    assert again == told.replace("X", "*").replace("-1.50", "-1.5")
    assert formats.read_ggf(told.replace("W[pa]", "")) == game
    for move in ("C1", "C1/", "C1//", "C1/good/soon", "C1/nan/-1", "C1/./1e999", "C1/e5/ "):
        text = told.replace("C1/-1.50/0.25", move)
        assert formats.read_ggf(text).scores == (None, None), move
        assert formats.read_ggf(text).seconds == (None, None), move


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ({"scores": [1, 2]}, "scores is a list with at most a number for each of 1 moves"),
        ({"scores": "5"}, "scores is a list"),
        ({"scores": [float("nan")]}, "scores must be a finite number"),
        ({"seconds": [-1]}, "seconds must be a number of at least 0"),
        ({"seconds": 5}, "seconds is a list"),
    ],
)
def test_ggf_numbers_that_are_none(numbers: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        formats.write_ggf(formats.read_moves("f5"), **numbers)


def test_ggf_from_a_position() -> None:
    position = po.Othello.from_fen(f"{START} O")
    position.push("d6" if "d6" in position.legal_moves else position.legal_moves[0])
    again = formats.read_ggf(formats.write_ggf(position)).position
    assert (again, again.history) == (position, position.history)


@pytest.mark.parametrize(
    ("read", "text", "says"),
    [
        (formats.read_obf, START[:-1] + " X", "column 64: the squares end here, 63 of them"),
        (formats.read_obf, "", "column 1: the squares end here"),
        (
            formats.read_obf,
            "Z" + START[1:] + " X",
            "column 1: a square is 'X', 'O' or '-', not 'Z'",
        ),
        (formats.read_obf, START + " ?", "column 66: the side to move"),
        (formats.read_obf, START, "column 65: the side to move"),
        (formats.read_obf, START + " X; F5", "column 69: expected a move and its score"),
        (formats.read_obf, START + " X; F5:+0; A1:+2", "column 76: 'a1' is not legal here"),
        (formats.read_moves, "f5z9", "column 3: expected a move such as 'f5', not 'z9'"),
        (formats.read_moves, "f5 f5", "column 4: 'f5' is not legal here"),
        (formats.read_ggf, "f5d6", "column 1: a GGF game begins"),
        (formats.read_ggf, "(;GM[Othello]B[F5]", "column 19: the game does not end"),
        (formats.read_ggf, "(;GM[Othello]B F5;)", "column 14: expected a tag"),
        (formats.read_ggf, "(;GM[Amazons];)", "column 6: the game is 'Amazons'"),
        (formats.read_ggf, "(;TY[10];)", "column 6: the board is of type '10'"),
        (formats.read_ggf, "(;BO[8 -- *];)", "column 6: a board is its size"),
        (formats.read_ggf, "(;B[F5]W[A1];)", "column 10: 'a1' is not legal here"),
        (formats.read_ggf, "(;W[F5];)", "column 5: it is Black's move, not W's"),
        (formats.read_obf, START + " X; F5:\u00b2", "column 69: expected a move and its score"),
        (formats.read_obf, START + " X; F5:" + "9" * 5000, "column 69: expected a move and its"),
        (formats.read_obf, START + " " + "X" * 5000, "column 66: the side to move"),
        (formats.read_ggf, "(;TY[\u0668];)", "column 6: the board is of type '\u0668'"),
        (formats.read_ggf, "(;TY[" + "9" * 5000 + "];)", "column 6: the board is of type '999"),
        (formats.read_ggf, f"(;BO[\u00b2 {START} *];)", "column 6: a board is its size"),
        (formats.read_ggf, "(;BO[" + "9" * 5000 + f" {START} *];)", "column 6: a board is its"),
        (formats.read_ggf, "(;GM[" + "Othello" * 5000 + "];)", "column 6: the game is 'Othello"),
        (formats.read_ggf, "(;B[" + "f5" * 5000 + "];)", "column 5: 'f5f5"),
        (formats.read_ggf, "(;" + " " * 5000 + "x", "column 5003: expected a tag"),
    ],
)
def test_errors_name_the_column(read: Callable[[str], object], text: str, says: str) -> None:
    with pytest.raises(po.BadPosition) as caught:
        read(text)
    assert str(caught.value).startswith(says)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("read", [formats.read_obf, formats.read_moves, formats.read_ggf])
def test_only_text_is_read(read: Callable[[object], object]) -> None:
    with pytest.raises(po.BadPosition, match="is text, not 5"):
        read(5)


def test_after_the_end() -> None:
    game = formats.write_moves(games(4)[0])
    with pytest.raises(po.BadPosition, match="after the end of the game"):
        formats.read_moves(game + "a1", 4)


def test_what_cannot_be_written() -> None:
    with pytest.raises(po.BadPosition, match="began elsewhere"):
        formats.write_moves(po.Othello.from_fen(f"{START} O"))
    for tags in ({"BO": "x"}, {"PB": "a]b"}, {" PB": "x"}, {"\u00c9": "x"}, {"PB": 5}, {"A[": "x"}):
        with pytest.raises(po.BadPosition, match="cannot be written"):
            formats.write_ggf(po.Othello(), tags)
    for scores in ({"a1": 1}, {5: 1}, {"f5" * 5000: 1}):
        with pytest.raises(po.BadPosition, match=r"scores are of legal moves, and .* is none"):
            formats.write_obf(po.Othello(), scores)
    for score in (0.5, "1", 10**9, 10**5000):
        with pytest.raises(ValueError, match="the score of f5 must be a whole number from"):
            formats.write_obf(po.Othello(), {"f5": score})
    for write in (formats.write_obf, formats.write_moves, formats.write_ggf):
        for other in (po.Breakthrough(), "f5", None):
            with pytest.raises(po.BadPosition, match="tells of Othello, not of"):
                write(other)


@pytest.mark.parametrize(
    ("tags", "names"),
    [
        ("PB[Ann]PW[Bob]", ("Ann", "Bob")),
        ("PB[]", ("?", "?")),
        ("PB[Ann\nLee]PW[ ]", ("Ann Lee", "?")),
    ],
)
def test_names_of_players_are_one_line(tags: str, names: tuple[str, str]) -> None:
    text = f"(;GM[Othello]{tags}TY[8]BO[8 {27 * '-'}O*------*O{27 * '-'} *]B[F5];)"
    assert game_named("othello").names(text) == names
