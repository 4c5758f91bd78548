"""Programs of others as players: those that do well, and those that do all they should not."""

from __future__ import annotations

import os
import pickle
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import playout as po
from playout.arena.game import FAILED, ILLEGAL, OVER, TIME
from playout.arena.match import contest_of, recorded
from playout.arena.players import player_again, player_from
from playout.engines.pool import POOL
from playout.engines.process import Child, EngineFault
from playout.engines.text import engine_from
from playout.engines.uci import Option

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be polled")

STRANGERS = Path(__file__).parent / "strangers"
SEED = np.random.SeedSequence(1)


def stranger(protocol: str, *faults: str, **settings: Any) -> po.Engine:
    """An engine of the folder `strangers`, with a fault."""
    game = "breakthrough" if protocol == "uci" else "othello"
    script = str(STRANGERS / f"{game}_{protocol}.py")
    if protocol != "gtp":
        settings.setdefault("depth", 1)
    return po.Engine(
        sys.executable,
        protocol=protocol,
        arguments=("-E", "-S", script, *faults),
        **{"patience": 20, "margin": 0.3, "label": "stranger"} | settings,
    )


def game_for(protocol: str) -> po.Position:
    return po.Breakthrough() if protocol == "uci" else po.Othello()


@pytest.fixture(autouse=True)
def _none_is_left() -> Iterator[None]:
    yield
    POOL.close()


def first(position: po.Position) -> str:
    """A player of ours."""
    return position.legal_moves[0]


def reason_of(engine: po.Engine, game: po.Position | None = None) -> tuple[str, str]:
    """How the stranger's first game ends, if not by the rules."""
    start = game or game_for(engine.protocol)
    match = po.match(engine, first, game=start, games=2, openings=0, seed=1)
    for row in match.rows:
        if row.played.reason != OVER:
            assert row.score == 0
            return row.played.reason, row.played.fault
    return OVER, ""


@pytest.mark.parametrize("protocol", ["uci", "gtp", "nboard"])
def test_a_stranger_plays_whole_games(protocol: str) -> None:
    """Its own rules agree with ours on every move, so no game ends but by the rules."""
    match = po.match(stranger(protocol), "flat@20", game=game_for(protocol), games=20, seed=1)
    assert {row.played.reason for row in match.rows} == {OVER}


@pytest.mark.parametrize("protocol", ["uci", "gtp", "nboard"])
def test_a_stranger_that_writes_garbage_plays_on(protocol: str) -> None:
    match = po.match(
        stranger(protocol, "garbage"), "flat@10", game=game_for(protocol), games=4, seed=2
    )
    assert {row.played.reason for row in match.rows} == {OVER}


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_games_with_forced_passes(protocol: str) -> None:
    """Most random games of Othello have some; the engine is not asked for them."""
    match = po.match(stranger(protocol), first, game=po.Othello(), games=20, openings=8, seed=3)
    assert any("pass" in row.played.moves for row in match.rows)
    assert {row.played.reason for row in match.rows} == {OVER}


def test_boards_that_the_engine_is_not_told_of() -> None:
    """`startpos` would mean its own board."""
    match = po.match(stranger("uci"), "flat@20", game=po.Breakthrough(5, 6), games=4, seed=1)
    assert {row.played.reason for row in match.rows} == {OVER}


def test_positions_that_are_no_start() -> None:
    start = po.Breakthrough.from_fen("......./.b.b.b./......./......./.w.w.w./....... b")
    match = po.match(stranger("uci"), "flat@20", game=start, games=4, openings=1, seed=1)
    assert {row.played.reason for row in match.rows} == {OVER}


@pytest.mark.parametrize("protocol", ["uci", "gtp", "nboard"])
def test_a_late_stranger_loses_on_time(protocol: str) -> None:
    """Whatever time it claims to have taken."""
    began = time.monotonic()
    reason, words = reason_of(stranger(protocol, "late", seconds=0.05))
    assert reason == TIME
    assert "stranger gave no answer in time" in words
    assert time.monotonic() - began < 15  # it would have slept for 30


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("flood", TIME),
        ("complaints", TIME),
        ("dribble", TIME),
        ("endless", FAILED),
        ("mute", ILLEGAL),
    ],
)
def test_output_without_an_end_or_a_move(fault: str, expected: str) -> None:
    began = time.monotonic()
    reason, words = reason_of(stranger("uci", fault, seconds=0.05))
    assert reason == expected
    assert "stranger" in words
    assert time.monotonic() - began < 15


