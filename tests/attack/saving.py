"""Kill a process while it saves a game, and check the folder."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import playout as po
from playout.cli import record
from playout.record import Record

PROMISE = "a saved game is complete whenever its program is killed, and nothing is left behind"

MOVES = 20

# Saves a game of MOVES moves and one with a move more in turn. Ctrl-C must raise there. Another
# writer may have saved either one when this process reads the file, so both are made again.
SAVES = f"""
import signal, sys
from itertools import cycle
from pathlib import Path
from playout.cli import record
signal.signal(signal.SIGINT, signal.default_int_handler)
path = Path(sys.argv[1])
short, long = record.read(path), record.read(path)
for game in short, long:
    while len(game.position.history) > {MOVES}:
        game.position.pop()
long.position.push(long.position.legal_moves[0])
try:
    print("saving", flush=True)
    for game in cycle([long, short]):
        record.write(path, game)
except KeyboardInterrupt:
    sys.exit(130)
"""
LATEST = 0.02  # seconds until the kill, at most; several saves take place in this time


def attack(night: bool) -> str:
    """Kill one process that saves, or two that save the same game in turns."""
    rng = random.Random(1)
    writers = [1, 2] * (67 if night else 8)
    within = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        record.write(path, _game())
        for number, at_once in enumerate(writers):
            sent = signal.SIGINT if number % 4 >= 2 else signal.SIGKILL
            within += _killed(path, sent, rng, at_once)
    return f"{sum(writers)} kills while saving, {within} hit a save: 0 broken records, 0 files left"


def _game() -> Record:
    position = po.Breakthrough()
    choice = random.Random(2)
    for _ in range(MOVES):
        position.push(choice.choice(position.legal_moves))
    return Record(position, ("you", "uct@1000"), seed=1)


def _killed(path: Path, sent: signal.Signals, rng: random.Random, writers: int) -> bool:
    """Kill the saving processes. Returns whether one left a partial save (never after Ctrl-C)."""
    what = f"{sent.name} to {writers} at once"
    processes = [_saving(path) for _ in range(writers)]
    time.sleep(rng.uniform(0, LATEST))
    for process in processes:
        process.send_signal(sent)
    expected = 130 if sent == signal.SIGINT else -sent
    for process in processes:
        _, told = process.communicate(timeout=60)
        assert process.returncode == expected, f"{what}: exit code {process.returncode}: {told}"
    left = set(path.parent.iterdir()) - {path}
    assert sent == signal.SIGKILL or not left, f"{what} left {left}"
    found = record.read(path)  # a Fault if it is broken
    moves = len(found.position.history)
    assert moves in (MOVES, MOVES + 1), f"{what}: {moves} moves"
    record.write(path, _game())
    assert set(path.parent.iterdir()) == {path}, f"{what}: left after the next save"
    return bool(left)


def _saving(path: Path) -> subprocess.Popen[str]:
    """A process that has begun to save."""
    process = subprocess.Popen(
        [sys.executable, "-c", SAVES, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "saving\n"
    return process
