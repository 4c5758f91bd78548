"""`playout perft` and `playout solve`."""

from __future__ import annotations

import json
import re
from unittest import mock

import pytest
from rich.status import Status

import playout as po
from support.commands import fault, playout, timeless

# perft


@pytest.mark.traced_slowly
def test_perft_of_othello() -> None:
    ran = playout("perft", "6", "--game", "othello")
    counts = [line.split()[:2] for line in ran.out.splitlines() if line[:5].strip().isdigit()]
    published = [("1", "4"), ("2", "12"), ("3", "56"), ("4", "244"), ("5", "1,396"), ("6", "8,200")]
    assert [tuple(count) for count in counts[-6:]] == published
    assert timeless(playout(*ran.again).out) == timeless(ran.out)


@pytest.mark.traced_slowly
def test_perft_divided() -> None:
    ran = playout("perft", "3", "--size", "5", "--divide", "--json")
    found = json.loads(ran.out)
    assert found["counts"] == [13, 156, 1924]
    assert found["leaves"] == sum(found["divide"].values()) == 1924
    assert list(found["divide"]) == list(po.Breakthrough(5).legal_moves)
    text = playout("perft", "3", "--size", "5", "--divide").out
    assert "of the 1,924 at depth 3, by first move:" in text
    for move, leaves in found["divide"].items():
        assert f"{move} {leaves}" in timeless(text)


def test_perft_of_no_moves() -> None:
    found = json.loads(playout("perft", "0", "--divide", "--json").out)
    assert (found["leaves"], found["counts"]) == (1, [1])
    over = playout("perft", "2", "--position", "..w/.b./... b", "--json")
    assert json.loads(over.out)["counts"] == [0, 0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-1", "No such option"),
        ("101", "101 is not in the range"),
        ("many", "'many' is not a valid integer"),
        (
            "3 --game chess",
            "--game must be one of 'breakthrough', 'othello', 'connect-four', not 'chess'",
        ),
        ("3 --size 2", "a Breakthrough board has 3 to 8 rows, not 2"),
        ("3 --moves a1a2", "'a1a2' is not legal here"),
    ],
)
def test_perft_faults(words: str, message: str) -> None:
    assert message in fault("perft", *words.split())


# solve


def test_solve_othello() -> None:
    ran = playout("solve", "--game", "othello", "--size", "4")
    expected = po.solve(po.Othello(4))
    assert f"With best play black loses by 10 discs. Best: {expected.move}" in ran.out
    assert f"Best play: {' '.join(expected.pv)}" in ran.out
    assert timeless(playout(*ran.again).out) == timeless(ran.out)
    outcome = playout("solve", "--game", "othello", "--size", "4", "--outcome-only")
    assert "With best play black loses. Best: " in outcome.out


def test_solve_breakthrough() -> None:
    ran = playout("solve", "--position", ".b..b/bbbbb/w..w./b.w../www.w w", "--json")
    found = json.loads(ran.out)
    assert (found["move"], found["value"], found["reason"]) == ("b1a2", 1.0, "solved")
    assert found["game"] == "breakthrough"
    assert found["command"].startswith("playout solve --position ")


def test_every_move() -> None:
    ran = playout("solve", "--game", "othello", "--size", "4", "--multi")
    assert "Best: b1 a2 d3 c4" in ran.out
    assert "Each move: b1 -10, a2 -10, d3 -10, c4 -10" in ran.out
    ending = ["--position", "bb./b../.ww/ww. w", "--multi"]
    words = playout("solve", *ending).out
    assert "Each move: b1a2 wins, " in words
    assert "a1a2 loses" in words
    found = json.loads(playout("solve", *ending, "--json").out)
    assert found["moves"] == po.solve(po.Breakthrough.from_fen(ending[1]), multi=True).scores
    assert ran.again[-1] == "--multi"


def test_every_move_until_a_limit() -> None:
    position = po.random_positions(po.Othello(), 1, plies=46, seed=1)[0]
    whole, alone = po.solve(position, multi=True), po.solve(position)
    nodes = str((whole.nodes + alone.nodes) // 2)
    out = playout("solve", "--position", position.fen, "--multi", "--nodes", nodes).out
    assert f" of {len(position.legal_moves)}): {whole.move} " in out
    assert "Each move (the limit is met: " in out


def test_a_draw() -> None:
    """Black takes the last square and both have the same number of discs."""
    start = po.Othello(4)
    position = next(
        found
        for seed in range(1000)
        for found in _endings(start, seed)
        if po.solve(found).value == 0.5
    )
    assert "With best play it is a draw." in playout("solve", "--position", position.fen).out


def _endings(start: po.Position, seed: int) -> list[po.Position]:
    position, found = start.copy(), []
    for move in po.playout(start, seed=seed).moves:
        found.append(position.copy())
        position.push(move)
    return found[-3:]


@pytest.mark.parametrize("limit", [["--nodes", "100"], ["--seconds", "0.02"]])
def test_a_limit_that_is_met(limit: list[str]) -> None:
    ran = playout("solve", *limit)
    assert ran.code == 0
    assert "Not solved: " in ran.out
    assert json.loads(playout("solve", *limit, "--json").out)["value"] is None


def test_progress_tells_the_time_left() -> None:
    with (
        mock.patch("playout.cli.solve.is_terminal", return_value=True),
        mock.patch.object(Status, "update") as update,
    ):
        playout("solve", "--seconds", "0.5")
    texts = [call.args[0] for call in update.call_args_list]
    assert texts
    assert all(
        re.match(r"[\d,]+ nodes in \d+ ms, [\d.]+ (ms|us|s) left; solving", t) for t in texts
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--nodes 0", "--nodes must be a whole number from 1"),
        ("--seconds -1", "--seconds must be a number above 0"),
        ("--memory x", "--memory must be bytes"),
        ("--memory 900TB", "--memory 900,000,000,000,000 is more than this machine has"),
        ("--threads 0", "--threads must be a whole number from 1"),
        ("--position ..w/.b./... --size 3", "leave --size out"),
        ("-g othelo", "did you mean 'othello'?"),
        ("--moves a1a2", "'a1a2' is not legal here"),
        ("--size 2", "a Breakthrough board has 3 to 8 rows, not 2"),
    ],
)
def test_solve_faults(words: str, message: str) -> None:
    assert message in fault("solve", *words.split())


def test_threads() -> None:
    ran = playout("solve", "--size", "4", "--threads", "2")
    assert "With best play white loses." in ran.out
    assert "Again: playout solve --size 4 --threads 2" in ran.out


def test_a_finished_game_is_not_solved() -> None:
    assert "this game is over" in fault("solve", "--position", "..w/.b./... b")
