"""Whatever comes in, an engine goes on, answers what it understands, and ends with its input."""

from __future__ import annotations

import random

import pytest

from support.engine_process import engine

# Words of each protocol, so that half of a command is met as often as nonsense. None takes long.
WORDS = {
    "uci": (
        "uci isready setoption name value Method Threads MultiPV Hash UCI_Variant Ponder rave uct "
        "flipello breakthrough5 position startpos fen moves a2a3 P@e3 0000 go nodes 50 depth 3 "
        "movetime 1 wtime btime 9 infinite ponder stop ponderhit ucinewgame d register debug "
        "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1"
    ),
    "gtp": (
        "name version play genmove reg_genmove white black w b a2a3 F5 PASS undo boardsize 5 4 8 "
        "clear_board komi set_game Othello Breakthrough Connect Four time_settings time_left 1 0 "
        "showboard final_score gogui-rules_board playout-analyze lz-analyze 10 # known_command"
    ),
    "nboard": (
        "nboard 2 set depth 3 game (;GM[Othello]TY[8]B[F5]W[D6];) BO[8 TI[0:01] move F5 D6/1/2 PA "
        "hint go ping learn analyze contempt myname 1 -1"
    ),
}
PLAYERS = {"uci": "uct@50", "gtp": "uct@50", "nboard": "rave@50"}
SYNC = {
    "uci": ("isready", "readyok"),
    "gtp": ("4711 name", "=4711"),
    "nboard": ("ping 4711", "pong 4711"),
}
ENDS = [b"\n", b"\r\n", b"\n\n", b" \n"]


def garbage(words: list[str], lots: random.Random) -> bytes:
    """One line: words in a wrong order, bytes, control characters, or one that is very long."""
    kind = lots.randrange(10)
    if kind < 5:
        line = " ".join(lots.choices(words, k=lots.randrange(1, 8))).encode()
    elif kind < 7:
        line = " ".join(lots.choices(words, k=3)).encode()[: lots.randrange(1, 30)]
    elif kind < 8:
        line = lots.randbytes(lots.randrange(200)).replace(b"\n", b"")
    elif kind < 9:
        line = (
            bytes(lots.choices(range(1, 32), k=20)).replace(b"\n", b"")
            + lots.choice(words).encode()
        )
    else:
        line = (lots.choice(words) + " ").encode() * lots.choice([10, 1000, 100_000])
    return line + lots.choice(ENDS)


@pytest.mark.parametrize("protocol", WORDS)
@pytest.mark.parametrize("seed", range(2))
def test_garbage(protocol: str, seed: int) -> None:
    lots = random.Random(seed)
    question, answer = SYNC[protocol]
    with engine(protocol, PLAYERS[protocol]) as process:
        for _ in range(20):
            for _ in range(20):
                process.send_bytes(garbage(WORDS[protocol].split(), lots))
            process.send(question)
            process.until(answer)
        process.send_bytes(b"half a line that does not en")
        process.close_input()
        process.rest()


@pytest.mark.parametrize("protocol", WORDS)
def test_no_input_at_all(protocol: str) -> None:
    with engine(protocol) as process:
        process.close_input()
        assert process.rest() == []


@pytest.mark.parametrize("protocol", WORDS)
def test_one_endless_line(protocol: str) -> None:
    """It takes no more memory than its beginning, and the next line is read."""
    question, answer = SYNC[protocol]
    with engine(protocol) as process:
        for _ in range(20):
            process.send_bytes(b"x" * 2**20)
        process.send("", question)
        process.until(answer)
