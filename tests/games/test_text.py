"""Notation, error messages, pictures and pickles."""

from __future__ import annotations

import io
import pickle
import pickletools
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import playout as po
import playout.reference as ref
from playout.render.board import MARGIN, SQUARE

# Moves


@pytest.mark.parametrize("text", ["a2b3", "A2B3", " a2b3\n", "a2-b3", "a2xb3", "A2xB3"])
def test_ways_to_write_a_move_of_breakthrough(text: str) -> None:
    b = po.Breakthrough.from_fen("bbb/.b./w../www w")
    assert b.push(text) == "a2b3"
    assert b.fen == "bbb/.w./.../www b"


@pytest.mark.parametrize("text", ["f5", "F5", " f5 "])
def test_ways_to_write_a_move_of_othello(text: str) -> None:
    assert po.Othello().push(text) == "f5"


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass", "pa", "ps", "--"])
def test_ways_to_write_a_pass(text: str) -> None:
    assert po.Othello.from_fen("XO-------------- O").push(text) == "pass"


def test_a_move_is_its_text() -> None:
    move = po.Breakthrough().legal_moves[0]
    assert isinstance(move, str)
    assert (move, repr(move), f"{move}", {move: 1}["a2a3"]) == ("a2a3", "Move('a2a3')", "a2a3", 1)
    moves = po.Breakthrough(3, first_rows=1).legal_moves
    assert repr(moves) == "<7 moves: a1a2 a1b2 b1a2 b1b2 b1c2 c1b2 c1c2>"
    assert repr(po.Othello.from_fen("XX-------------- O").legal_moves) == "<no moves>"


def test_errors_tell_the_legal_moves() -> None:
    b = po.Breakthrough(3, first_rows=1)
    with pytest.raises(
        po.IllegalMove, match=r"'a2a3' is not legal here.* Legal: a1a2 a1b2 b1a2 .* c1c2$"
    ):
        b.push("a2a3")
    with pytest.raises(po.IllegalMove, match="a move is given as text, like 'a1a2', not 7"):
        b.push(7)
    assert issubclass(po.IllegalMove, ValueError)
    assert issubclass(po.BadPosition, ValueError)


def test_errors_propose_a_move() -> None:
    with pytest.raises(
        po.IllegalMove, match=r"'a1a3' is not legal here; did you mean 'a1a2'\? Legal: "
    ):
        po.Breakthrough(3, first_rows=1).push("a1a3")


def test_errors_without_a_proposal_are_two_sentences_too() -> None:
    with pytest.raises(po.IllegalMove, match=r"'z9' is not legal here\. Legal: d3 c4 f5 e6"):
        po.Othello().push("z9")


# Positions


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "expected the rows and the side to move"),
        ("bbb/.../www", "expected the rows and the side to move"),
        ("bbb/.../www x", "expected the rows and the side to move"),
        ("bbb/.../www w b", "expected the rows and the side to move"),
        ("bbb/www w", "3 to 8 rows, not 2"),
        ("bb/../ww w", "3 to 8 columns, not 2"),
        ("/".join(["w" * 9] * 3) + " w", "3 to 8 columns, not 9"),
        ("bbb/../www w", "row 2 has 2 squares, row 1 has 3"),
        ("bbb/.x./www w", "'x' on b2; only 'w', 'b' and '.' can stand there"),
        ("bbb/www/www/www w", "white has 9 men, and a board of 3 columns has at most 6"),
        (".../.../... w", "there are no men on the board"),
        ("w../.../b.. w", "both sides have won"),
        ("w../.../..b b", "both sides have won"),
    ],
)
def test_texts_that_are_no_position_of_breakthrough(fen: str, message: str) -> None:
    with pytest.raises(po.BadPosition) as caught:
        po.Breakthrough.from_fen(fen)
    assert str(caught.value).startswith(repr(fen))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "expected the squares and the side to move"),
        ("-" * 16, "expected the squares and the side to move"),
        ("-" * 16 + " w", "expected the squares and the side to move"),
        ("-" * 15 + " X", "15 squares; an Othello board has 64, 36 or 16"),
        ("-----XO--OX--.-- X", "'.' on b4 (column 14); only 'X', 'O' and '-' can stand there"),
    ],
)
def test_texts_that_are_no_position_of_othello(fen: str, message: str) -> None:
    with pytest.raises(po.BadPosition) as caught:
        po.Othello.from_fen(fen)
    assert str(caught.value).startswith(repr(fen))
    assert message in str(caught.value)


