"""`playout play --clock`: the time of each side, and the loss of a side whose time is over."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import playout as po
from playout.cli import clock
from playout.cli.clock import Clock, TimeIsOver, clock_from, tag_of
from playout.record import Record
from support.commands import fault, playout

GAME = ["play", "--size", "5", "--seed", "1"]


class Watch:
    """A clock on the wall that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    made = Watch()
    monkeypatch.setattr(clock, "perf_counter", made)
    return made


def game_with(text: str) -> tuple[Record, Clock]:
    game = Record(po.Breakthrough(5), ("you", "you"), 1, tags=tag_of(clock_from(text)))
    return game, Clock(game)


def play(game: Record, running: Clock, watch: Watch, move: str, seconds: float) -> None:
    watch.now += seconds
    running.moved()
    game.position.push(move)


def test_only_the_side_to_move_loses_time(watch: Watch) -> None:
    game, running = game_with("60+2")
    watch.now += 5
    assert (running.left(0), running.left(1)) == (55.0, 60.0)
    play(game, running, watch, "a2a3", 5)
    assert (running.left(0), running.left(1)) == (52.0, 60.0)  # with what the move adds
    watch.now += 1
    assert (running.left(0), running.left(1)) == (52.0, 59.0)
    assert game.seconds == (10.0,)


def test_moves_taken_back_give_their_time_back(watch: Watch) -> None:
    game, running = game_with("60")
    play(game, running, watch, "a2a3", 10)
    play(game, running, watch, "a4b3", 20)
    assert (running.left(0), running.left(1)) == (50.0, 40.0)
    game.position.pop()
    running.taken_back()
    assert (running.left(0), running.left(1)) == (50.0, 60.0)
    assert game.seconds == (10.0,)


def test_moves_from_before_the_clock_took_no_time(watch: Watch) -> None:
    start = po.Breakthrough(5)
    start.push("a2a3")
    game = Record(start, ("you", "you"), 1, tags=tag_of(clock_from("60")))
    running = Clock(game)
    assert (running.left(0), running.left(1)) == (60.0, 60.0)
    play(game, running, watch, "a4b3", 3)
    assert game.seconds == (0.0, 3.0)


def test_the_first_side_of_a_position_may_be_the_second_player(watch: Watch) -> None:
    start = po.Breakthrough.from_fen("bbbbb/bbbbb/...../wwwww/wwwww b")
    game = Record(start, ("you", "you"), 1, tags=tag_of(clock_from("60")))
    running = Clock(game)
    play(game, running, watch, "a4b3", 3)
    assert (running.left(0), running.left(1)) == (60.0, 57.0)


def test_the_end_of_the_time_raises(watch: Watch) -> None:
    _, running = game_with("60")
    watch.now += 60
    running.check()  # a moment is forgiven
    watch.now += 1
    with pytest.raises(TimeIsOver):
        running.check()


def test_a_game_without_a_clock_notes_no_times() -> None:
    ran = playout(*GAME, "--white", "uct@20", "--black", "uct@20", "--json")
    assert json.loads(ran.out)["seconds"] == []


def test_a_game_with_a_clock(tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    methods = ["--black", "rave@100", "--clock", "180+2", "--save", str(kept)]
    ran = playout(*GAME, *methods, stdin="a2b3\nhint\nquit\n")
    assert "clock: 180 s a game and 2 s a move, for each side" in ran.out
    assert "white to move, 3:00 left> " in ran.out
    assert "white to move, 3:02 left> " in ran.out
    found = json.loads(kept.read_text(encoding="utf-8"))
    assert found["tags"] == {"TimeControl": "180+2"}
    assert len(found["seconds"]) == len(found["moves"]) == 2
    again = playout("play", "--resume", str(kept), stdin="quit\n")
    assert "white to move, 3:02 left> " in again.out


def test_the_command_that_goes_on_has_the_clock() -> None:
    ran = playout(*GAME, "--clock", "60", stdin="a2b3\nquit\n")
    assert "--clock 60+0" in ran.last_line


def test_a_method_shares_its_time_out() -> None:
    limits = ["--white", "uct@100000000", "--black", "uct@100000000", "--clock", "0.5"]
    ran = playout(*GAME, *limits, "--json")
    found = json.loads(ran.out)
    assert found["outcome"] is not None
    assert found["verdict"] is None  # nobody lost on time
    assert max(found["seconds"]) < 0.3


def test_a_user_whose_time_is_over_loses_at_once() -> None:
    """While the program waits for a move, and at the latest when one is typed."""
    command = [sys.executable, "-m", "playout", *GAME, "--clock", "0.2"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        out = running.stdout.read()  # without a word from us
        assert running.wait(10) == 0
    assert "white has lost on time." in out
    assert "The game is over: black has won (clock)." in out


def test_a_clock_of_another_kind_is_none() -> None:
    game = Record(po.Breakthrough(5), ("you", "you"), 1, tags={"TimeControl": "40/7200:3600"})
    assert not Clock(game).is_there
    assert Clock(game).left(0) is None


def test_the_command_that_goes_on_leaves_a_clock_of_another_kind_out(tmp_path: Path) -> None:
    ended = po.Breakthrough.from_fen("...../.w.../...../...../....b w")
    game = Record(ended, ("you", "uct@20"), 1, tags={"TimeControl": "40/7200:3600"})
    kept = tmp_path / "game.json"
    kept.write_text(json.dumps(game.to_dict()), encoding="utf-8")
    ran = playout("play", "--resume", str(kept))
    assert "playout play" in ran.last_line
    assert "--clock" not in ran.last_line


@pytest.mark.parametrize("text", ["x", "0", "-1", "1+x", "60+2+1", ""])
def test_a_clock_that_cannot_be_read_is_refused(text: str) -> None:
    told = fault(*GAME, "--clock", text)
    assert "such as 180+2" in told
