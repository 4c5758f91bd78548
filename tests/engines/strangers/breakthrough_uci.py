"""A UCI engine that shares no code with playout: it plays the first move of Breakthrough it finds.

The first argument names what is wrong with it, if anything is.
"""

import os
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def board_of(fen: str) -> tuple[dict[str, str], str, int, str]:
    rows = fen.split()[0].split("/")
    board = {}
    for number, row in enumerate(rows):
        column = 0
        for man in row:
            if man.isdigit():
                column += int(man)
            else:
                board["abcdefgh"[column] + str(len(rows) - number)] = man
                column += 1
    return board, "abcdefgh"[:column], len(rows), fen.split()[1]


def first_move(words: list[str]) -> str:
    cut = words.index("moves") if "moves" in words else len(words)
    fen = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w" if words[1] == "startpos" else ""
    board, columns, height, side = board_of(fen or " ".join(words[2:cut]))
    for move in words[cut + 1 :]:
        board[move[2:]] = board.pop(move[:2])
        side = "b" if side == "w" else "w"
    mine, up = ("P", 1) if side == "w" else ("p", -1)
    for square in sorted(board, reverse=side == "w"):
        for column in (-1, 1, 0):
            to = chr(ord(square[0]) + column) + str(int(square[1]) + up)
            there = board.get(to)
            is_board = to[0] in columns and 1 <= int(to[1:]) <= height
            if board[square] == mine and is_board and (there is None or (column and there != mine)):
                return square + to
    raise AssertionError("no move")


def answer(position: list[str], n: int) -> None:
    move = first_move(position)
    if FAULT == "dies" or (FAULT == "dies once" and not os.path.exists(sys.argv[2])):
        if n == 2:
            if FAULT == "dies once":
                open(sys.argv[2], "w").close()
            sys.stderr.write("out of paper\n")
            sys.exit(3)
    elif FAULT == "late":
        say("info depth 1 time 1 score cp 5")
        time.sleep(30)
    elif FAULT == "illegal":
        move = "a1h8"
    elif FAULT == "null":
        move = "(none)"
    elif FAULT == "mute":
        move = ""
    elif FAULT == "capitals":
        move = move.upper()
    elif FAULT == "flood":
        while True:
            sys.stdout.write("info string more and more\n" * 1000)
    elif FAULT == "endless":
        while True:
            sys.stdout.write("x" * 100_000)
    elif FAULT == "complaints":
        while True:
            sys.stderr.write("warning: still here\n" * 1000)
    elif FAULT == "dribble":
        while True:
            time.sleep(0.001)
            os.write(1, b".")
    elif FAULT == "garbage":
        sys.stdout.buffer.write(
            b"\xff\xfe\x00 bestmovie\n\nbest\ninfo score cp\ninfo score mate x\r\n"
        )
        say("info depth 3 multipv 2 score cp -900 pv " + move)
    say(f"info depth 1 score cp 400 pv {move}" if FAULT != "mates" else "info score mate -2")
    say(f"bestmove {move}".rstrip() + "\r" + ("\nbestmove a1h8" if FAULT == "twice" else ""))


def main() -> None:
    position: list[str] = []
    moves = 0
    if FAULT == "deaf":
        time.sleep(60)
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            time.sleep(0.3 if FAULT == "slow start" else 0)
            say("id name stranger\noption name Hash type spin default 1 min 1 max 64")
            say("option name Style type combo default Calm var Calm var Very Wild")
            say("option name Clear Hash type button\noption name Own Book type check default true")
            say("uciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["position"]:
            position = words
        elif words[:1] == ["go"]:
            moves += 1
            if "infinite" not in words:
                answer(position, moves)
        elif words[:1] == ["stop"]:
            answer(position, moves)
        elif words[:1] == ["quit"] and FAULT != "stays":
            return
    while FAULT == "stays":
        time.sleep(1)


main()