@pytest.mark.parametrize("game", [po.Breakthrough, po.Othello])
@pytest.mark.parametrize("thing", [None, 3, b"bbb/.../www w", ["bbb/.../www w"]])
def test_positions_are_text(game: type[po.Position], thing: object) -> None:
    with pytest.raises(po.BadPosition, match="is a line of text, not"):
        game.from_fen(thing)


def lines(squares: str, separator: str, sides: str) -> st.SearchStrategy[str]:
    """Texts similar to positions: rows of these squares, and a side to move."""
    row = st.text(squares, min_size=2, max_size=9)
    rows = st.integers(2, 9).flatmap(
        lambda n: st.one_of(
            st.lists(st.text(squares, min_size=n, max_size=n), min_size=2, max_size=9),
            st.lists(row, min_size=2, max_size=9),
        )
    )
    return st.builds(lambda r, side: f"{separator.join(r)} {side}", rows, st.sampled_from(sides))


@given(st.text() | st.text("wb./ ") | lines("wb....", "/", "wb") | lines("wb.x", "/", "wbx"))
@example("bwb/.../www w")
@example("b..\x00/.../w.. w")
def test_any_text_is_a_position_of_breakthrough_or_refused(fen: str) -> None:
    try:
        position = po.Breakthrough.from_fen(fen)
    except po.BadPosition:
        return
    assert " ".join(fen.split()) == position.fen
    assert_is_its_twin(position, ref.Breakthrough.from_fen(fen))


@given(
    st.text()
    | lines("XO-", "", "XO")
    | st.sampled_from([16, 36, 64]).flatmap(
        lambda n: st.builds(
            "{} {}".format, st.text("XO-xo", min_size=n, max_size=n), st.sampled_from("XOxo")
        )
    )
)
@example("XOxo" * 16 + "\tx\n")
@example("\ufb00" * 8 + " X")  # a character that becomes two in upper case
def test_any_text_is_a_position_of_othello_or_refused(fen: str) -> None:
    try:
        position = po.Othello.from_fen(fen)
    except po.BadPosition:
        return
    assert " ".join(fen.upper().split()) == position.fen
    assert_is_its_twin(position, ref.Othello.from_fen(position.fen))


def assert_is_its_twin(position: po.Position, twin: ref.Position) -> None:
    """The position can be written, drawn and played, and equals the twin's."""
    assert type(position).from_fen(position.fen) == position
    assert position.fen == twin.fen
    assert position.result == twin.result
    assert list(position.legal_moves) == [move.text for move in twin.legal_moves]
    assert str(position)
    assert ElementTree.fromstring(position._repr_svg_()) is not None
    if not position.is_over:
        assert list(po.playout(position, seed=1).moves) == list(ref.playout(twin, 1).moves)


@given(st.text())
def test_any_text_is_a_move_or_refused(text: str) -> None:
    for position in (po.Breakthrough(), po.Othello()):
        try:
            move = position.push(text)
        except po.IllegalMove:
            continue
        assert move in position.copy().history


# Diagrams and pictures


def test_diagram_of_breakthrough() -> None:
    b = po.Breakthrough(5, 4)
    b.push("d2c3")
    assert str(b).splitlines() == [
        "5  b b b b",
        "4  b b b b",
        "3  . . w .",
        "2  w w w .",
        "1  w w w w",
        "   a b c d   black to move",
    ]


