"""The options that describe a position, and those that name a method."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

import playout as po
from playout import wthor
from playout.cli.positions import position_from
from playout.formats import read_moves, write_ggf
from playout.method_text import method_from
from support.commands import fault, playout

OBF = "-----OX--XO----- X"


def searched(*words: str, stdin: str = "") -> str:
    """The position that a search says it searched."""
    ran = playout("search", *words, "-n", "20", "--seed", "1", "--json", stdin=stdin)
    assert ran.code == 0, ran.err
    return str(json.loads(ran.out)["position"])


@pytest.mark.parametrize(
    ("words", "position"),
    [
        ("", po.Breakthrough()),
        ("--game othello", po.Othello()),
        ("-g BREAKTHROUGH --size 5", po.Breakthrough(5)),
        ("--size 6x5", po.Breakthrough(6, 5)),
        ("--size 3", po.Breakthrough(3, first_rows=1)),  # no room for more
        ("--size 6X5 --first-rows 1", po.Breakthrough(6, 5, first_rows=1)),
        ("-g othello --size 6", po.Othello(6)),
        ("-g othello --size 4x4", po.Othello(4)),
    ],
)
def test_start_positions(words: str, position: po.Position) -> None:
    assert searched(*words.split()) == position.fen


@pytest.mark.parametrize("game", [[], ["--game", "othello"]])
@pytest.mark.parametrize("text", [OBF, f"{OBF}; B1:-10;", write_ggf(po.Othello(4))])
def test_othello_from_text(text: str, game: list[str]) -> None:
    """--game is not needed: the text shows which game it is."""
    expected = po.Othello.from_fen(OBF).fen if text.startswith("-") else po.Othello(4).fen
    assert searched(*game, "--position", text) == expected
    assert searched(*game, "--position", "-", stdin=f"\n  {text}\n") == expected


def test_a_game_of_a_wthor_file(tmp_path: Path) -> None:
    """PATH:GAME:MOVES; by default the first game after all its moves."""
    games = [
        po.Record(read_moves(moves), ("1", "2"), 0, verdict=(1.0, "clock"))
        for moves in ("f5d6", "f5f6e6")
    ]
    path = tmp_path / "games.WTB"
    path.write_bytes(wthor.write(wthor.Wthor(tuple(games))))
    assert position_from(position=str(path)).history == ("f5", "d6")
    assert position_from("othello", position=f"{path}:2").history == ("f5", "f6", "e6")
    assert position_from(position=f"{path}:2:1", moves="d6").history == ("f5", "d6")
    assert searched("--position", f"{path}:2:0") == po.Othello().fen
    for text, says in [
        (f"{path}:3", "games.WTB has 2 games, and none with number 3"),
        (f"{path}:0", "none with number 0"),
        (f"{path}:2:4", "has 3 moves, not 4"),
        (str(tmp_path / "none.wtb"), "cannot be read: No such file"),
        (f"{tmp_path}/.wtb", "cannot be read"),
    ]:
        assert says in fault("search", "--position", text)
    path.write_bytes(path.read_bytes()[:-1])
    assert "it is damaged or incomplete" in fault("search", "--position", str(path))
    assert "expected the rows" in fault("search", "-g", "breakthrough", "--position", str(path))
    with pytest.raises(click.ClickException, match="cannot be read: embedded null byte"):
        position_from(position="\0.wtb")


def test_breakthrough_from_text() -> None:
    fen = ".b..b/bbbbb/w..w./b.w../www.w w"
    assert searched("--position", fen) == fen
    assert searched("--position", "-", stdin=fen) == fen


def test_moves_of_breakthrough() -> None:
    for moves in ("a2a3 d4d3", "A2a3,d4xd3", "  a2a3   d4d3 "):
        expected = "bbbbb/bbb.b/w..b./.wwww/wwwww w"
        assert searched("--size", "5", "--moves", moves) == expected


def test_moves_of_othello() -> None:
    for moves in ("f5d6c3", "F5 d6 c3"):
        assert searched("-g", "othello", "--moves", moves) == read_moves("f5d6c3").fen


def test_moves_go_on_from_the_position() -> None:
    assert position_from(position=OBF, moves="a2").history == ("a2",)
    assert position_from(position="bbb/.../www w", moves="a1a2").fen == "bbb/w../.ww b"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--size", "2"], "a Breakthrough board has 3 to 8 rows, not 2"),
        (["--size", "5x9"], "a Breakthrough board has 3 to 8 columns, not 9"),
        (["--size", "big"], "--size is a number such as 5, or rows and columns such as 6x5, not"),
        (
            ["--size", "\u0665"],
            "--size is a number such as 5, or rows and columns such as 6x5, not",
        ),
        (["--first-rows", "3"], "--first-rows must be 1 or 2"),
        (["-g", "othello", "--size", "2"], "an Othello board has a size of 8, 6 or 4, not 2"),
        (["-g", "othello", "--size", "6x4"], "an Othello board is square: 6x6, not 6x4"),
        (["-g", "othello", "--first-rows", "1"], "--first-rows is for Breakthrough"),
        (
            ["--position", "hello"],
            "'hello' is no position of a known game. Breakthrough 'bbb/.../www w'",
        ),
        (["--position", "bbb/.../www"], "expected the rows and the side to move"),
        (["--position", "-----OX--XO-- X"], "column 14: the squares end here, 13 of them"),
        (["--game", "breakthrough", "--position", OBF], "--position: "),
        (["--position", OBF, "--size", "4"], "leave --size out"),
        (["--position", OBF, "--first-rows", "1"], "leave --first-rows out"),
        (["--position", "-"], "nothing came on standard input"),
        (["--size", "5", "--moves", "a2a3 d4d6"], "--moves: move 2: 'd4d6' is not legal here"),
        (["-g", "othello", "--moves", "f5a1"], "--moves: column 3: 'a1' is not legal here"),
        (["--position", "..w/.b./... b"], "this game is over"),
    ],
)
def test_faults_of_positions(words: list[str], message: str) -> None:
    assert message in fault("search", *words)


def test_one_position_at_a_time() -> None:
    assert "one position in one line, not 2 lines" in fault(
        "search", "--position", "-", stdin=f"{OBF}\n{OBF}\n"
    )


# Methods


@pytest.mark.parametrize(
    "method",
    [
        po.Flat(schedule="recent", half_life=50),
        po.UCB(rule="tuned", ties="first"),
        po.UCT(c=0.7, fpu=1.1),
        po.RAVE(bias=[1e-5, 1e-4, 1e-3], scale="kind"),
        po.GRAVE(ref=25),
        po.AlphaBeta(depth=6, evaluation="washington", multi_pv=3, exact_ties=True),
        po.AlphaBeta(evaluation=po.Evaluation(mobility=-2, corners=1.5)),
        po.AlphaBeta(
            evaluation=po.Evaluation(by_phase=[po.Evaluation(mobility=1), po.Evaluation(parity=1)])
        ),
    ],
    ids=repr,
)
def test_a_method_is_read_as_it_is_printed(method: po.Method) -> None:
    assert method_from(repr(method)) == method


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("UCT(c=", "'UCT(c=' is not a method"),
        ("(uct)", "is not a method"),
        ("po.UCT()", "is not a method"),
        ("uct()()", "is not a method"),
        ("UTC(c=1)", "there is no method 'UTC'; did you mean 'uct'?"),
        ("UCT(0.7)", "settings have names: write UCT(c=...)"),
        ("RAVE(biass=1)", "RAVE has no setting 'biass'; did you mean 'bias'? Its settings: beta"),
        ("RAVE(**{})", "RAVE has no setting 'None'"),
        ("UCT(c=-1)", "UCT: c must be a number of at least 0, not -1"),
        ("UCT(c=1+1)", "UCT: c must be a number, a name or a list of them, not '1+1'"),
        ("UCT(c=exit())", "UCT: c must be a number, a name or a list of them, not 'exit()'"),
        ("UCB(rule=tunde)", "did you mean 'tuned'?"),
        ("UCT(c=1, c=2)", "UCT: c is given twice: give it once"),
        (f"UCT(c={'-' * 900}1)", "UCT: c must be a number, a name or a list of them, not '---"),
        (f"UCT(c=(0x{'f' * 9000}).real)", "UCT: c must be a number, a name or a list of them, not"),
        (f"UCT(c=0x{'f' * 9000})", "UCT: c must be a number between -1e308 and 1e308, not an int"),
        (f"UCT(c={'9' * 5000})", "is not a method"),
        (f"UCT(c={'9' * 200_000})", "is not a method"),
    ],
)
def test_faults_of_methods(text: str, message: str) -> None:
    """Nothing is evaluated: a call of anything but a method is an error."""
    with pytest.raises(po.BadMethod) as raised:
        method_from(text)
    assert message in str(raised.value)
    assert message in fault("search", "--method", text)