def test_a_second_answer_is_not_taken_for_that_to_the_next_question() -> None:
    assert reason_of(stranger("uci", "twice")) == (OVER, "")


@pytest.mark.parametrize(
    ("protocol", "fault", "said"),
    [
        ("uci", "illegal", "'a1h8' is no legal move in bbbb"),
        ("uci", "null", "'(none)' is no legal move"),
        ("gtp", "resigns", "'resign' is no legal move"),
        ("nboard", "illegal", "'a1' is no legal move"),
    ],
)
def test_an_illegal_move_loses(protocol: str, fault: str, said: str) -> None:
    reason, words = reason_of(stranger(protocol, fault))
    assert reason == ILLEGAL
    assert said in words


@pytest.mark.parametrize(
    ("protocol", "fault", "said"),
    [
        ("uci", "dies", "ended with exit code 3; the last lines:"),
        ("gtp", "dies", "ended with exit code 1"),
        ("gtp", "complains", "answers 'too tired' to 'genmove"),
        ("gtp", "refuses", "refuses a legal move, 'play"),
        ("nboard", "dies", "ended with exit code 1"),
        ("nboard", "nothing", "moves without a move"),
    ],
)
def test_a_stranger_that_fails_loses(protocol: str, fault: str, said: str) -> None:
    reason, words = reason_of(stranger(protocol, fault))
    assert reason == FAILED
    assert said in words


def test_the_last_words_of_a_dead_engine_are_shown() -> None:
    assert "! out of paper" in reason_of(stranger("uci", "dies"))[1]


def test_one_death_in_a_game_is_forgiven(tmp_path: Path) -> None:
    """The program is started anew, and asked once more."""
    engine = stranger("uci", "dies once", str(tmp_path / "died"))
    assert reason_of(engine) == (OVER, "")
    assert (tmp_path / "died").exists()


def test_capitals_are_moves() -> None:
    assert reason_of(stranger("uci", "capitals")) == (OVER, "")


def test_a_slow_start_is_waited_for() -> None:
    assert reason_of(stranger("uci", "slow start", seconds=0.05)) == (OVER, "")


@pytest.mark.parametrize("protocol", ["uci", "nboard"])
def test_without_a_handshake_there_is_no_match(protocol: str) -> None:
    """Such a program is the wrong one: games lost to that would say nothing."""
    with pytest.raises(po.BadMethod, match="stranger gave no answer in time; the last lines"):
        po.match(stranger(protocol, "deaf", patience=0.3), first, game=game_for(protocol), games=2)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(po.BadMethod, match="there is no program 'nowhere': install it"):
        po.match(po.Engine("nowhere", depth=1), first, games=2)


def test_a_program_that_cannot_be_run(tmp_path: Path) -> None:
    script = tmp_path / "engine"
    script.write_bytes(b"\x00")
    script.chmod(0o700)
    with pytest.raises(po.BadMethod, match="cannot be started"):
        po.match(po.Engine(str(script), depth=1), first, games=2)


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(po.BadMethod, match=r"log='.*' cannot be written: Is a directory"):
        po.match(stranger("uci", log=str(tmp_path)), first, games=2)


def test_clocks_are_kept_and_lost() -> None:
    match = po.match(stranger("uci", depth=None, clock=20), first, games=2, seed=1)
    assert {row.played.reason for row in match.rows} == {OVER}
    slow = stranger("uci", "late", depth=None, clock=0.1, margin=0.1)
    assert reason_of(slow)[0] == TIME


def test_what_the_engine_expects_is_recorded() -> None:
    """`score cp 400` is ten wins to one; a mate for the other is a loss."""
    row = po.match(stranger("uci"), first, games=2, openings=0, seed=1).rows[0]
    assert row.played.expected[0] == pytest.approx(10 / 11)
    row = po.match(stranger("uci", "mates"), first, games=2, openings=0, seed=1).rows[0]
    assert row.played.expected[0] == 0
    row = po.match(stranger("nboard"), first, game=po.Othello(), games=2, seed=1).rows[0]
    assert row.played.expected[0] == pytest.approx(1 / 11)


