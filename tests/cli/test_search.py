"""`playout search`."""

from __future__ import annotations

import json
import shlex

import pytest

import playout as po
from support.commands import fault, playout, timeless
from support.searching import BY_PLAYOUTS

SMALL = ["search", "--size", "5"]


@pytest.mark.parametrize("method", BY_PLAYOUTS)
def test_json_is_what_the_library_finds(method: str) -> None:
    ran = playout(*SMALL, "-m", method, "-n", "500", "--seed", "3", "--json")
    found = json.loads(ran.out)
    expected = po.search(po.Breakthrough(5), method, playouts=500, seed=3).to_dict()
    command = found.pop("command")
    assert found | {"seconds": 0} == json.loads(json.dumps(expected | {"seconds": 0}))
    assert shlex.split(command) == [
        *("playout", *SMALL, "--method", method, "--playouts", "500", "--seed", "3", "--json")
    ]


def test_the_table() -> None:
    ran = playout(*SMALL, "--method", "rave", "-n", "1000", "--seed", "1")
    expected = po.search(po.Breakthrough(5), "rave", playouts=1000, seed=1)
    lines = ran.out.splitlines()
    assert lines[:6] == str(expected.position).splitlines()
    assert lines[7] == (
        "move  visits          share   mean  stderr  score  AMAF visits  AMAF mean   beta"
    )
    assert [line.split()[0] for line in lines[8:21]] == expected.moves["move"].tolist()
    assert f"Best: {expected.move}, worth {expected.value:.3f} to white" in lines
    assert "1,000 playouts of RAVE()" in ran.out
    assert all(len(line) <= 80 for line in lines[:-1])


@pytest.mark.parametrize("words", [["-n", "300"], ["-s", "0.05"], ["--until-sure", "0.05"], []])
def test_the_last_line_repeats_the_run(words: list[str]) -> None:
    """With the drawn seed; if the clock ended the search, with the number of playouts."""
    first = playout(*SMALL, *words)
    assert "--seed" in first.again
    assert "--seconds" not in first.again
    second = playout(*first.again)
    ends = ("(ended: seconds)", "(ended: playouts)")
    texts = [timeless(ran.out).replace("\n", " ") for ran in (first, second)]
    assert texts[0].replace(ends[0], ends[1]) == texts[1]


def test_a_position_from_a_pipe_is_in_the_last_line() -> None:
    fen = ".b..b/bbbbb/w..w./b.w../www.w w"
    ran = playout("search", "--position", "-", "-n", "50", stdin=fen)
    assert ran.again[:3] == ["search", "--position", fen]


def test_solver() -> None:
    ran = playout(
        *("search", "--position", ".b..b/bbbbb/w..w./b.w../www.w w", "--solver", "--seed", "1")
    )
    assert "Best: b1a2, worth 1.000 to white, proven" in ran.out
    assert "the result is proven" in " ".join(ran.out.split())  # a long time breaks the line
    assert "--solver" in ran.again


def test_several_threads_are_said_not_to_repeat() -> None:
    ran = playout(*SMALL, "--threads", "2", "-n", "1000")
    assert ran.last_line.startswith("Again (several threads on one tree: about the same): playout")


def test_a_full_memory_repeats() -> None:
    ran = playout(*SMALL, "--memory", "100kB", "-n", "5000")
    assert ran.last_line.startswith("Again: playout")
    assert timeless(playout(*ran.again).out) == timeless(ran.out)


def test_other_settings_reach_the_search() -> None:
    words = ["--policy", "guided", "--memory", "1MB", "-n", "500", "--seed", "1", "--json"]
    found = json.loads(playout(*SMALL, *words).out)
    expected = po.search(
        po.Breakthrough(5), playouts=500, seed=1, policy="guided", memory="1MB"
    ).to_dict()
    assert found["moves"] == expected["moves"]


def test_alpha_beta() -> None:
    method = "AlphaBeta(depth=4, evaluation=weights, multi_pv=2)"
    ran = playout("search", "-g", "othello", "-m", method)
    expected = po.search(po.Othello(), po.AlphaBeta(4, "weights", multi_pv=2))
    exact = expected.moves["exact"].tolist()
    assert f"Best: {expected.move}, worth {expected.value:+g} points to black" in ran.out
    assert "(ended: depth)" in ran.out
    lines = ran.out.split("\n\n")[1].splitlines()[: 1 + len(exact)]
    assert lines[0].split() == ["move", "value", "exact", "nodes", "line"]
    assert [line.split()[2] for line in lines[1:]] == ["yes" if e else "no" for e in exact]
    limited = playout("search", "-g", "othello", "-m", "alphabeta", "--nodes", "5000", "--json")
    assert json.loads(limited.out)["reason"] == "nodes"
    clock = playout("search", "-g", "othello", "-m", "alphabeta", "--seconds", "0.05")
    assert clock.last_line == (
        "Again (the clock ended it: about the same): "
        "playout search --game othello --method alphabeta --seconds 0.05"
    )


def test_a_long_table_tells_how_much_is_missing() -> None:
    assert "... and 2 more moves (--json lists them)" in playout("search", "-n", "100").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-n 0", "--playouts must be a whole number from 1 to 2147483647, not 0"),
        ("-s 0", "--seconds must be a number above 0, not 0"),
        ("-s nan", "--seconds must be a number above 0, not nan"),
        ("--until-sure 0", "--until-sure must be a number above 0"),
        ("--threads 0", "--threads must be a whole number from 1"),
        ("--memory plenty", "--memory must be bytes, 65536 or more, or a text like '512MB'"),
        (
            "--policy guidde",
            "--policy must be one of 'random', 'guided', 'mast', 'ppaf', not 'guidde'; did you",
        ),
        ("--solver -m ucb", "--solver needs a tree, and UCB() grows none: use UCT, RAVE or GRAVE"),
        ("--nodes 100", "--nodes limits alpha-beta; for UCT() use --playouts or --seconds"),
        ("-m alphabeta -g othello --size 6", "there is no evaluation for Othello 6x6"),
        ("-g othello -m alphabeta -n 100", "so --playouts has no meaning for it"),
        ("-g othello -m AlphaBeta(evaluation=weights) --threads 2", "leave threads out"),
        ("-g othello -m alphabeta --solver", "so --solver has no meaning for it"),
    ],
)
def test_faults(words: str, message: str) -> None:
    assert message in fault("search", *words.split())
