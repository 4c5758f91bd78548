"""`playout play`, with the moves on standard input, and the record of a game."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import playout as po
from playout.arena.limit import Limit
from playout.arena.players import player_from
from playout.cli import record
from playout.cli.errors import Fault
from playout.record import Record
from support.commands import fault, playout, timeless

GAME = ["play", "--size", "5", "--playouts", "200", "--seed", "1"]
METHODS = ["--white", "rave", "--black", "uct@100"]


def said(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


# Method against method


def test_methods_play_to_the_end_and_again() -> None:
    first = playout(*GAME, *METHODS)
    assert first.code == 0
    assert "white: RAVE(), 200 playouts a move\nblack: UCT(), 100 playouts a move\n" in first.out
    assert "The game is over: " in first.out
    assert timeless(playout(*first.again).out) == timeless(first.out)


def test_json_is_the_record() -> None:
    ran = playout(*GAME, *METHODS, "--json")
    found = json.loads(ran.out)
    game = Record.from_dict(found)
    assert game.position.is_over
    assert found["outcome"] == game.outcome
    assert found["players"] == {"white": "RAVE()@200", "black": "UCT()@100"}
    assert found["command"].startswith("playout play --size 5 --white rave --black uct@100")


def test_alpha_beta_plays_othello() -> None:
    ran = playout(
        *("play", "-g", "othello", "--black", "AlphaBeta(depth=2)", "--white", "ucb@20"),
        *("--seed", "1", "--json"),
    )
    assert po.Othello.from_fen(json.loads(ran.out)["start"]) == po.Othello()
    assert json.loads(ran.out)["outcome"] is not None


def test_each_move_is_a_search_with_a_seed_of_its_own() -> None:
    found = json.loads(playout(*GAME, *METHODS, "--json").out)
    moves = playout(*GAME, *METHODS, "--moves", " ".join(found["moves"][:6]), "--json").out
    assert json.loads(moves)["moves"] == found["moves"]


# You against a method


def test_words_and_moves() -> None:
    script = said("moves", "a2a3", "hint", "undo", "board", "help", "", "A2xB3", "hnit", "quit")
    ran = playout(*GAME, stdin=script)
    assert ran.code == 0
    assert ran.out.count("13 legal moves: a2a3 a2b3") == 2  # for `moves`, and for an empty line
    assert "black plays " in ran.out
    assert "best for white is " in ran.out
    assert "captures diagonally ahead" in " ".join(ran.out.split())  # `help` has the rules
    assert "undo    take back your last move, and the answer to it" in ran.out
    assert "did you mean 'hint'?" in " ".join(ran.out.split())
    assert "The game is not saved; the next line has all of it." in ran.out
    moves = ran.again[ran.again.index("--moves") + 1].split()
    assert moves[0] == "a2b3"
    assert len(moves) == 2


def test_the_last_line_goes_on_with_a_game_that_was_not_saved() -> None:
    left = playout(*GAME, stdin=said("a2a3"))  # then the input ends, as by Ctrl-D
    assert left.last_line.startswith("Go on with: playout play ")
    again = playout(*left.again, stdin=said("resign"))
    assert again.out.split("white to move> ")[0].endswith(
        left.out.split("black plays")[0].split("black to move\n")[-1].lstrip("\n")
    )
    assert "The game is over: white resigned, so black has won." in again.out


def level(name: str) -> po.Searching:
    return next(level for level in po.levels(po.Breakthrough(5)) if level.name == name)


def test_levels_play_by_name() -> None:
    ran = playout("play", "--size", "5", "--black", "casual", "--seed", "1", stdin=said("a2a3"))
    assert f"black: UCT(), {level('casual').limit.playouts} playouts a move" in ran.out
    numbered = playout("play", "--size", "5", "--black", "casual 2", stdin=said("quit"))
    assert f"black: UCT(), {level('casual 2').limit.playouts} playouts a move" in numbered.out
    champion = playout("play", "--size", "5", "--black", "champion", stdin=said("quit"))
    assert "black: AlphaBeta(), 300,000 nodes a move" in champion.out


def test_comments_say_what_a_move_gave_away() -> None:
    place = ["--position", ".b./b../w.w/w.. w", "--black", "beginner", "--seed", "1"]
    ran = playout("play", *place, "--comments", stdin=said("a1b2"))
    assert "a1b2: blunder, it gave away 1.00 for certain\n  better: a2b3" in ran.out
    best = playout("play", *place, "--comments", stdin=said("a2b3"))
    assert "a2b3: best\n" in best.out
    silent = playout("play", *place, stdin=said("a1b2"))
    assert "gave away" not in silent.out


def test_a_hint_has_reasons() -> None:
    ran = playout(
        *("play", "--position", "..b/.../b../.ww w", "--black", "uct", "--seed", "1"),
        stdin=said("hint"),
    )
    assert "b1a2: captures the man that would have won" in ran.out
    assert "the next best moves here: " in ran.out


def test_undo_at_the_start() -> None:
    assert "There is no move of yours to take back." in playout(*GAME, stdin=said("undo")).out


def test_undo_between_two_people() -> None:
    words = ["play", "--size", "5", "--white", "you", "--black", "you"]
    ran = playout(*words, stdin=said("a2a3", "d4d3", "undo", "quit"))
    assert ran.again[ran.again.index("--moves") + 1] == "a2a3"


def test_a_pass_is_played_and_an_undo_goes_before_it() -> None:
    """A blocked side passes by itself, and then has no move to take back."""
    start = po.Othello.from_fen("-OX-OOXX-OXXXXXX O")
    assert start.legal_moves != ("pass",)
    blocked = next(
        position
        for seed in range(1000)
        for position in _positions(po.Othello(4), seed)
        if position.legal_moves == ("pass",)
    )
    side = ("black", "white")[blocked.turn]
    words = ["play", "--position", blocked.fen, "--black", "you", "--white", "you"]
    ran = playout(*words, stdin=said("undo", "quit"))
    assert f"{side} has no move and passes." in ran.out
    assert "There is no move of yours to take back." in ran.out


def _positions(start: po.Position, seed: int) -> list[po.Position]:
    """The positions of a random game without the last."""
    position, found = start.copy(), []
    for move in po.playout(start, seed=seed).moves:
        found.append(position.copy())
        position.push(move)
    return found


def test_a_whole_game_against_a_method() -> None:
    moves = said(*["a2a3", "resign"])
    ran = playout("play", "--size", "3", "--first-rows", "1", "--white", "flat@50", stdin=moves)
    assert "The game is over: " in ran.out
    assert ran.last_line.startswith("Again: playout play ")


# Saving and resuming


def test_save_and_resume(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    left = playout(*GAME, "--save", str(path), stdin=said("a2a3"))
    assert left.again == ["play", "--resume", str(path)]
    saved = json.loads(path.read_text())
    assert saved["moves"][0] == "a2a3"
    assert saved["players"] == {"white": "you", "black": "Best()@200"}
    resumed = playout(*left.again, stdin=said("undo", "b2b3", "resign"))
    assert "The game is over: white resigned" in resumed.out
    ended = json.loads(path.read_text())
    assert (ended["moves"][0], ended["resigned"]) == ("b2b3", "white")
    once_more = playout(*left.again)
    assert "The game is over: white resigned" in once_more.out
    assert list(tmp_path.iterdir()) == [path]


def test_a_resumed_game_goes_on_as_it_would_have(tmp_path: Path) -> None:
    whole = playout(*GAME, "--save", str(tmp_path / "a"), stdin=said("a2a3", "b2b3"))
    playout(*GAME, "--save", str(tmp_path / "b"), stdin=said("a2a3"))
    playout("play", "--resume", str(tmp_path / "b"), stdin=said("b2b3"))
    assert whole.code == 0
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


def test_save_while_playing(tmp_path: Path) -> None:
    """A long path is printed without line breaks, so that it can be copied."""
    folder = tmp_path / " ".join(["long"] * 20)
    folder.mkdir()
    path, other = folder / "my game.json", folder / "other.json"
    other.write_text("not yours")
    script = said("save", f"save {other}", f"save {folder}", f"save {path}", "a2a3")
    ran = playout(*GAME, stdin=script)
    assert "Where to? Type save and a file" in ran.out
    assert f"{other} exists: choose another name.\n" in ran.out
    assert f"{folder} cannot be written: " in ran.out
    assert f"Saved in {path}, and kept up to date there.\n" in ran.out
    assert f"The game is saved in {path}.\n" in ran.out
    assert ran.again == ["play", "--resume", str(path)]
    assert other.read_text() == "not yours"
    assert json.loads(path.read_text())["moves"][0] == "a2a3"


def test_the_old_record_stays_if_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    playout(*GAME, "--save", str(path), stdin=said("a2a3"))
    before = path.read_text()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(Path, "write_text", None)  # no other way of writing is used
    assert "No space left on device" in fault("play", "--resume", str(path), stdin=said("b2b3"))
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_becomes_full_loses_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    write, left = record.write, [3]

    def write_until_full(to: Path, game: Record) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Fault(f"{to} cannot be written: No space left on device")
        write(to, game)

    monkeypatch.setattr(record, "write", write_until_full)
    ran = playout(*GAME, "--save", str(path), stdin=said("a2a3", "b2b3"))
    assert ran.code == 0
    assert "No space left on device. The game is not kept in it any more." in ran.out
    assert len(json.loads(path.read_text())["moves"]) == 2
    assert len(ran.again[ran.again.index("--moves") + 1].split()) == 4


def test_files_that_cannot_be_saved_to(tmp_path: Path) -> None:
    there = tmp_path / "there.json"
    there.write_text("{}")
    for path, message in (
        (tmp_path / "no" / "game.json", "No such file or directory"),
        (tmp_path, "it is a folder"),
        (there, f"go on with it by --resume {there}, or choose another name"),
    ):
        assert message in fault(*GAME, "--save", str(path))
    assert there.read_text() == "{}"
    assert "it is a folder" in fault(*GAME, "--save", "")


def broken(**changes: Any) -> dict[str, Any]:
    """A record with other parts; without those that are None."""
    whole = Record(po.Breakthrough(5), ("you", "uct@9"), 1).to_dict()
    return {name: part for name, part in (whole | changes).items() if part is not None}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is broken at line 1, column 1"),
        ('{"kind": "playout game",', "is broken at line 1, column 25"),
        ("[]", 'it is no record of a game: "kind" is not "playout game"'),
        (broken(kind="letter"), "it is no record of a game"),
        (broken(version=2), "it is of version 2, and this playout reads up to 1: install a newer"),
        (broken(version="x"), "\"version\" is 'x', and not a number such as 1"),
        (broken(version=True), '"version" is True, and not a number such as 1'),
        (broken(version=10**900), "it is of version an int of about 901 digits, and"),
        ('{"seed": ' + "9" * 5000 + "}", "a number of 5000 digits is too long"),
        (broken(game="chess"), "\"game\" must be one of 'breakthrough', 'othello'"),
        (broken(start="bbb/www w"), "start: "),
        (broken(start=None), '"start" is missing'),
        (broken(moves="a2a3"), "\"moves\" must be a list, not 'a2a3'"),
        (broken(moves=["a2a3", "a1a2"]), "move 2: 'a1a2' is not legal here"),
        (broken(moves=[1]), "move 1: a move is given as text"),
        (broken(players={"white": "you"}), '"black" is missing'),
        (broken(players={"white": "you", "black": "uct@fast"}), "player black: 'uct@fast'"),
        (broken(players={"white": "you", "black": "uct"}), "player black: UCT() has no level"),
        (broken(seed=True), '"seed" must be a whole number, not True'),
        (broken(seed=-1), '"seed" is -1, and not 0 or more'),
        (broken(policy="wild"), "policy must be one of 'random', 'guided'"),
        (
            broken(players={"white": "you", "black": "AlphaBeta(evaluation=weights)"}),
            "evaluates Othello, not Breakthrough",
        ),
        (broken(resigned="red"), "\"resigned\" is 'red', and not white, black or null"),
    ],
)
def test_broken_records(text: str | dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    told = fault("play", "--resume", str(path))
    assert str(path) in told
    assert message in told


def test_records_that_cannot_be_read(tmp_path: Path) -> None:
    assert "there is no such file" in fault("play", "--resume", str(tmp_path / "none.json"))
    assert "cannot be read: it is a folder, not a file" in fault("play", "--resume", str(tmp_path))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert "cannot be resumed" in fault("play", "--resume", str(tmp_path / "binary"))


@pytest.mark.parametrize("seconds", [1e-5, 2.0, 0.1 + 0.2, 1234567.0, 1.5e300])
def test_levels_are_read_as_they_are_written(seconds: float) -> None:
    player = player_from("uct", Limit(seconds=seconds))
    assert player_from(str(player)) == player


@pytest.mark.parametrize("name", ["a" * 5000, "\ud800"])
def test_a_game_goes_on_after_a_name_that_no_file_can_have(name: str) -> None:
    shown = playout("play", "--size", "5", stdin=f"save {name}\na2a3\nquit\n")
    assert "cannot be written" in shown.out
    assert "black plays" in shown.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--playouts 0", "--playouts must be a whole number from 1"),
        ("--seconds 0", "--seconds must be a number above 0"),
        ("--white uct@0", "playouts must be a whole number from 1"),
        ("--white uct@0s", "seconds must be a number above 0"),
        ("--white uct@1.2.3s", "after @ comes a level, playouts (@10000)"),
        ("--white uct@.s", "after @ comes a level, playouts (@10000)"),
        ("--white uct@1__0", "after @ comes a level, playouts (@10000)"),
        ("--white uct@\u0663", "after @ comes a level, playouts (@10000)"),
        ("--white uct@" + "9" * 5000, "after @ comes a level, playouts (@10000)"),
        ("--white uct@fast", "after @ comes a level, playouts (@10000)"),
        ("--white you@5", "you needs no level"),
        ("--white utc", "did you mean 'uct'?"),
        (
            "-g othello --size 6 --black alphabeta --white flat",
            "there is no evaluation for Othello 6x6",
        ),
        ("-g othello --black alphabeta@100", "AlphaBeta() counts no playouts"),
        ("--policy wild", "--policy must be one of 'random', 'guided', 'mast', 'ppaf', not 'wild'"),
        ("--json", "--json is for two methods"),
        ("--size 2", "a Breakthrough board has 3 to 8 rows, not 2"),
        ("--resume x.json --white uct", "--resume takes all from the file: leave --white out"),
    ],
)
def test_faults(words: str, message: str) -> None:
    assert message in fault("play", *words.split())
