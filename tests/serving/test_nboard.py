"""`playout nboard` over its pipes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import perf_counter

import pytest

import playout as po
from playout.formats import read_moves, write_ggf
from support.engine_process import EngineProcess, answers, engine

SEARCH = re.compile(r"search (([A-H][1-8]|PA)+) [+-]\d+\.\d\d 0 (\d+|100%W?)")
MOVE = re.compile(r"=== ([A-H][1-8]|PA)/[+-]\d+\.\d\d/\d+\.\d\d")


def test_session() -> None:
    """A game by `set game`, hints, moves and pings, in order."""
    game = write_ggf(read_moves("f5d6"))
    with engine("nboard") as nboard:
        nboard.send("nboard 2")
        assert nboard.line() == "set myname playout"
        nboard.send("set depth 6", "set contempt 0", f"set game {game}", "ping 1")
        assert nboard.until("pong")[-1] == "pong 1"
        nboard.send("hint 3")
        lines = nboard.until("nodestats")
        assert lines[0] == "status thinking"
        assert all(SEARCH.fullmatch(line) for line in lines[1:-1])
        assert [line.split()[4] for line in lines[-4:-1]] == ["6", "6", "6"]
        nboard.send("go")
        move = nboard.until("===")[-1]
        assert MOVE.fullmatch(move)
        nboard.send(f"move {move.removeprefix('=== ')}", "ping 2")
        assert nboard.until("pong")[-1] == "pong 2"
        nboard.send("learn")
        assert nboard.line() == "learned"


def test_whole_game() -> None:
    """It plays both sides; `go` does not play the move, `move` does."""
    position = po.Othello()
    with engine("nboard", "rave@200 solver") as nboard:
        nboard.send("set depth 20")
        while not position.is_over:
            move = nboard.ask("go", "===").removeprefix("=== ")
            text = move.split("/")[0].lower()
            position.push("pass" if text == "pa" else text)
            nboard.send(f"move {move}")
        assert nboard.ask("go", "status error") == "status error: the game is over"


def test_ping_ends_a_hint() -> None:
    """The hint is finished before the answer, and nothing follows it."""
    with engine("nboard", "AlphaBeta") as nboard:
        nboard.send("set depth 60", "hint 1")
        nboard.until("search")
        nboard.send("ping 7")
        *_, stats, status, pong = nboard.until("pong")
        assert (stats.split()[0], status, pong) == ("nodestats", "status", "pong 7")
        assert nboard.is_silent(0.2)


def test_piped_go_is_answered() -> None:
    lines = answers("nboard", script="set depth 8\ngo\nping 1\nquit\n")
    assert [line.split()[0] for line in lines] == ["status", "===", "nodestats", "status", "pong"]


@pytest.mark.parametrize("method", ["AlphaBeta(evaluation=weights)", "AlphaBeta"])
def test_the_end_of_a_game(method: str) -> None:
    """By hand, the value is the disc difference of best play; else it is certain who wins."""
    position = po.Othello.from_fen(
        "XXXXXXXXXOOOOOOXXOXOOXOXXOOXXOOXXOOXXOOXXOXOOXOXXOOOOO-XXXXXXX-- O"
    )
    score = po.solve(position).score
    squares, side = position.fen.split()
    board = f"8 {squares.replace('X', '*')} {side.replace('X', '*')}"
    lines = answers(
        "nboard",
        method,
        script=f"set game (;GM[Othello]TY[8]BO[{board}];)\nset depth 10\nhint 1\n",
    )
    last = [line for line in lines if line.startswith("search")][-1]
    value, depth = float(last.split()[2]), last.split()[4]
    if method == "AlphaBeta":
        assert (value > 0, value < 0, depth) == (score > 0, score < 0, "100%W")
    else:
        assert (value, depth) == (score, "100%")


@pytest.mark.serial
def test_clock() -> None:
    """A twentieth of what TI leaves after the times of the player's moves."""
    game = "(;GM[Othello]TI[0:10]TY[8]B[F5/0/6]W[D6/0/1];)"
    with engine("nboard", "AlphaBeta") as nboard:
        nboard.send("set depth 60", f"set game {game}")
        began = perf_counter()
        assert nboard.ask("go", "===")
        assert 0.19 < perf_counter() - began < 2  # 4 s are left: 0.2 s


@pytest.fixture(scope="module")
def nboard() -> Iterator[EngineProcess]:
    """An engine that answers all wrong lines, one after the other."""
    with engine("nboard") as process:
        yield process


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("set game nonsense", "begins with '(;'"),
        ("set depth deep", "set depth needs a whole number"),
        ("move A1", "'a1' is not legal here"),
        ("hint many", "hint needs a whole number"),
        ("analyze", "analyze is not supported"),
    ],
)
def test_faults(nboard: EngineProcess, line: str, fault: str) -> None:
    nboard.send("set game (;GM[Othello]TY[8];)", line, "ping 1")
    first, second = nboard.line(), nboard.line()
    assert first.startswith("status error: ")
    assert fault in first
    assert second == "pong 1"


def test_unknown_lines_are_ignored() -> None:
    assert answers("nboard", script="\nset colour 1\nfly away\nping 5\n") == ["pong 5"]


def test_no_move_in_a_wrong_position() -> None:
    lines = answers(
        "nboard", script="move A1\ngo\nset game (;GM[Othello]TY[8];)\nset depth 1\ngo\n"
    )
    assert [line.split()[1] for line in lines[:2]] == ["error:", "error:"]
    assert MOVE.fullmatch(lines[3])
