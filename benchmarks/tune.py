"""Whether other settings of the tree methods are stronger than the defaults, on each board.

    python benchmarks/tune.py --record tuning          # all boards, hours; goes on where it ended
    python benchmarks/tune.py --record tuning --write docs/strength.md
    python benchmarks/tune.py --settings "grave ref" --boards "Othello 6x6" --limit 10000
    python benchmarks/tune.py --settings "uct lanes" --limit 0.01s
    python benchmarks/tune.py --quick                  # a few short games, for CI

`playout.tune` draws candidates at random and lets the better half play on until one is left. The
table shows the match of that one against the defaults, on openings of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

import playout as po
from ladder import BOARDS, put
from playout.arena.limit import limit_from
from playout.arena.tune import Tuning

RANGES: dict[str, dict[str, tuple[Any, ...]]] = {
    "uct c": {"c": (0.1, 2.0, "log")},
    "uct fpu": {"fpu": (0.3, 1.2)},
    "rave bias": {"bias": (1e-7, 1e-1, "log")},
    "grave ref": {"bias": (1e-7, 1e-1, "log"), "ref": (5, 500, "whole")},
}
AT_A_TIME_LIMIT: dict[str, dict[str, tuple[Any, ...]]] = {"uct lanes": {"lanes": (2, 32, "whole")}}
"""Settings that trade strength for speed, so matches at equal playouts say nothing about them."""
MARKS = ("<!-- benchmarks/tune.py: begin -->\n", "<!-- benchmarks/tune.py: end -->")
HEAD = """| board | defaults | tuned | Elo gained | 95 % | games | better |
|---|---|---|--:|--:|--:|---|"""


def row(board: str, found: Tuning) -> str:
    """The proof of a tuning as a line of the table."""
    low, high = found.proof.interval
    verdict = "yes" if found.is_better else "not shown"
    return (
        f"| {board} | {found.start.method!r} | {found.best!r} | {found.proof.elo:+.0f} | "
        f"{low:+.0f} to {high:+.0f} | {found.proof.games} | {verdict} |"
    )


def main() -> int:
    """Tune each method on each board, and print a line when it is done."""
    parser = argparse.ArgumentParser(description="Tune the tree methods on every board.")
    add = parser.add_argument
    settings = RANGES | AT_A_TIME_LIMIT
    add("--settings", nargs="+", choices=settings, default=[*RANGES], metavar="SETTINGS")
    add("--boards", nargs="+", choices=BOARDS, default=[*BOARDS], metavar="BOARD")
    add("--limit", default="1000", help='of a move: "1000" playouts (the default) or "0.1s"')
    add("--candidates", type=int, default=16, help="of each tuning (16)")
    add("--games", type=int, default=40, help="of each candidate in the first round (40)")
    add("--proof", type=int, default=1000, help="games of the best against the defaults (1,000)")
    add("--workers", type=int, default=os.cpu_count() or 1)
    add("--seed", type=int, default=1)
    add("--record", type=Path, metavar="FOLDER", help="keep the games here, and go on with them")
    add("--write", type=Path, metavar="PAGE", help="put the table into this page")
    add("--quick", action="store_true", help="two candidates, 20 playouts, one board, for CI")
    args = parser.parse_args()
    if args.quick:
        args.limit, args.boards = "20", ["Breakthrough 5x5"]
        args.candidates, args.games, args.proof = 2, 2, 4
    limit = limit_from(args.limit, "--limit: ")
    lines = [f"Limit: {limit.words}; seed {args.seed}.\n", HEAD]
    print(*lines, sep="\n", flush=True)
    for board in args.boards:
        for name in args.settings:
            began = time.perf_counter()
            folder = f"{board} {name} {args.limit}".lower().replace(" ", "-")
            found = po.tune(
                name.partition(" ")[0],
                settings[name],
                game=BOARDS[board],
                candidates=args.candidates,
                games=args.games,
                proof=args.proof,
                playouts=limit.playouts,
                seconds=limit.seconds,
                seed=args.seed,
                workers=args.workers,
                record=args.record and args.record / folder,
            )
            lines.append(row(board, found))
            print(lines[-1], flush=True)
            print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    if args.write is not None:
        put(args.write, MARKS, "\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
