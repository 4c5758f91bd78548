"""`playout match` and `playout tournament`."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from playout.record import Record
from support.commands import fault, playout, timeless

PLAYERS = ["uct@20", "flat@20"]
SMALL = ["--size", "4", "--games", "10", "--seed", "1"]


def test_a_match_and_the_line_that_repeats_it() -> None:
    ran = playout("match", *PLAYERS, *SMALL)
    assert ran.code == 0
    assert ran.out.startswith("UCT()@20 - Flat()@20: Breakthrough 4x4, seed 1\nscore ")
    again = playout(*ran.again)
    assert timeless(again.out) == timeless(ran.out)


def test_json() -> None:
    found = json.loads(playout("match", *PLAYERS, *SMALL, "--json").out)
    assert (found["games"], found["players"]) == (10, ["UCT()@20", "Flat()@20"])


def test_a_record_is_reported_and_gone_on_with(tmp_path: Path) -> None:
    path = str(tmp_path / "run.db")
    ran = playout("match", *PLAYERS, *SMALL, "--record", path, "--sprt", "0,10")
    assert ran.again == ["match", "--report", path]
    report = playout(*ran.again)
    assert timeless(report.out) == timeless(ran.out.rsplit("Report:", 1)[0])
    assert timeless(playout("match", "--resume", path).out) == timeless(ran.out)


def test_the_same_line_goes_on_with_its_record(tmp_path: Path) -> None:
    words = ["match", *PLAYERS, "--size", "4", "--games", "4", "--record", str(tmp_path / "run.db")]
    assert timeless(playout(*words).out) == timeless(playout(*words).out)


def test_what_is_written(tmp_path: Path) -> None:
    page, folder = tmp_path / "pages" / "match.html", tmp_path / "games"
    playout("match", *PLAYERS, *SMALL, "--html", str(page), "--export", str(folder))
    assert page.read_text().startswith("<!DOCTYPE html>")
    files = sorted(folder.iterdir())
    assert len(files) == 10
    record = Record.from_dict(json.loads(files[0].read_text()))
    assert record.position.is_over
    assert playout("play", "--resume", str(files[0])).out.count("The game is over") == 1


def test_players_without_a_level_get_one() -> None:
    ran = playout("match", "uct", "flat@5", *SMALL, "--playouts", "7")
    assert ran.out.startswith("UCT()@7 - Flat()@5")
    assert playout("match", "uct", "flat@5", *SMALL).out.startswith("UCT()@1000 - Flat()@5")


def test_a_clock() -> None:
    ran = playout("match", "uct", "flat", *SMALL, "--clock", "0.05+0.001")
    assert ran.out.startswith("UCT()@0.05+0.001s - Flat()@0.05+0.001s")


def test_a_tournament() -> None:
    ran = playout("tournament", "flat@5", "ucb@5", "uct@50", *SMALL, "--schedule", "gauntlet")
    assert ran.code == 0
    assert "Breakthrough 4x4, seed 1: 20 games" in ran.out
    assert len(re.findall(r"^[123]  \w+\(\)@", ran.out, re.MULTILINE)) == 3
    assert ran.again[:4] == ["tournament", "flat@5", "ucb@5", "uct@50"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("match uct@5", "a match has two players, such as rave@1000 uct@1000, not 1"),
        ("match uct@5 flat@5 --games 3", "--games must be even"),
        ("match uct@5 flat@5 --sprt 5", "--sprt is two differences in Elo"),
        ("match uct@5 flat@5 --sprt 9,1", "elo0=9 must be less than elo1=1"),
        ("match uct@5 you", "you cannot play in a match"),
        ("match uct@5 uct@fast", "after @ comes a level"),
        ("match uct flat --clock 60", "--clock is seconds of a game, + and seconds of a move"),
        ("match uct flat --openings none.txt", "none.txt cannot be read"),
        ("match uct flat --openings a.txt --balance 0.1", "--balance is for random openings"),
        ("match uct@5 flat@5 --dask tcp://localhost:1 --workers 2", "choose one"),
        ("match --resume none.db", "none.db: there is no such record"),
        ("match uct@5 --report none.db", "--report takes the players from the file"),
        ("match --resume a.db --report b.db", "give one of them"),
        ("match --resume a.db --seed 1", "--resume takes all from the file: leave --seed out"),
        ("tournament uct@5", "a tournament has two players or more"),
    ],
)
def test_faults(words: str, message: str) -> None:
    assert message in fault(*words.split())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_ctrl_c_reports_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", "from playout.cli import main; import signal, sys\n"
              "signal.signal(signal.SIGINT, signal.default_int_handler); sys.exit(main())"),
            *("match", "uct@50", "flat@50", "--size", "4", "--games", "1000000"),
            *("--seed", "1", "--record", str(path)),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    while not path.exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode in (0, 130)
    if process.returncode == 0:
        assert f"Go on with: playout match --resume {path}" in out