def test_a_program_is_kept_for_the_next_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    po.match(stranger("uci", log=str(log)), first, games=6, seed=1)
    lines = log.read_text().splitlines()
    assert sum("(starts" in line for line in lines) == 1
    assert sum(line.endswith("> ucinewgame") for line in lines) == 6
    times = [float(line.split()[0]) for line in lines]
    assert times == sorted(times)


def test_two_strangers_in_one_game_are_two_programs(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = stranger("uci", log=str(log))
    match = po.match(engine, engine, games=4, seed=1)
    assert match.players == ("stranger", "stranger #2")
    assert {row.played.reason for row in match.rows} == {OVER}
    assert log.read_text().count("(starts") == 2


def test_options_reach_the_engine(tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = {"hash": 16, "Style": "Very Wild", "Own Book": False, "Clear Hash": ""}
    po.match(stranger("uci", options=options, log=str(log)), first, games=2)
    said = [line.split(" > ")[1] for line in log.read_text().splitlines() if " > set" in line]
    assert said == [
        "setoption name Hash value 16",
        "setoption name Style value Very Wild",
        "setoption name Own Book value false",
        "setoption name Clear Hash",
    ]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"Hsh": 1}, "no option 'Hsh'; did you mean 'Hash'"),
        ({"Hash": 65}, "Hash must be a whole number from 1 to 64, not '65'"),
        ({"Hash": "big"}, "Hash must be a whole number"),
        ({"Style": "Wild"}, "Style must be one of 'Calm', 'Very Wild', not 'Wild'"),
        ({"Own Book": "maybe"}, "Own Book must be true or false"),
    ],
)
def test_options_that_the_engine_lacks(option: dict[str, object], said: str) -> None:
    """Engines say nothing of those: they would play on with others."""
    with pytest.raises(po.BadMethod, match=said):
        po.match(stranger("uci", options=option), first, games=2)


def test_workers_have_engines_of_their_own_and_leave_none(tmp_path: Path) -> None:
    """Also where this process has an idle one when they are forked."""
    log = tmp_path / "log"
    engine = stranger("uci", log=str(log))
    po.match(engine, "flat@5", games=2, seed=1)
    match = po.match(engine, "flat@5", games=12, seed=1, workers=2)
    assert {row.played.reason for row in match.rows} == {OVER}
    po.match(engine, "flat@5", games=2, seed=1)  # the first one still answers
    lines = [line.split(maxsplit=2) for line in log.read_text().splitlines()]
    starts = [pid for _, pid, rest in lines if "(starts" in rest]
    assert 2 <= len(starts) <= 3
    assert len(set(starts)) == len(starts)
    quits = {pid for _, pid, rest in lines if rest == "> quit"}
    assert quits == set(starts) - {str(os.getpid())}


PLAYS = """
import sys
import playout as po
engine = po.Engine(sys.executable, arguments=sys.argv[2:], depth=1, log=sys.argv[1])
po.match(engine, "flat@5", games=10**6, workers=2)
"""


def test_workers_and_engines_end_with_a_process_that_was_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = str(STRANGERS / "breakthrough_uci.py")
    words = [sys.executable, "-c", PLAYS, str(log), "-E", "-S", script]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not (log.exists() and log.read_text().count("ucinewgame") > 10):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.kill()
    process.wait()
    length = -1
    while log.stat().st_size != length:  # a line is added as long as one of them plays
        assert time.monotonic() < deadline
        length = log.stat().st_size
        time.sleep(0.3)


def test_engines_end_with_a_match_that_is_decided_early(tmp_path: Path) -> None:
    """Games under way are given up then, also with engines that would stay."""
    trace = tmp_path / "trace"
    script = str(STRANGERS / "breakthrough_uci.py")
    shell = (
        f"(while :; do echo x >> {shlex.quote(str(trace))}; sleep 0.02; done) & "
        f"exec {shlex.join([sys.executable, '-E', '-S', script, 'stays'])}"
    )
    engine = po.Engine("sh", arguments=("-c", shell), depth=1, label="stays")
    match = po.match(engine, "flat@5", games=10_000, seed=1, workers=2, sprt=(0, 400))
    assert match.decision is not None
    deadline, size = time.monotonic() + 20, -1
    while trace.stat().st_size != size:
        assert time.monotonic() < deadline
        size = trace.stat().st_size
        time.sleep(0.3)


