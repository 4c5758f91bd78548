"""`playout match` and `playout tournament`."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
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
    found = json.loads(files[0].read_text())
    record = Record.from_dict(found)
    assert record.position.is_over
    assert found["match"]["result"] == record.position.result
    assert found["match"]["reason"] == "the rules"
    opening, plies = found["match"]["opening_plies"], len(record.position.history)
    assert record.seconds[:opening] == (None,) * opening
    assert None not in record.seconds[opening:]
    assert len(record.seconds) == len(record.expected) == plies
    assert playout("play", "--resume", str(files[0])).out.count("The game is over") == 1


def test_games_in_one_file(tmp_path: Path) -> None:
    """The same games as in a folder of JSON; a file without a folder that it can be in is named."""
    file, folder = tmp_path / "games.pgn", tmp_path / "games"
    playout("match", *PLAYERS, *SMALL, "--record", str(tmp_path / "run.db"))
    report = ["match", "--report", str(tmp_path / "run.db"), "--export"]
    playout(*report, str(file))
    playout(*report, str(folder))
    games = Record.all_from_pgn(file.read_text())
    told = [json.loads(path.read_text()) for path in sorted(folder.iterdir())]
    assert [game.to_dict() for game in games] == [Record.from_dict(one).to_dict() for one in told]
    assert len(games) == 10


def test_workers_export_the_same_games_in_the_same_order(tmp_path: Path) -> None:
    files = [tmp_path / "one.pgn", tmp_path / "two.pgn"]
    for file, workers in zip(files, "12", strict=True):
        playout("match", *PLAYERS, *SMALL, "--workers", workers, "--export", str(file))
    one, two = (re.sub(r"\[%emt\s[^]]*\]\s*", "", file.read_text()).split() for file in files)
    assert one == two


def test_a_page_that_cannot_be_written_loses_no_report(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = playout("match", *PLAYERS, *SMALL, "--html", str(tmp_path / "file" / "page.html"))
    assert ran.code == 2
    assert "of 10 games" in ran.out
    assert "page.html cannot be written" in ran.err


def test_players_without_a_level_get_one() -> None:
    ran = playout("match", "uct", "flat@5", *SMALL, "--playouts", "7")
    assert ran.out.startswith("UCT()@7 - Flat()@5")
    assert playout("match", "uct", "flat@5", *SMALL).out.startswith("UCT()@1000 - Flat()@5")


def test_a_clock() -> None:
    ran = playout("match", "uct", "flat", *SMALL, "--clock", "0.05+0.001")
    assert ran.out.startswith("UCT()@0.05+0.001s - Flat()@0.05+0.001s")


@pytest.mark.parametrize("clock", ["0.05", " .05s", "0.05+0"])
def test_a_clock_without_an_increment(clock: str) -> None:
    ran = playout("match", "uct", "flat", *SMALL, "--clock", clock)
    assert ran.out.startswith("UCT()@0.05+0s - Flat()@0.05+0s")


def test_more_threads_than_cores_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    ran = playout("match", "uct@20 threads=2", "flat@20", *SMALL)
    assert ran.err == (
        "playout: 1 worker with 2 threads need 2 cores, and this machine has 1: with limits in "
        "seconds all players think less\n"
    )
    assert "of 10 games" in ran.out


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
        ("match uct flat --clock soon", "--clock is seconds of a game, and what each move adds"),
        ("match uct flat --clock 60+", "--clock is seconds of a game, and what each move adds"),
        ("match uct flat --openings none.txt", "none.txt cannot be read"),
        ("match uct flat --openings a.txt --balance 0.1", "--balance is for random openings"),
        ("match uct@5 flat@5 --dask tcp://localhost:1 --workers 2", "choose one"),
        ("match --resume none.db", "none.db: there is no such record"),
        ("match uct@5 --report none.db", "--report takes the players from the file"),
        ("match --resume a.db --report b.db", "give one of them"),
        ("match --resume a.db --seed 1", "--resume takes all from the file: leave --seed out"),
        ("match uct@5 flat@5 --workers 257", "Invalid value for '--workers'"),
        ("tournament uct@5", "a tournament has two players or more"),
    ],
)
def test_faults(words: str, message: str) -> None:
    assert message in fault(*words.split())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
@pytest.mark.parametrize("json_", [[], ["--json"]], ids=["text", "json"])
def test_ctrl_c_reports_and_says_how_to_go_on(json_: list[str], tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", "from playout.cli import main; import signal, sys\n"
              "signal.signal(signal.SIGINT, signal.default_int_handler); sys.exit(main())"),
            *("match", "uct@50", "flat@50", "--size", "4", "--games", "1000000"),
            *("--seed", "1", "--record", str(path), *json_),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    while games_in(path) < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    line = f"Go on with: playout match --resume {path}\n"
    if json_:
        assert json.loads(out)["games"] >= 2
        assert err == f"{line}\nplayout: interrupted\n"
    else:
        assert "UCT()@50 - Flat()@50: Breakthrough 4x4, seed 1\n" in out
        assert out.endswith(line)
        assert err == "\nplayout: interrupted\n"


def games_in(path: Path) -> int:
    """The number of games in a record."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as base:
        try:
            (n,) = base.execute("SELECT count(*) FROM games").fetchone()
        except sqlite3.OperationalError:  # the table is not made yet
            return 0
    return int(n)
