"""A game in Python is taken wherever a position is: in playouts, matches, records, commands."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playout as po
from mcts_core.games.python_game import PythonPosition
from support.commands import fault, playout
from support.noughts import Noughts

NAME = "support.noughts:Noughts"


class Pairs(Noughts):
    """The same game, whose moves are tuples."""

    def legal_moves(self) -> Any:
        return [divmod(square, 3) for square in Noughts.legal_moves(self)]

    def play(self, square: Any) -> None:
        Noughts.play(self, 3 * square[0] + square[1])

    def code(self, square: Any) -> int:
        return Noughts.code(self, 3 * square[0] + square[1])


def test_playouts_of_one_position_and_of_many() -> None:
    one = po.playouts(Noughts(), 640, seed=1)
    assert one.wins + one.draws + one.losses == 640
    after = Noughts("xo.......", 0)
    many = po.playouts([Noughts(), after], 640, seed=1)
    assert many.wins[0] == one.wins
    assert many.wins.shape == (2,)
    assert many.mean[1] == po.playouts([after, after], 640, seed=1).mean[0] or many.wins[1] > 0


def test_playouts_of_wrapped_positions_are_those_of_the_objects() -> None:
    positions = po.random_positions(Noughts(), 5, plies=3, seed=1)
    objects = [position.object for position in positions]  # type: ignore[attr-defined]
    for threads in (1, 2):
        found = po.playouts(objects, 100, seed=2, threads=threads)
        assert np.array_equal(found.wins, po.playouts(positions, 100, seed=2).wins)


def test_one_playout() -> None:
    played = po.playout(Noughts(), seed=3)
    assert played.plies == len(played.moves) == len(played.codes)
    position = Noughts()
    for move in played.moves:
        position.play(move.original)
    assert position.is_over()
    assert position.result() == played.result


def test_objects_of_two_classes_are_two_games() -> None:
    with pytest.raises(po.BadPosition, match="Pairs is another game than Noughts"):
        po.playouts([Noughts(), Pairs()], 10)
    with pytest.raises(po.BadPosition, match=r"playouts start from a position.*not 3"):
        po.playouts([3], 10)  # type: ignore[list-item]
    with pytest.raises(po.BadPosition, match="a playout starts from a position"):
        po.playout(Noughts)  # type: ignore[arg-type]


def test_results_have_the_original_moves() -> None:
    result = po.search(Pairs(), "uct", playouts=200, seed=1)
    assert result.move.original in [divmod(square, 3) for square in range(9)]
    assert [str(move.original) for move in result.pv] == list(result.pv)
    again = pickle.loads(pickle.dumps(result))
    assert again.move.original == result.move.original
    assert po.solve(Pairs("xx.oo....")).move.original == (0, 2)
    assert po.Othello().legal_moves[0].original == "d3"


def test_estimates_and_comparisons() -> None:
    table = po.compare_estimates(Noughts(), 500, seed=1)
    assert table["visits"].sum() == 500
    assert po.compare(Noughts(), ["uct", "rave"], playouts=50, runs=2, seed=1).best is not None


def test_a_match_is_recorded_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    how: dict[str, Any] = {"game": Noughts(), "playouts": 50, "seed": 1, "record": path}
    first = po.match("uct", "flat", games=4, **how)
    assert first.games == 4
    assert po.match("uct", "flat", games=8, **how).games == 8
    record = next(iter(first.records()))
    assert po.Record.from_pgn(record.to_pgn()) == record
    assert po.Record.from_dict(json.loads(record.to_json())) == record


def test_a_match_of_moves_with_spaces_is_refused() -> None:
    with pytest.raises(po.BadPosition, match=r"'\(0, 0\)' has spaces: str\(\) of a move must be"):
        po.match("uct", "flat", games=2, game=Pairs(), playouts=10)


def test_a_position_without_text_has_no_record() -> None:
    record = po.Record(PythonPosition(Noughts("x........", 1)), ("a", "b"), 1)
    with pytest.raises(po.BadPosition, match=r"the class `fen`, a line, and `from_fen\(line\)`"):
        record.to_json()


class Written(Noughts):
    """The same game with text."""

    @property
    def fen(self) -> str:
        return f"{self.squares}{self.turn}"

    @classmethod
    def from_fen(cls, line: str) -> Written:
        return cls(line[:9], int(line[9]))


def test_a_class_with_text_has_records_from_anywhere() -> None:
    record = po.Record(PythonPosition(Written("x........", 1)), ("a", "b"), 1)
    assert record.to_dict()["start"] == "x........1"
    assert po.Record.from_dict(record.to_dict()) == record


def test_a_file_imports_nothing() -> None:
    """A record may come from anyone, and an import runs code."""
    data = po.Record(po.Breakthrough(5), ("a", "b"), 1).to_dict() | {"game": "antigravity:Game"}
    with pytest.raises(ValueError, match="'antigravity:Game' is a class that was not imported"):
        po.Record.from_dict(data)


@pytest.mark.parametrize("command", ["search", "compare", "solve", "perft", "play", "match"])
def test_commands_take_a_class(command: str, tmp_path: Path) -> None:
    words = {
        "search": ["-n", "100"],
        "compare": ["-m", "uct", "-n", "50", "--runs", "1"],
        "solve": [],
        "perft": ["3"],
        "play": ["--white", "uct", "--black", "flat", "-n", "20"],
        "match": ["uct", "flat", "-n", "20", "--games", "2", "--openings", "1"],
    }[command]
    ran = playout(command, *words, "--game", NAME)
    assert ran.code == 0, ran.err
    assert NAME in ran.out.replace("\n", "")


def test_a_file_of_games_needs_the_class(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    own = ("--game", NAME)
    words = ("uct", "flat", "-n", "20", "--games", "2", "--seed", "1", "--record", path, *own)
    ran = playout("match", *words)
    assert ran.code == 0, ran.err
    report = playout("match", "--report", path, *own)
    assert "Noughts, seed 1" in report.out
    assert "leave --size out" in fault("match", "--report", path, *own, "--size", "5")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("support.nothing:Game", "No module named 'support.nothing'"),
        ("support.noughts:Game", "has no attribute 'Game'"),
        ("support.noughts:LINES", "is no class of positions"),
    ],
)
def test_wrong_classes_are_named(name: str, message: str) -> None:
    assert message in fault("search", "--game", name, "-n", "10")
    assert "has no --size" in fault("search", "--game", NAME, "--size", "3", "-n", "10")


class Raising(Noughts):
    """A game that fails at some point."""

    def code(self, square: int) -> int:
        return 1 // 0


def test_errors_name_the_function_of_the_game() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        po.search(Raising(), "rave", playouts=10)
    assert raised.value.__notes__ == ["raised by Raising.code() in a search"]


def test_walks_in_the_tree_call_no_code_of_the_user() -> None:
    """Positions near the root are kept, so the search asks for each key once."""
    asked = []

    class Counted(Noughts):
        def key(self) -> object:
            asked.append(1)
            return super().key()

    result = po.search(Counted(), "uct", playouts=2000, seed=1)
    walks = 2000 * len(result.pv)
    assert len(asked) < walks / 4
