"""An NBoard engine of Othello: it plays the first move it finds, or has the argument's fault."""

import re
import sys
import time

from othello_rules import SQUARES, moves, play

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


def read(game: str) -> tuple[dict[str, str], str]:
    squares, side = re.search(r"BO\[8 (\S{64}) (\S)\]", game).groups()  # type: ignore[union-attr]
    men = {"*": "B", "O": "W"}
    board = {at: men[man] for at, man in zip(SQUARES, squares) if man in men}
    mine = men[side]
    for colour, move in re.findall(r"\b([BW])\[([a-zA-Z0-9]+)[^]]*\]", game.split("BO[")[1]):
        if move.lower() != "pa":
            play(board, move.lower(), colour)
        mine = "W" if colour == "B" else "B"
    return board, mine


def main() -> None:
    game = ""
    for line in sys.stdin:
        if line.startswith("set game"):
            game = line
        elif line.startswith("ping") and FAULT != "deaf":
            print("pong", line.split()[1], flush=True)
        elif line.startswith("go"):
            if FAULT == "late":
                time.sleep(30)
            if FAULT == "dies":
                sys.exit(1)
            square = moves(*read(game))[0]
            print("status thinking\nsearch", square, "1.5 0 4")
            if FAULT == "garbage":
                print("=!= A1\n = = =")
            text = {"illegal": "a1", "nothing": ""}.get(FAULT, square.upper())
            print(f"=== {text} 10.00 0.01" if FAULT == "spaces" else f"=== {text}/-10/0.1")
            sys.stdout.flush()
        elif line.startswith("quit"):
            return


main()