def test_what_does_not_quit_is_killed() -> None:
    engine = stranger("uci", "stays")
    reason_of(engine)
    (client,) = POOL._idle
    process = client.child._process
    engine.close()
    assert process.returncode == -9
    assert reason_of(engine)[0] == OVER  # it is started anew


def test_what_an_engine_started_ends_with_it(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    script = f"(while :; do echo x >> {trace}; sleep 0.02; done) & echo up; wait"
    child = Child("shell", ["sh", "-c", script])
    assert child.line(time.monotonic() + 20) == "up"
    child.end()
    size = trace.stat().st_size if trace.exists() else 0
    time.sleep(0.3)
    assert (trace.stat().st_size if trace.exists() else 0) == size


def test_a_line_that_nobody_reads_is_waited_for_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playout.engines.process.WRITING", 0.1)
    child = Child("sleeper", ["sleep", "100"])
    with pytest.raises(EngineFault, match="sleeper reads nothing"):
        child.send("x" * 2_000_000)
    child.end()


def test_a_record_holds_an_engine(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    engine = stranger("uci", options={"Hash": 2}, seconds=0.5)
    po.match(engine, "flat@5", games=4, seed=1, record=path)
    contest, games, _, rows = recorded(path)
    assert contest.players[0] == engine
    assert (games, len(rows)) == (4, 4)


def test_a_report_needs_no_program(tmp_path: Path) -> None:
    contest_of(
        [po.Engine("nowhere", depth=1), "flat@5"], None, po.Limit(), 1, 4, None, "gauntlet", None
    )


ENGINES = st.builds(
    po.Engine,
    st.text(st.characters(codec="ascii", exclude_categories=["C"]), min_size=1),
    protocol=st.sampled_from(["uci", "gtp", "nboard", "python"]),
    arguments=st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)),
    options=st.dictionaries(
        st.sampled_from(["Hash", "Skill Level", "EvalFile"]),
        st.integers() | st.booleans() | st.sampled_from(["", "a b", "it's", 'say "no"', "x=1"]),
    ),
    seconds=st.none() | st.sampled_from([0.1, 1, 1e-5]),
    nodes=st.none() | st.integers(1, 10**6),
    clock=st.none() | st.sampled_from([60, 0.5]),
    depth=st.none() | st.integers(1, 99),
    variant=st.sampled_from([None, "breakthrough", "my game"]),
    margin=st.sampled_from([0.5, 0, 2.25]),
    label=st.sampled_from([None, "mine"]),
)


@given(ENGINES)
def test_an_engine_is_made_again_from_its_text(engine: po.Engine) -> None:
    assert player_again(engine.described()) == engine
    assert pickle.loads(pickle.dumps(engine)) == engine


