"""WTHOR files: reading, writing, and errors that name the game and the move."""

from __future__ import annotations

import struct
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import playout as po
from playout import wthor
from playout.formats import read_moves
from playout.wthor import Wthor
from support.helpers import random_game

NUMBERS = st.integers(0, 2**16 - 1)


def by_hand(*moves: int, score: int = 33, n: int = 1, board: int = 8, kind: int = 0) -> bytes:
    """A file with one game, written as the format's description says."""
    head = struct.pack("<4BIHHBBBB", 20, 1, 12, 31, n, 0, 1997, board, kind, 22, 0)
    return head + struct.pack("<HHHBB", 5, 7, 12, score, 40) + bytes(moves).ljust(60, b"\0")


def game(seed: int, plies: int = 200) -> po.Othello:
    """A random game, up to a ply."""
    positions = list(random_game(po.Othello(), seed))
    return positions[min(plies, len(positions) - 1)]


@st.composite
def records(draw: st.DrawFn) -> po.Record:
    position = game(draw(st.integers(0, 1000)), draw(st.integers(1, 200)))
    while position.history[-1:] == ("pass",):  # no later move implies it
        position.pop()
    names = tuple(str(draw(NUMBERS)) for _ in range(2))
    found = po.Record(position, (names[0], names[1]), seed=0)
    score = draw(st.integers(0, 64))
    value = 1.0 if score > 32 else 0.5 if score == 32 else 0.0
    if value != position.result:
        found.verdict = value, "unknown"
    best = str(draw(st.integers(0, 64)))
    found.tags = {"Tournament": str(draw(NUMBERS)), "Score": str(score), "BestScore": best}
    return found


FILES = st.builds(
    Wthor,
    st.lists(records(), max_size=4).map(tuple),
    year=NUMBERS,
    created=st.none() | st.dates(),
    depth=st.integers(0, 60),
)


@given(FILES)
def test_there_and_back(file: Wthor) -> None:
    data = wthor.write(file)
    assert len(data) == 16 + 68 * len(file.records)
    again = wthor.read(data)
    assert again == file
    for before, after in zip(file.records, again.records, strict=True):
        assert after.position.history == before.position.history
        assert after.result == before.result
    assert wthor.write(again) == data


def test_a_file_by_hand() -> None:
    data = by_hand(56, 64, 33)
    file = wthor.read(data)
    assert (file.year, file.created, file.depth) == (1997, date(2001, 12, 31), 22)
    (record,) = file.records
    assert record.position.history == read_moves("f5d6c3").history
    assert (record.players, record.result) == (("7", "12"), 1.0)
    assert record.tags == {"Tournament": "5", "Score": "33", "BestScore": "40"}
    assert wthor.write(file) == data
    assert wthor.read(by_hand(56, board=0)).records[0].position.history == ("f5",)
    no_date = data.replace(bytes([20, 1, 12, 31]), bytes([20, 1, 13, 31]))
    assert wthor.read(no_date).created is None


def test_records_go_into_other_formats() -> None:
    (record,) = wthor.read(by_hand(56, 64, 33)).records
    assert po.Record.from_pgn(record.to_pgn()) == record
    assert po.Record.from_dict(record.to_dict()) == record


def test_passes_are_left_out() -> None:
    passing = next(g for g in map(game, range(100)) if "pass" in g.history[:-1])
    data = wthor.write(Wthor((po.Record(passing, ("1", "2"), seed=0),)))
    assert data[16 + 8 :].count(0) == 60 - len([m for m in passing.history if m != "pass"])
    assert wthor.read(data).records[0].position.history == passing.history


def test_the_score_counts_empty_squares_for_the_winner() -> None:
    ended = read_moves("e6f4e3f6g5d6e7f5c5")  # white has no disc left
    assert (ended.is_over, ended.result) == (True, 1.0)
    data = wthor.write(Wthor((po.Record(ended, ("1", "2"), seed=0),)))
    assert data[16 + 6 : 16 + 8] == bytes([64, 64])
    lost_on_time = po.Record(read_moves("f5d6"), ("1", "2"), seed=0, verdict=(0.0, "clock"))
    assert wthor.write(Wthor((lost_on_time,)))[16 + 6] == 0


