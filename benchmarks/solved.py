"""How often searches choose a winning move in positions that are solved exactly.

    python benchmarks/solved.py                        # a few minutes
    python benchmarks/solved.py --write docs/strength.md
    python benchmarks/solved.py --quick                # a few positions, for CI

Breakthrough 5x5: the 400 positions of `sample_efficiency.py`, from games of random moves and from
games of short searches. Some moves of each win and others lose. Each player searches each position
once, with a seed of its own.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import playout as po
from ladder import put
from playout import intervals
from playout.arena.players import player_from
from sample_efficiency import FULL, QUICK, Puzzle, drawn

PLAYERS = (
    "best@0.01s",
    "best@10000n",
    "UCT(c=0.1,cut=0,prior='shallow')@2000 solver",
    "UCT(tactics=True)@2000 guided solver",
    "GRAVE(tactics=True)@2000 guided solver",
    "UCT()@2000 guided solver",
    "GRAVE()@2000 guided solver",
    "UCT()@2000 solver",
    "UCT()@2000",
)
MARKS = ("<!-- benchmarks/solved.py: begin -->\n", "<!-- benchmarks/solved.py: end -->")
HEAD = "| player | right | of | 95 % interval |\n|---|--:|--:|--:|"


def hits(player: po.Searching, puzzles: list[Puzzle]) -> NDArray[np.bool_]:
    """Whether the player's move wins, for each position."""
    found = []
    for number, puzzle in enumerate(puzzles):
        position = po.Breakthrough.from_fen(puzzle.fen)
        move = player.search(position, np.random.SeedSequence(number)).move
        found.append(position.legal_moves.index(move) in puzzle.wins)
    return np.array(found)


def main() -> int:
    """Search all positions with each player, and print its line when it is done."""
    parser = argparse.ArgumentParser(description="How often searches choose a winning move.")
    add = parser.add_argument
    add("--write", type=Path, metavar="PAGE", help="put the table into this page")
    add("--quick", action="store_true", help="a few positions, for CI")
    args = parser.parse_args()
    puzzles = list(drawn(QUICK if args.quick else FULL))
    lines = [HEAD]
    print(HEAD)
    for text in PLAYERS:
        player = player_from(text)
        assert isinstance(player, po.Searching)
        found = hits(player, puzzles)
        band = intervals.of_rates(found)
        lines.append(
            f"| `{text}` | {100 * band.mean:.1f} % | {len(found)} | "
            f"{100 * band.low:.1f} - {100 * band.high:.1f} |"
        )
        print(lines[-1], flush=True)
    if args.write is not None:
        put(args.write, MARKS, "\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
