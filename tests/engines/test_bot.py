"""A file of Python as a player: it runs in a process of its own, whatever it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import playout as po
from playout.arena.game import FAILED, ILLEGAL, OVER, TIME
from playout.arena.limit import NO_LIMIT, Limit
from playout.arena.players import player_again, player_of
from playout.engines.pool import POOL
from support.commands import fault, playout

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be polled")

BOT = """
import playout as po

def choose(position):
    return position.legal_moves[0]

def last(position):
    return position.legal_moves[-1]

number = 7
"""


@pytest.fixture(autouse=True)
def _none_is_left() -> Iterator[None]:
    yield
    POOL.close()


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return str(path)


PROCESS = Path(f"/proc/{os.getpid()}/task/{os.getpid()}")


def children() -> set[str]:
    """The processes that this one has started; none where the system does not tell."""
    path = PROCESS / "children"
    return set(path.read_text().split()) if path.exists() else set()


def test_a_tournament_of_many_bots_keeps_few_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more wait than the cap; the one that played last is kept, and is not started again."""
    monkeypatch.setattr("playout.engines.pool.MOST_IDLE", 3)
    bots = [tmp_path / f"bot{number}.py" for number in range(6)]
    before = children()
    for bot in bots:
        bot.write_text(BOT + f"open({str(tmp_path / 'started')!r}, 'a').write('{bot.stem} ')\n")
    table = po.tournament(
        [str(bot) for bot in bots], game=po.Breakthrough(4), games=2, seed=1, schedule="ladder"
    )
    assert len(table.rows) == 10
    assert not table.faults
    assert {client.engine.name for client in POOL._idle} == {"bot3", "bot4", "bot5"}
    assert all(client.child.is_alive for client in POOL._idle)
    assert (tmp_path / "started").read_text().split() == [bot.stem for bot in bots]
    if (PROCESS / "children").exists():
        assert len(children() - before) == 3


def test_a_file_plays(bot: str) -> None:
    found = po.match(bot, f"{bot}:last", game=po.Breakthrough(4), games=4, openings=1, seed=1)
    assert found.players == ("bot", "bot:last")
    position = po.Breakthrough(4)
    row = found.rows[0]
    for move in row.opening:
        position.push(move)
    for move in row.played.moves:  # the first player of game 0 is `choose`
        assert move == position.legal_moves[0 if position.turn == 0 else -1]
        position.push(move)


def test_a_file_plays_in_other_processes(bot: str) -> None:
    settings = {"game": po.Breakthrough(4), "games": 4, "seed": 1}
    alone = po.match(bot, "uct@5", **settings)  # type: ignore[arg-type]
    together = po.match(bot, "uct@5", **settings, workers=2)  # type: ignore[arg-type]
    assert {row.played.moves for row in alone.rows} == {row.played.moves for row in together.rows}


def test_a_record_holds_a_file(bot: str, tmp_path: Path) -> None:
    words = ["match", bot, "uct@5", "--size", "4", "--games", "4", "--seed", "1"]
    ran = playout(*words, "--record", str(tmp_path / "run.db"))
    assert ran.out.startswith("bot - UCT()@5: Breakthrough 4x4")
    assert playout("match", "--resume", str(tmp_path / "run.db")).code == 0
    player = player_of(f"{bot}@2s", NO_LIMIT)
    assert player_again(player.described()) == player


def test_a_path_with_spaces_and_signs(tmp_path: Path) -> None:
    folder = tmp_path / "me@work, here"
    folder.mkdir()
    (folder / "my bot.py").write_text(BOT)
    player = player_of(f"{folder}/my bot.py:last@5+1s", NO_LIMIT)
    assert (player.name, player.limit) == ("my bot:last", Limit(clock=5, increment=1))
    assert player_again(player.described()) == player


def test_the_limits_of_a_match_are_for_files_too(bot: str) -> None:
    found = po.match(bot, "flat", game=po.Breakthrough(4), games=2, clock=9, seconds=0.05, seed=1)
    limits = [player.limit for player in found.contest.players]
    assert limits == [Limit(clock=9, seconds=0.05)] * 2


