"""A GTP engine of Othello: it plays the first move it finds, or shows a fault by the argument."""

import sys
import time

from othello_rules import START, moves, play

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
KNOWN = "list_commands quit boardsize clear_board play genmove set_game time_settings time_left"


def reply(words: list[str], board: dict[str, str]) -> str:
    if words[0] == "list_commands":
        return "= " + KNOWN.replace(" ", "\n")
    if words[0] == "boardsize" and words[1] != "8":
        return "? unacceptable size"
    if words[0] == "set_game" and words[1] != "Othello":
        return "? unsupported game"
    if words[0] == "clear_board":
        board.clear()
        board.update(START)
    if words[0] == "play":
        mine, square = words[1][0].upper(), words[2].lower()
        if FAULT == "refuses" or square not in moves(board, mine):  # and so no passes
            return "? illegal move"
        play(board, square, mine)
    if words[0] == "genmove":
        mine = words[1][0].upper()
        square = moves(board, mine)[0]
        if FAULT == "resigns":
            return "= resign"
        if FAULT == "dies":
            sys.exit(1)
        if FAULT == "late":
            time.sleep(30)
        if FAULT == "complains":
            return "? too tired"
        play(board, square, mine)
        return f"= {square.upper()}"
    if words[0] not in KNOWN:
        return "? unknown command"
    return "="


def main() -> None:
    board = dict(START)
    for line in sys.stdin:
        if FAULT == "garbage":
            print("thinking\n\n== almost".replace("== ", " = "))
        print(reply(line.split(), board), end="\n\n", flush=True)
        if line.startswith("quit"):
            return


main()