def test_names() -> None:
    players, places = ["???", "Ann", "Jos\u00e9"], ["Open", "Final 1999"]
    record = po.Record(
        read_moves("f5d6"), ("Jos\u00e9", "Ann"), 0, verdict=(1.0, "x"), tags={"Tournament": "Open"}
    )
    data = wthor.write(Wthor((record,)), players=players, tournaments=places)
    (again,) = wthor.read(data, players=players, tournaments=places).records
    assert (again.players, again.tags["Tournament"]) == (("Jos\u00e9", "Ann"), "Open")
    assert wthor.read(data).records[0].players == ("2", "1")
    jou = wthor.write_names(players)
    trn = wthor.write_names(places, tournaments=True, created=date(1999, 5, 1))
    assert (len(jou), len(trn)) == (16 + 3 * 20, 16 + 2 * 26)
    assert (wthor.read_names(jou), wthor.read_names(trn)) == (players, places)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "has 0 bytes, and its header alone takes 16"),
        (by_hand(56)[:-1], "has 83 bytes, and its header tells of 1 games, which take 84"),
        (by_hand(56) + b"\0", "has 85 bytes"),
        (by_hand(56, n=2**32 - 1), "tells of 4294967295 games"),
        (by_hand(56, board=10), "boards of size 10, and only 8 is read"),
        (by_hand(56, kind=1), "holds problems instead of games"),
        (by_hand(56, score=65), "game 1: a score of 65 is more than 64"),
        (by_hand(56, 11), "game 1, move 2: 'a1' is not legal here"),
        (by_hand(56, 90), "game 1, move 2: 90 is no square"),
        (by_hand(56, 0, 64), "game 1, move 2: 0 is no square"),
        (by_hand(255), "game 1, move 1: 255 is no square"),
        ("text", "a WTHOR file is bytes, not 'text'"),
    ],
)
def test_damaged_files(data: Any, says: str) -> None:
    with pytest.raises(po.BadPosition, match=says):
        wthor.read(data)


@given(FILES, st.data())
def test_any_damage_is_an_error_of_ours(file: Wthor, data: st.DataObject) -> None:
    """Bytes that were changed are read as other games, or refused by `BadPosition`."""
    found = bytearray(wthor.write(file))
    for _ in range(data.draw(st.integers(1, 5))):
        found[data.draw(st.integers(0, len(found) - 1))] = data.draw(st.integers(0, 255))
    try:
        read = wthor.read(bytes(found))
    except po.BadPosition:
        return
    assert len(read.records) == len(file.records)


def test_what_cannot_be_written() -> None:
    won = po.Record(read_moves("f5d6"), ("1", "2"), 0, verdict=(1.0, "x"))

    def refused(says: str, record: po.Record, **more: Any) -> None:
        with pytest.raises(ValueError, match=says):
            wthor.write(Wthor((won, record), **more))

    refused("game 2: .* this one goes on", po.Record(read_moves("f5d6"), ("1", "2"), 0))
    refused("game 2: .* Othello 8x8", po.Record(po.Othello(6), ("1", "2"), 0))
    refused("game 2: .* Othello 8x8", po.Record(po.Breakthrough(), ("1", "2"), 0))
    elsewhere = po.Othello.from_fen(read_moves("f5").fen)
    refused("game 2: .* from the start position", po.Record(elsewhere, ("1", "2"), 0))
    refused(
        "game 2: player 'uct' is no number from 0 to 65535, and none of the names",
        po.Record(won.position, ("uct", "2"), 0, verdict=(1.0, "x")),
    )
    for tags, says in [
        ({"Score": "65"}, "game 2: score '65' is no number from 0 to 64$"),
        ({"BestScore": "-1"}, "game 2: score '-1'"),
        ({"Tournament": "99999"}, "game 2: tournament '99999'"),
    ]:
        refused(says, po.Record(won.position, ("1", "2"), 0, verdict=(1.0, "x"), tags=tags))
    refused("year must be a whole number", won, year=-1)
    refused("depth must be a whole number", won, depth=61)
    with pytest.raises(po.BadPosition, match="what is written is a Wthor"):
        wthor.write([won])  # type: ignore[arg-type]
    with pytest.raises(po.BadPosition, match="player 7 has no name: there are 3 names"):
        wthor.read(by_hand(56), players=["a", "b", "c"])
    for name in ("x" * 20, "\u0142", "a\0b"):
        with pytest.raises(po.BadPosition, match="cannot be written: names have at most 19"):
            wthor.write_names([name])
