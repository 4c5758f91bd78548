"""The gain of each module compiled for v3 and v4 over its portable form.

    python benchmarks/levels.py              # the table in docs/speed.md, some minutes
    python benchmarks/levels.py --quick      # once, for CI

The modules are those of HOT in setup.py. Each is left out of a copy of the installed library, so
that Python falls back to the portable form. Every copy does the same work in its own process, and
the copies take turns. The least processor time counts, because other work on the machine does not
increase it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import mcts_core
import playout as po
from mcts_core.cpu import supported
from playout.measure import cpu_model

ALL = "all"  # the copy that leaves nothing out


def middle(seed: int) -> po.Othello:
    """Othello after twenty random moves."""
    choice, position = random.Random(seed), po.Othello()
    for _ in range(20):
        position.push(choice.choice(position.legal_moves))
    return position


def late(seed: int) -> po.Othello:
    """An unfinished position of Othello with at most ten empty squares, from a random game."""
    position = po.Othello()
    for move in po.playout(position, seed=seed).moves[:50]:
        position.push(move)
    return position


def works() -> dict[str, Callable[[], object]]:
    """The kinds of work, each of which takes tens of milliseconds."""
    b5, b8, o8 = po.Breakthrough(5), po.Breakthrough(), po.Othello()
    middles, ends = [middle(seed) for seed in range(6)], [late(seed) for seed in range(1, 40)]
    return {
        "playouts 5x5": lambda: po.playouts(b5, 2_000_000, seed=1),
        "playouts 8x8": lambda: po.playouts(b8, 400_000, seed=1),
        "playouts Othello": lambda: po.playouts(o8, 100_000, seed=1),
        "guided 8x8": lambda: po.playouts(b8, 25_000, seed=1, policy="guided"),
        "UCT 8x8": lambda: po.search(b8, "uct", playouts=40_000, seed=1),
        "UCTTuned 8x8": lambda: po.search(b8, "ucttuned", playouts=40_000, seed=1),
        "RAVE 8x8": lambda: po.search(b8, "rave", playouts=40_000, seed=1),
        "GRAVE 8x8": lambda: po.search(b8, "grave", playouts=20_000, seed=1),
        "RAVE Othello": lambda: po.search(o8, "rave", playouts=20_000, seed=1),
        "RAVE 5x5, solver": lambda: po.search(b5, "rave", playouts=40_000, seed=1, solver=True),
        "UCT 8x8, lanes": lambda: po.search(b8, po.UCT(lanes=16), playouts=40_000, seed=1),
        "RAVE 8x8, 2 threads": lambda: po.search(b8, "rave", playouts=40_000, seed=1, threads=2),
        "flat 5x5": lambda: po.search(b5, "flat", playouts=300_000, seed=1),
        "alpha-beta": lambda: [po.search(p, po.AlphaBeta(depth=7)) for p in middles],
        "endgames": lambda: [po.solve(p) for p in ends * 6],
        "proof 5x5": lambda: po.solve(b5, nodes=20_000),
        "perft Othello": lambda: o8.perft(9),
    }


def timed(rounds: int) -> dict[str, float]:
    """The least time of each kind of work in seconds, after one unmeasured run."""
    least = {}
    for name, work in works().items():
        work()
        times = []
        for _ in range(rounds):
            begin = time.process_time()
            work()
            times.append(time.process_time() - begin)
        least[name] = min(times)
    return least


def copies(folder: Path, level: str) -> dict[str, Path]:
    """Copies of the library: for each module of the level, one without it; and one with all."""
    core, layer = Path(mcts_core.__file__).parent, Path(po.__file__).parent
    made = {}
    for left_out in [None, *sorted((core / level).rglob("*.so"))]:
        name = ALL if left_out is None else left_out.name.partition(".")[0]
        made[name] = folder / name
        shutil.copytree(core, made[name] / "mcts_core")
        shutil.copytree(layer, made[name] / "playout")
        if left_out is not None:
            (made[name] / "mcts_core" / left_out.relative_to(core)).unlink()
    return made


def measure(level: str, rounds: int) -> dict[str, dict[str, float]]:
    """The least time of each kind of work with each copy."""
    least: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        made = copies(Path(folder), level)
        for _ in range(rounds):
            for name, path in made.items():
                environment = {"PYTHONPATH": str(path), "PLAYOUT_CPU": level}
                run = subprocess.run(
                    [sys.executable, "-P", __file__, "--here", str(rounds)],
                    env=os.environ | environment | {"OPENBLAS_NUM_THREADS": "1"},
                    stdout=subprocess.PIPE,
                    text=True,
                    check=True,
                )
                best = least.setdefault(name, {})
                for work, seconds in json.loads(run.stdout).items():
                    best[work] = min(seconds, best.get(work, seconds))
    return least


def rows(level: str, least: dict[str, dict[str, float]]) -> list[str]:
    """For each module, the kinds of work that gain most from it, with the ratios."""
    lines = []
    for name, seconds in least.items():
        if name != ALL:
            gains = {work: took / least[ALL][work] for work, took in seconds.items()}
            top = sorted(gains, key=lambda work: gains[work], reverse=True)[:3]
            shown = ", ".join(f"{work} {gains[work]:.2f}" for work in top)
            lines.append(f"| {level} | `{name}` | {shown} |")
    return lines


def main() -> None:
    """Measure both levels, where this machine has them, and print the table."""
    parser = argparse.ArgumentParser(description="What the modules of v3 and v4 gain.")
    parser.add_argument("--quick", action="store_true", help="once, for CI")
    parser.add_argument("--here", type=int, metavar="ROUNDS", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.here:
        print(json.dumps(timed(args.here)))
        return
    levels = [n for n in mcts_core.built_levels if n in supported() and n != "baseline"]
    print("| level | module | gains most in (times as fast as with the portable module) |")
    print("|---|---|---|")
    for level in levels:
        print(*rows(level, measure(level, 1 if args.quick else 2)), sep="\n", flush=True)
    print(f"\nLeast time of the processor, one thread where not said. {cpu_model()}.")


if __name__ == "__main__":
    main()
