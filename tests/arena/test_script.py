"""A file of Python as a player."""

from __future__ import annotations

from pathlib import Path

import pytest

import playout as po
from playout.arena.limit import Limit
from playout.arena.players import player_again, player_from
from support.commands import fault, playout

BOT = """
import playout as po

def choose(position):
    return position.legal_moves[0]

def last(position):
    return position.legal_moves[-1]

number = 7
"""


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return str(path)


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
    player = player_from(f"{bot}@2s")
    assert player_again(player.described()) == player


def test_a_path_with_spaces_and_signs(tmp_path: Path) -> None:
    folder = tmp_path / "me@work, here"
    folder.mkdir()
    (folder / "my bot.py").write_text(BOT)
    player = player_from(f"{folder}/my bot.py:last@5+1s")
    assert (player.name, player.limit) == ("my bot:last", Limit(clock=5, increment=1))
    assert player_again(player.described()) == player


def test_the_clock_of_a_match_is_for_files_too(bot: str) -> None:
    found = po.match(bot, "flat", game=po.Breakthrough(4), games=2, clock=9, seed=1)
    assert [player.limit.clock for player in found.contest.players] == [9, 9]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{bot} solver", "there is no method"),
        ("no/such/bot.py", "no/such/bot.py cannot be read: No such file or directory"),
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
    assert "plays in matches only: use `playout match`" in fault("play", "--white", bot)
