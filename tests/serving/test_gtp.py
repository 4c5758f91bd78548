"""`playout gtp` over its pipes: scripts with the answers that they must get."""

from __future__ import annotations

import itertools
import re
import shutil
from collections.abc import Iterator
from time import perf_counter

import pytest

import playout as po
from playout.games import GAMES
from support.engine_process import EngineProcess, answers, engine

MOVES = re.compile(r"info move (\S+) visits (\d+) winrate (\d+) order (\d+) pv \1")


def replies(script: str, *words: str) -> list[str]:
    """The answers to a script, each without the blank line after it."""
    text = "\n".join(answers("gtp", *words, script=script)) + "\n"
    assert text.endswith("\n\n")
    return text.removesuffix("\n\n").split("\n\n")


def test_script_of_othello() -> None:
    script = """
1 set_game Othello
2 boardsize 8
3 clear_board
# a comment alone
4 play black F5   # and one behind a command
5 play white D6
6 gogui-rules_side_to_move
7 gogui-rules_legal_moves
8 gogui-rules_board
9 undo
10 gogui-rules_legal_moves
11 gogui-rules_final_result
12 gogui-rules_game_id
13 gogui-rules_board_size
14 protocol_version
15 name
16 known_command genmove
17 known_command fly
quit
"""
    assert replies(script) == [
        "=1", "=2", "=3", "=4", "=5", "=6 black", "=7 C3 C4 C5 C6 C7",
        "=8 \n. . . . . . . .\n. . . . . . . .\n. . . O . . . .\n. . . O X X . .\n. . . O X . . .\n"
        ". . . . . . . .\n. . . . . . . .\n. . . . . . . .",
        "=9", "=10 F4 D6 F6", "=11", "=12 Othello", "=13 8", "=14 2", "=15 playout", "=16 true",
        "=17 false", "=",
    ]  # fmt: skip


def test_every_command_is_known() -> None:
    (listed, *_) = replies("list_commands\nquit\n")
    names = listed.removeprefix("= ").split("\n")
    assert {
        "protocol_version", "name", "version", "known_command", "list_commands", "quit",
        "boardsize", "clear_board", "komi", "play", "genmove", "reg_genmove", "undo",
        "time_settings", "time_left", "showboard", "set_game", "list_games", "loadsgf",
        "gogui-rules_game_id", "gogui-rules_board", "gogui-rules_board_size",
        "gogui-rules_legal_moves", "gogui-rules_side_to_move", "gogui-rules_final_result",
        "gogui-analyze_commands", "playout-analyze",
    } <= {*names}  # fmt: skip
    assert replies("".join(f"known_command {name}\n" for name in names)) == ["= true"] * len(names)


def test_empty_squares_count_for_the_winner() -> None:
    """As in `solve`, and as other programs count: this game ends with 13 discs on the board."""
    colours = itertools.cycle(("black", "white"))
    moves = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
    plays = [f"play {colour} {move}" for colour, move in zip(colours, moves)]
    script = "\n".join(["set_game Othello", *plays, "final_score", "gogui-rules_final_result", ""])
    assert replies(script)[-2:] == ["= B+64", "= Black wins by 64"]


@pytest.fixture(scope="module")
def gtp() -> Iterator[EngineProcess]:
    """An engine that answers all wrong commands of this file, one after the other."""
    with engine("gtp", "uct@10") as process:
        yield process


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("fly", "? unknown command"),
        ("7 fly", "?7 unknown command"),
        ("boardsize 19", "? unacceptable size"),
        ("boardsize many", "? unacceptable size"),
        ("boardsize", "? syntax error: a word is missing"),
        ("play black", "? write: play COLOR MOVE"),
        ("play red a2a3", "? a player is white or black, not 'red'"),
        ("play white a2a5", "? 'a2a5' is not legal here"),
        ("play black a7a6", "? it is the move of white"),
        ("genmove", "? syntax error: a word is missing"),
        ("undo", "? cannot undo"),
        ("komi much", "? komi needs a number, not 'much'"),
        ("time_settings 1", "? write: time_settings MAIN OVERTIME STONES"),
        ("time_left white soon 0", "? time_left needs a number, not 'soon'"),
        ("set_game chess", "? no game 'chess': Breakthrough, Othello, Connect Four"),
        ("loadsgf game.sgf", "? loadsgf is not supported"),
        ("final_score", "? the game goes on"),
        ("playout-analyze red", "? a player is white or black, not 'red'"),
    ],
)
def test_refusals(gtp: EngineProcess, command: str, answer: str) -> None:
    """What is wrong is said, and the next command is obeyed."""
    assert ask(gtp, command).startswith(answer)
    assert ask(gtp, "name") == "= playout"


