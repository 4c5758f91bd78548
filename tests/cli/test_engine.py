"""`playout engine`, and engines in `playout match`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from support.commands import fault, playout

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be polled")

STRANGER = Path(__file__).parents[1] / "engines" / "strangers" / "breakthrough_uci.py"
ENGINE = shlex.quote(f"uci:{shlex.join([sys.executable, '-E', '-S', str(STRANGER)])}@5s")


def test_a_good_engine() -> None:
    ran = playout("engine", ENGINE, "--size", "5")
    assert ran.code == 0
    assert all(line.startswith("ok ") for line in ran.out.splitlines())


def test_a_bad_one_ends_with_1() -> None:
    ran = playout("engine", f"{ENGINE} Hash=100")
    assert ran.code == 1
    assert "FAULT  start and handshake" in ran.out
    assert "Hash must be a whole number from 1 to 64, not '100'" in ran.out


def test_what_is_no_engine() -> None:
    assert "an engine is written like uci:fairy-stockfish@0.1s" in fault("engine", "rave@100")


def test_a_match_with_a_record(tmp_path: Path) -> None:
    path = str(tmp_path / "run.db")
    small = ["--size", "5", "--games", "4", "--seed", "1"]
    ran = playout("match", f"{ENGINE} Hash=2", "uct@5", *small, "--record", path)
    assert ran.code == 0
    assert "the rules 4;" in ran.out
    assert "the rules 4;" in playout("match", "--report", path).out
    assert playout("match", "--resume", path).code == 0


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("uci:no-such-program@1s", "there is no program 'no-such-program'"),
        ("uci:no-such-program", "has no limit"),
        ("uci:x@100", "an engine counts no playouts"),
        ("gtp:x depth=3", "GTP has no word for"),
    ],
)
def test_faults(engine: str, said: str) -> None:
    assert said in fault("match", engine, "uct@5", "--games", "2")


def test_play_is_without_engines() -> None:
    assert "engines and files play in `playout match`" in fault("play", "--white", "uci:x@1s")