def test_texts() -> None:
    engine = engine_from(
        'uci:fairy-stockfish@60+0.5s variant=breakthrough "Skill Level"=-5 margin=1'
    )
    assert engine == po.Engine(
        "fairy-stockfish",
        protocol="uci",
        variant="breakthrough",
        options={"Skill Level": -5},
        clock=60,
        increment=0.5,
        margin=1,
    )
    assert engine_from("GTP:'./my engine' ").command == "./my"
    assert engine_from("gtp:\"'./my engine' -l 1\"").arguments == ("-l", "1")
    assert engine_from("nboard:edax depth=6").depth == 6
    assert engine_from("uci:x@100n").nodes == 100


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("uci:", "after uci: comes a command"),
        ("uci:@1s", "after uci: comes a command"),
        ("uci:x@1000", "counts no playouts: give nodes"),
        ("uci:x@soon", "after @ comes a level"),
        ("uci:x fast", "come settings such as variant=breakthrough"),
        ("uci:x depth=deep", "depth must be a whole number"),
        ("uci:x margin=wide", "margin must be a number"),
        ("uci:'x", "No closing quotation; write it like uci:fairy-stockfish@0.1s"),
    ],
)
def test_texts_with_faults(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        engine_from(text)


@given(st.sampled_from(["uci:", "gtp:", "nboard:", "python:"]), st.text(max_size=40))
def test_any_text_is_an_engine_or_a_clear_fault(protocol: str, rest: str) -> None:
    try:
        engine = engine_from(protocol + rest)
    except ValueError:
        return
    assert engine_from(str(engine)) == engine


@given(st.text(max_size=60))
def test_any_option_line_is_read(rest: str) -> None:
    option = Option.read(f"option {rest}")
    option.refuse("1")


def test_engines_are_for_matches() -> None:
    with pytest.raises(po.BadMethod, match="engines and files play in `playout match`"):
        player_from("uci:fairy-stockfish@1s")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"protocol": "xboard"}, "protocol must be one of 'uci', 'gtp', 'nboard'"),
        ({"command": ""}, "command must be a text"),
        ({"command": "a\nb"}, "command must be a text of one line"),
        ({"arguments": "-l 1"}, "arguments must be a list of texts"),
        ({"options": {"a": "b\nquit"}}, "an option is a name and a value of one line"),
        ({"options": {"depth": 3}}, "depth is a setting of playout.Engine itself: give depth="),
        ({"depth": 0}, "depth must be a whole number from 1"),
        ({"seconds": 0}, "seconds must be a number above 0"),
        ({"margin": -1}, "margin must be a number of at least 0"),
        ({"increment": 1}, "give clock="),
    ],
)
def test_wrong_settings(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        po.Engine(**{"command": "x", "protocol": "uci"} | settings)


@pytest.mark.parametrize(
    ("settings", "game", "said"),
    [
        ({"protocol": "uci"}, po.Breakthrough(), "has no limit: give seconds="),
        ({"protocol": "gtp", "depth": 3}, po.Othello(), "GTP has no word for depth="),
        ({"protocol": "gtp"}, po.Breakthrough(6, 5), "on a square board"),
        ({"protocol": "nboard"}, po.Othello(), "has no depth"),
        ({"protocol": "nboard", "depth": 1}, po.Breakthrough(), "NBoard is for Othello"),
        ({"protocol": "nboard", "depth": 1, "nodes": 9}, po.Othello(), "no word for nodes="),
    ],
)
def test_what_a_protocol_cannot_do(settings: dict[str, Any], game: po.Position, said: str) -> None:
    with pytest.raises(po.BadMethod, match=said):
        po.match(po.Engine("x", **settings), first, game=game, games=2)


def test_the_limit_of_the_match_is_for_engines_without_one() -> None:
    match = po.match(stranger("uci", depth=None), "flat@5", games=2, seconds=0.5)
    assert match.contest.players[0].limit.seconds == 0.5
    match = po.match(stranger("gtp"), "flat", game=po.Othello(), games=2, playouts=5)
    assert not match.contest.players[0].limit.is_given


def test_times_are_scaled() -> None:
    engine = po.Engine("x", clock=10, increment=1).scaled(2)
    assert (engine.clock, engine.increment) == (20, 2)
    assert po.Engine("x", seconds=1).scaled(0.5).seconds == 0.5


# The check


@pytest.mark.parametrize("protocol", ["uci", "gtp", "nboard"])
def test_a_good_engine_passes_the_check(protocol: str) -> None:
    report = po.check_engine(stranger(protocol, seconds=1), game_for(protocol))
    assert report.is_good, str(report)
    names = [line.what for line in report.lines]
    assert ("after a forced pass" in names) == (protocol != "uci")
    assert "near the end" in names
    assert "quit" in names


@pytest.mark.parametrize(
    ("fault", "step"),
    [
        ("deaf", "start and handshake"),
        ("illegal", "the start position"),
        ("late", "the start position"),
        ("dies", "in the middle"),
        ("stays", "quit"),
    ],
)
def test_the_check_names_the_first_fault(fault: str, step: str) -> None:
    report = po.check_engine(stranger("uci", fault, seconds=0.05, patience=1))
    assert not report.is_good
    assert [line.what for line in report.lines if not line.is_good] == [step]
    assert f"FAULT  {step}" in str(report)


def test_the_check_is_for_engines() -> None:
    with pytest.raises(po.BadMethod, match="an engine is written like uci:"):
        po.check_engine("rave@100")


def test_a_fault_is_a_runtime_error() -> None:
    assert issubclass(EngineFault, RuntimeError)
