"""The process in which a bot runs: `python -m playout.engines.bot_process bot.py choose`.

`bot` describes the lines. The bot's own standard input is empty, and what it prints goes to
standard error, so that it cannot disturb the answers.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import time
import traceback
from collections.abc import Callable
from threading import Thread
from typing import TextIO

from mcts_core.errors import BadMethod, did_you_mean, shown
from mcts_core.position import Position
from playout.arena.openings import after
from playout.games import GAMES

STDIN, STDOUT, STDERR = range(3)
WATCH = 1.0  # seconds between two looks at whether the process that plays still runs


def main() -> None:
    """Answer each position by a move, until `quit` or the end of the input."""
    path, name = sys.argv[1:]
    questions, answers = os.fdopen(os.dup(STDIN)), os.fdopen(os.dup(STDOUT), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), STDIN)
    os.dup2(STDERR, STDOUT)
    Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    try:
        choose = function_in(path, name)
    except BadMethod as fault:
        say(answers, "error", str(fault))
        return
    say(answers, "ready")
    for line in questions:
        if line.strip() == "quit":
            return
        try:
            move = choose(position_from(line))
            # A legal move has no space in it.
            text = move if isinstance(move, str) else f"{type(move).__name__} {shown(move)}"
        except (Exception, SystemExit) as fault:
            traceback.print_exc()
            say(answers, "error", f"{type(fault).__name__}: {fault}")
        else:
            say(answers, "move", text)


def say(answers: TextIO, word: str, text: str = "") -> None:
    """Write an answer."""
    print(word, json.dumps(text), file=answers, flush=True)


def position_from(line: str) -> Position:
    """The position that `bot.told` wrote."""
    found = json.loads(line)
    return after(GAMES[found["game"]].position.from_fen(found["start"]), found["moves"])


def function_in(path: str, name: str) -> Callable[[Position], object]:
    """The function of this name in a file; BadMethod if there is none."""
    try:
        names = runpy.run_path(path)
    except OSError as fault:
        raise BadMethod(f"{path} cannot be read: {fault.strerror}") from None
    except (Exception, SystemExit) as fault:
        raise BadMethod(f"{path} cannot be run: {type(fault).__name__}: {fault}") from None
    function = names.get(name)
    if not callable(function):
        functions = [known for known, value in names.items() if callable(value)]
        raise BadMethod(
            f"{path} has no function {name!r}{did_you_mean(name, functions)} Write "
            f"def {name}(position), which returns one of position.legal_moves"
        )
    return function  # type: ignore[no-any-return]


def end_with(parent: int) -> None:
    """End this process when its parent has ended, whatever the bot is doing."""
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)


if __name__ == "__main__":
    main()