def test_diagram_of_othello() -> None:
    o = po.Othello(4)
    o.push("b1")
    assert str(o).splitlines() == [
        "1  . b . .",
        "2  . b b .",
        "3  . b w .",
        "4  . . . .",
        "   a b c d   white to move, black 4, white 1",
    ]


def test_captions_at_the_end() -> None:
    assert str(po.Breakthrough.from_fen("w../b../..w b")).endswith("white has won")
    assert str(po.Breakthrough.from_fen("b../..w/b.. w")).endswith("black has won")
    assert str(po.Othello.from_fen("XX-------------- O")).endswith("game over, black 2, white 0")


def marked(position: po.Position) -> list[tuple[int, int]]:
    """The squares marked in the picture, as (row from the top, column)."""
    picture = ElementTree.fromstring(position._repr_svg_())
    return [
        ((int(mark.get("y", "")) - MARGIN) // SQUARE, (int(mark.get("x", "")) - MARGIN) // SQUARE)
        for mark in picture.findall(".//{*}rect[@class='last-move']")
    ]


def test_the_last_move_is_marked() -> None:
    b = po.Breakthrough(5)
    assert marked(b) == []
    b.push("a2b3")
    assert marked(b) == [(2, 1), (3, 0)]
    b.pop()
    assert marked(b) == []
    o = po.Othello()
    o.push("f5")
    assert marked(o) == [(4, 5)]
    o = po.Othello.from_fen("XO-------------- O")
    o.push("pass")
    assert marked(o) == []


def test_men_in_pictures() -> None:
    """White men are light and black men dark, each in the middle of its square."""
    picture = ElementTree.fromstring(po.Breakthrough.from_fen("..b/.../w.. w")._repr_svg_())
    men = {(c.get("cx"), c.get("cy")): c.get("fill") for c in picture.findall(".//{*}circle")}
    first, last = MARGIN + SQUARE // 2, MARGIN + 5 * SQUARE // 2
    assert men == {(str(last), str(first)): "#222", (str(first), str(last)): "#fff"}


# Pickles


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    "start", [po.Breakthrough(), po.Othello()], ids=["Breakthrough", "Othello"]
)
def test_a_pickle_calls_nothing_but_rebuild(start: po.Position, protocol: int) -> None:
    """A pickle contains texts and one call, of a function with a class."""
    start.push(start.legal_moves[0])
    dumped = pickle.dumps(start, protocol)
    calls = [opcode.name for opcode, _, _ in pickletools.genops(dumped)]
    called = {"REDUCE", "OBJ", "INST", "NEWOBJ", "NEWOBJ_EX", "BUILD"}
    assert [name for name in calls if name in called] == ["REDUCE"]
    assert globals_of(dumped) == {
        ("mcts_core.position", "rebuild"),
        (type(start).__module__, type(start).__name__),
    }


def globals_of(dumped: bytes) -> set[tuple[str, str]]:
    """The names that a pickle looks up when it is loaded."""
    looked_up = set()

    class Watching(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> object:
            looked_up.add((module, name))
            return super().find_class(module, name)

    Watching(io.BytesIO(dumped)).load()
    return looked_up


def test_a_tampered_pickle_is_refused() -> None:
    """Moves and position of a pickle are checked like any input."""
    b = po.Breakthrough()
    b.push("a2a3")
    dumped = pickle.dumps(b)
    assert dumped.count(b"a2a3") == dumped.count(b"wwwwwwww/wwwwwwww w") == 1
    with pytest.raises(po.IllegalMove, match="'a2a9' is not legal here"):
        pickle.loads(dumped.replace(b"a2a3", b"a2a9"))
    with pytest.raises(po.BadPosition, match="'q' on h1"):
        pickle.loads(dumped.replace(b"wwwwwwww w", b"wwwwwwwq w"))
