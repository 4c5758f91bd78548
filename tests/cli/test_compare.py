"""`playout compare`."""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

import pytest

import playout as po
from support.commands import fault, playout, timeless

ENDING = ".b..b/bbbbb/w..w./b.w../www.w w"
WORDS = ["compare", "--position", ENDING, "-n", "200", "--runs", "5"]


def test_json_is_what_the_library_finds() -> None:
    found = json.loads(playout(*WORDS, "--seed", "1", "--json").out)
    expected = po.compare(po.Breakthrough.from_fen(ENDING), playouts=200, runs=5, seed=1).to_dict()
    assert found.pop("command").endswith("--seed 1 --json")
    for both in (found, expected):
        both["seconds"] = 0
        for row in both["methods"]:
            row["seconds"] = 0
    assert found == json.loads(json.dumps(expected))


def test_tables() -> None:
    ran = playout(*WORDS, "--seed", "1")
    both = po.compare(po.Breakthrough.from_fen(ENDING), playouts=200, runs=5, seed=1)
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["method", "move", "chosen", "value", "error", "right", "regret", "time"] in lines
    for row in both.rows:
        cells = [row["method"], row["move"], f"{row['share']:.0%}", f"{row['value']:.3f}"]
        assert cells in [line[:4] for line in lines]
    assert ["playouts", "10", "20", "50", "100", "200"] in lines
    assert "Solved: best is b1a2." in ran.out
    assert timeless(playout(*ran.again).out) == timeless(ran.out)


def test_methods_with_settings() -> None:
    ran = playout("compare", "--size", "5", "-m", "UCT(c=0.7)", "-m", "uct", "-n", "20", "--json")
    assert [row["method"] for row in json.loads(ran.out)["methods"]] == ["UCT(c=0.7)", "UCT()"]


def test_a_position_too_large_to_be_solved() -> None:
    ran = playout("compare", "-n", "20", "--runs", "2", "--exact-nodes", "10")
    assert "Which move is best is not known" in ran.out
    assert "right" not in ran.out


def test_all_moves_alike() -> None:
    assert "all moves are worth the same" in playout("compare", "--size", "4", "-n", "20").out


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_plot(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"curves.{kind}"
    ran = playout(*WORDS, "-m", "uct", "-m", "flat", "--plot", str(path))
    assert ran.code == 0, ran.err
    assert f"The curves are in {path}." in ran.out.replace("\n", "")
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(begins[kind])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no/such/folder.png", "there is no folder"),
        ("folder.png", "folder.png is a folder; give the name of a file"),
        ("curves.xyz", "'curves.xyz' does not end in .png, .svg or .pdf"),
        ("curves", "'curves' does not end in .png, .svg or .pdf"),
    ],
)
def test_a_picture_that_cannot_be_is_refused_before_the_search(
    name: str, message: str, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "folder.png").mkdir()
    with mock.patch("playout.cli.compare.compare", side_effect=AssertionError("it was searched")):
        assert message in fault(*WORDS, "--plot", str(tmp_path / name))


def test_plot_without_matplotlib() -> None:
    with mock.patch.dict("sys.modules", {"matplotlib": None}):
        told = fault(*WORDS, "--plot", "curves.png")
    assert told == '--plot needs matplotlib: pip install "playout[plot]"'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-n 0", "--playouts must be a whole number from 1"),
        ("--runs 0", "--runs must be a whole number from 1"),
        ("--exact-nodes -1", "--exact-nodes must be a whole number from 0"),
        ("-m uct -m utc", "there is no method 'utc'; did you mean 'uct'?"),
        ("-m uct -m uct", "UCT() is there twice"),
        ("-m alphabeta -g othello --size 6", "there is no evaluation for Othello 6x6"),
        ("--policy wild", "--policy must be one of 'random', 'guided', 'mast', 'ppaf', not 'wild'"),
        ("--size 2", "a Breakthrough board has 3 to 8 rows, not 2"),
        ("--moves a1a2", "'a1a2' is not legal here"),
    ],
)
def test_faults(words: str, message: str) -> None:
    assert message in fault("compare", *words.split())


def test_ctrl_c() -> None:
    with mock.patch("playout.cli.compare.compare", side_effect=KeyboardInterrupt):
        assert playout(*WORDS).code == 130