@pytest.mark.parametrize(
    ("game", "size"), [("breakthrough", 5), ("othello", 4), ("othello", 6), ("connect-four", 6)]
)
def test_whole_game(game: str, size: int) -> None:
    """The engine plays both sides; every move is legal, and all agree on the end."""
    position = GAMES[game].start(size, size + GAMES[game].default[1] - GAMES[game].default[0])
    with engine("gtp", "rave@100 solver", "--game", game, "--size", str(size)) as gtp:
        while not position.is_over:
            side = GAMES[game].sides[position.turn]
            answer = ask(gtp, f"genmove {side}")
            position.push(position.normal_text(answer.removeprefix("= ").lower()))
        result = ask(gtp, "gogui-rules_final_result")
        winner = {1.0: 0, 0.0: 1}.get(position.result or 0.0)
        expected = "Draw" if winner is None else f"{GAMES[game].sides[winner].capitalize()} wins"
        assert result.startswith(f"= {expected}")
        assert ask(gtp, f"genmove {GAMES[game].sides[0]}") == "? the game is over"
        assert ask(gtp, "gogui-rules_side_to_move") == "="
        assert ask(gtp, "gogui-rules_legal_moves") == "="


def ask(gtp: EngineProcess, command: str) -> str:
    """An answer of one line."""
    answer = gtp.ask(command, "")
    assert gtp.line() == ""
    return answer


def test_quit_does_not_preempt_an_answer() -> None:
    move, end = replies("genmove white\nquit\n", "uct@20000")
    assert re.fullmatch("= [A-H][1-8][A-H][1-8]", move)
    assert end == "="


def test_proposals_leave_the_game_as_it_is() -> None:
    before, proposal, after = replies("showboard\nreg_genmove white\nshowboard\n", "uct@100")
    assert before == after
    assert proposal.startswith("= ")


def test_left_out_pass() -> None:
    """Programs may leave out a pass that is forced."""
    moves = ["F5", "F6", "D3", "G5", "H5", "H4", "F7", "H6"]  # black must pass
    position = po.Othello()
    script = "set_game othello\n"
    for move in moves:
        script += f"play {'bw'[position.turn]} {move}\n"
        position.push(move.lower())
    assert position.legal_moves == ("pass",)
    script += f"genmove {'bw'[position.turn]}\nundo\ngenmove {'wb'[position.turn]}\n"
    answers = replies(script, "uct@50")
    assert answers[-3] == "= PASS"
    assert re.fullmatch("= [A-H][1-8]", answers[-1])


@pytest.mark.serial
def test_clocks() -> None:
    """A twentieth of the main time; all of a period of overtime but what is kept back."""
    with engine("gtp", "uct") as gtp:
        for settings, seconds in (
            (["time_settings 4 0 0"], 0.2),
            (["time_settings 0 0.4 1"], 0.2),
            (["time_settings 100 0 0", "time_left white 2 0"], 0.1),
        ):
            for command in settings:
                assert ask(gtp, command) == "="
            began = perf_counter()
            assert ask(gtp, "reg_genmove white").startswith("= ")
            assert 0.9 * seconds < perf_counter() - began < seconds + 2


def test_a_second_by_default() -> None:
    """Without a level and a clock; a level, a depth or a forced move make it shorter."""
    for player, longest in (("uct", 5.0), ("uct@100", 0.9)):
        with engine("gtp", player) as gtp:
            began = perf_counter()
            assert ask(gtp, "genmove white").startswith("= ")
            assert perf_counter() - began < longest


def test_clock_of_one_player_alone() -> None:
    """The other one has none, and takes a second; with this clock it would take 30."""
    with engine("gtp", "uct") as gtp:
        assert ask(gtp, "time_left black 600 0") == "="
        began = perf_counter()
        assert ask(gtp, "genmove white").startswith("= ")
        assert perf_counter() - began < 15.0


def test_analysis() -> None:
    """It goes on until the next line, which is answered."""
    with engine("gtp", "rave") as gtp:
        gtp.send("4 playout-analyze white 10")
        assert gtp.line() == "=4"
        for _ in range(3):
            found = MOVES.findall(gtp.line())
            assert [int(order) for *_, order in found] == list(range(len(found)))
            assert len(found) == 10
            visits = [int(visits) for _, visits, *_ in found]
            assert visits == sorted(visits, reverse=True)
        gtp.send("5 name")
        assert gtp.until("=5")[-1] == "=5 playout"


GRHINO = shutil.which("gtp-rhino") or shutil.which("/usr/games/gtp-rhino")


@pytest.mark.skipif(GRHINO is None, reason="gtp-rhino is not installed")
def test_game_against_another_program() -> None:
    """Both know the same moves and the same end of Othello. The other one leaves passes out."""
    position = po.Othello()
    with (
        engine("gtp", "AlphaBeta(depth=3)", "--game", "othello") as ours,
        EngineProcess([str(GRHINO)]) as theirs,
    ):
        while not position.is_over:
            if position.legal_moves == ("pass",):
                position.push("pass")
                continue
            side = ("black", "white")[position.turn]
            players = (ours, theirs) if position.turn == 0 else (theirs, ours)
            move = ask(players[0], f"genmove {side}").removeprefix("= ")
            position.push(move.lower())
            assert ask(players[1], f"play {side} {move}") == "="
        assert ask(ours, "final_score") == ask(theirs, "final_score")
        theirs.send("quit")