HOSTILE = """
import os, sys, time

def choose(position):
    print("move a1a9", flush=True)
    print("\\x00\\xff garbage " * 1000, file=sys.stderr)
    assert sys.stdin.read() == ""
    return position.legal_moves[0]

def hangs(position):
    while True:
        pass

def floods(position):
    while True:
        print("words")

def raises(position):
    raise ZeroDivisionError("by nothing")

def leaves(position):
    sys.exit("that is it")

def dies(position):
    os._exit(3)

def cheats(position):
    return "a1a9"

def mumbles(position):
    return None

def shouts(position):
    return "a1a2" * 1000_000

def deceives(position):
    class Text(str):
        def __str__(self):
            raise ValueError
    return Text("a1a9")
"""


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    path = tmp_path / "hostile.py"
    path.write_text(HOSTILE)
    return str(path)


@pytest.mark.parametrize(
    ("function", "reason", "words"),
    [
        ("hangs", TIME, "gave no answer in time"),
        ("floods", TIME, "gave no answer in time"),
        ("raises", FAILED, "ZeroDivisionError: by nothing"),
        ("leaves", FAILED, "SystemExit: that is it"),
        ("dies", FAILED, "ended with exit code 3"),
        ("cheats", ILLEGAL, "'a1a9' is no legal move in"),
        ("mumbles", ILLEGAL, "'NoneType None' is no legal move in"),
        ("shouts", FAILED, "wrote a line of more than"),
        ("deceives", ILLEGAL, "'a1a9' is no legal move in"),
    ],
)
def test_a_hostile_file_loses_with_a_reason(
    hostile: str, function: str, reason: str, words: str
) -> None:
    began = time.monotonic()
    bot = po.Engine(hostile, "python", arguments=[function], seconds=0.2, margin=0.2)
    found = po.match(bot, "flat@5", game=po.Breakthrough(4), games=2, seed=1)
    assert [(row.score, row.played.reason) for row in found.rows] == [(0.0, reason)] * 2
    assert all(words in text for text in found.faults)
    assert time.monotonic() - began < 20


def test_what_a_file_prints_disturbs_nothing(hostile: str) -> None:
    found = po.match(hostile, "flat@5", game=po.Breakthrough(4), games=2, seed=1)
    assert found.faults == []
    assert {row.played.reason for row in found.rows} == {OVER}


def test_a_hanging_file_loses_in_another_process(hostile: str) -> None:
    words = ["match", f"{hostile}:hangs@0.1s", "flat@5", "--size", "4", "--games", "4"]
    ran = playout(*words, "--openings", "0", "--workers", "2")
    assert "ended by    clock 4" in ran.out


def test_a_file_ends_with_the_process_that_plays(tmp_path: Path) -> None:
    """Even one that never returns, and even if that process is killed."""
    (tmp_path / "bot.py").write_text(
        "import os, pathlib\n"
        "def choose(position):\n"
        f"    pathlib.Path({str(tmp_path / 'pid')!r}).write_text(f'{{os.getpid()}} ')\n"
        "    while True: pass\n"
    )
    words = ["match", str(tmp_path / "bot.py"), "flat@5", "--size", "4", "--games", "2"]
    process = subprocess.Popen([sys.executable, "-m", "playout", *words])
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().endswith(" "):
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while _is_running(int((tmp_path / "pid").read_text())):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIG_DFL)  # 0: only asks
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"  # nobody waits for it
    except OSError:
        return False


def test_a_file_is_checked_like_an_engine(bot: str) -> None:
    ran = playout("engine", f"{bot}@1s", "--size", "4")
    assert "this protocol has none" in ran.out
    assert "FAULT" not in ran.out


def test_a_file_with_settings_that_a_function_has_not(bot: str) -> None:
    with pytest.raises(po.BadMethod, match="PYTHON has no word for depth="):
        po.match(f"python:{bot} depth=3", "flat@5", games=2)
    with pytest.raises(po.BadMethod, match="has options, and a function has none"):
        po.match(f"python:{bot} Hash=3", "flat@5", games=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{bot} solver", "there is no method"),
        ("no/such/bot.py", "no/such/bot.py cannot be read: there is no such file"),
        ("{bot}@1000", "an engine counts no playouts"),
        ("'python:{bot} choose last'", "after the file comes the name of one function"),
        ("{bot}:chose", "has no function 'chose'; did you mean 'choose'?"),
        ("{bot}:number", "Write def number(position), which returns one of"),
        ("{broken}", "broken.py cannot be run: ZeroDivisionError: division by zero"),
    ],
)
def test_files_that_cannot_play(bot: str, tmp_path: Path, text: str, message: str) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n")
    assert message in fault("match", text.format(bot=bot, broken=broken), "uct@5")


def test_a_file_plays_no_game_on_the_screen(bot: str) -> None:
    said = "engines and files play in `playout match`"
    assert said in " ".join(fault("play", "--white", bot).split())
