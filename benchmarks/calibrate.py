"""The levels of play: players on each board, each about 100 Elo above the one before.

    python benchmarks/calibrate.py --record levels      # all boards, hours; goes on where it ended
    python benchmarks/calibrate.py --record levels --write python/playout/arena/levels.json
    python benchmarks/calibrate.py --quick              # a few short games, for CI

A family is a method at limits from small to large. Each player of a board's families meets the
next, and all get a rating. Between two players of a family the rating is taken to be linear in the
logarithm of the limit. So there is a limit for each rating: the levels begin at the weakest player
and rise by 100 Elo, by the first family as far as it goes and then by the next. The strongest
player is the last level. `python benchmarks/ladder.py --levels` plays the levels themselves.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import playout as po
from ladder import BOARDS
from playout.evaluation import predicts_results

STEP = 100.0  # Elo between two levels


@dataclass(frozen=True)
class Family:
    """A method at several limits."""

    form: str
    limits: tuple[int, ...]

    @property
    def players(self) -> list[str]:
        """Its players, the weakest first."""
        return [self.form.format(limit) for limit in self.limits]


WEAK = Family("UCT()@{}", (10, 20, 40, 80, 160, 320, 640, 1280, 2560))
GUIDED = Family("UCT()@{} guided solver", (320, 640, 1280, 2560, 5000, 10_000, 20_000))
LONG = Family(
    "UCT()@{} guided solver", (320, 640, 1280, 2560, 5000, 10_000, 20_000, 50_000, 100_000)
)
AHEAD = Family("AlphaBeta()@{}n", (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000))


def rated(start: po.Position, families: list[Family], **how: object) -> list[list[float]]:
    """The ratings of each family's players, of which each has met the next."""
    players = [player for family in families for player in family.players]
    found = po.tournament(players, schedule="ladder", game=start, **how)  # type: ignore[arg-type]
    ratings = iter([rating.elo for rating in found.ratings])
    return [[next(ratings) for _ in family.limits] for family in families]


def levels(families: list[Family], ratings: list[list[float]]) -> list[tuple[float, str]]:
    """Levels in steps of 100 Elo: each with its rating above the first, and its player."""
    lowest = aim = ratings[0][0]
    found: dict[str, float] = {}
    for family, elos in zip(families, ratings, strict=True):
        aim = max(aim, elos[0])
        while (limit := limit_for(aim, family, elos)) is not None:
            found.setdefault(family.form.format(limit), aim - lowest)
            aim += STEP
    best, champion = max(
        (elo, player)
        for family, elos in zip(families, ratings, strict=True)
        for elo, player in zip(elos, family.players, strict=True)
    )
    below = [(elo, player) for player, elo in found.items() if elo <= best - lowest - STEP / 2]
    return [*below, (best - lowest, champion)]


def limit_for(elo: float, family: Family, elos: list[float]) -> int | None:
    """The least limit at which a family reaches a rating; None: it does not."""
    pairs = list(zip(elos, family.limits, strict=True))
    if elo == elos[0]:
        return family.limits[0]
    for (low, less), (high, more) in pairwise(pairs):
        if low < elo <= high:
            share = (elo - low) / (high - low)
            return rounded(math.exp((1 - share) * math.log(less) + share * math.log(more)))
    return None


def rounded(limit: float) -> int:
    """A whole number of two digits and zeros."""
    unit = 10 ** max(0, math.floor(math.log10(limit)) - 1)
    return round(limit / unit) * unit


def main() -> int:
    """Rate the families on each board, and print its levels when it is done."""
    parser = argparse.ArgumentParser(description="Find levels that are 100 Elo apart.")
    add = parser.add_argument
    add("--boards", nargs="+", choices=BOARDS, default=[*BOARDS], metavar="BOARD")
    add("--games", type=int, default=100, help="of each two neighbours (100)")
    add("--workers", type=int, default=os.cpu_count() or 1)
    add("--seed", type=int, default=1)
    add("--record", type=Path, metavar="FOLDER", help="keep the games here, and go on with them")
    add("--write", type=Path, metavar="FILE", help="put the levels into this file")
    add("--quick", action="store_true", help="two games, short families, one board, for CI")
    args = parser.parse_args()
    if args.quick:
        args.games, args.boards = 2, ["Breakthrough 5x5"]
    if args.record is not None:
        args.record.mkdir(parents=True, exist_ok=True)
    known = json.loads(args.write.read_text()) if args.write and args.write.exists() else {}
    for name in args.boards:
        began = time.perf_counter()
        start = BOARDS[name]
        families = [WEAK, GUIDED, AHEAD] if predicts_results(start) else [WEAK, LONG]
        if args.quick:
            families = [Family(family.form, family.limits[:3]) for family in families]
        file = f"{name.lower().replace(' ', '-')}.db"
        ratings = rated(
            start,
            families,
            games=args.games,
            seed=args.seed,
            workers=args.workers,
            record=args.record and args.record / file,
        )
        for family, elos in zip(families, ratings, strict=True):
            for elo, player in zip(elos, family.players, strict=True):
                print(f"{elo:+5.0f} {player}")
        known[name] = [player for _, player in levels(families, ratings)]
        print(f"\n{name}\n")
        for elo, player in levels(families, ratings):
            print(f"{elo:+5.0f}  {player}", flush=True)
        print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
        if args.write is not None:
            args.write.write_text(json.dumps(known, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
