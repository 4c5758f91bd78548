"""How soon the UCI engine answers `stop`: the time from the command to `bestmove`.

    python benchmarks/stop.py            # a minute
    python benchmarks/stop.py --quick    # a few seconds, for CI

The engine searches in a process of its own and is stopped after a random time. What the pipes and
this script's own threads take is in the figures.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np

PLAYERS = (
    "uct solver",
    "rave solver",
    "grave",
    "rave threads=2",
    "flat",
    "AlphaBeta",
    "AlphaBeta threads=2",
    "AlphaBeta(evaluation='weights')",
)
HEADER = "| `stop` answered, ms | times | median | 90 % | worst |\n|---|--:|--:|--:|--:|"


def latencies(player: str, times: int, longest: float) -> Iterator[float]:
    """Seconds between `stop` and `bestmove`, of one engine after another search each."""
    command = [sys.executable, "-m", "playout", "uci", player, "--variant", "flipello"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    lots = random.Random(1)
    for _ in range(times):
        print("ucinewgame\ngo infinite", file=process.stdin, flush=True)
        process.stdout.readline()
        time.sleep(lots.uniform(0.01, longest))
        began = time.perf_counter()
        print("stop", file=process.stdin, flush=True)
        while not process.stdout.readline().startswith("bestmove"):
            pass
        yield time.perf_counter() - began
    print("quit", file=process.stdin, flush=True)
    process.wait()
    process.stdin.close()
    process.stdout.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure how soon the engine answers `stop`.")
    parser.add_argument("--quick", action="store_true", help="5 searches of 0.1 s, for CI")
    args = parser.parse_args()
    times, longest = (5, 0.1) if args.quick else (50, 0.5)
    print(HEADER)
    for player in PLAYERS:
        found = 1000 * np.array(list(latencies(player, times, longest)))
        figures = np.percentile(found, [50, 90, 100])
        print(f"| {player} | {times} | " + " | ".join(f"{ms:.1f}" for ms in figures) + " |")


if __name__ == "__main__":
    main()
