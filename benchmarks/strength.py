"""Who beats whom: the matches that the docs claim, and what lanes and threads cost and gain.

    python benchmarks/strength.py            # the matches that are claimed, half an hour
    python benchmarks/strength.py --lanes    # UCT in lanes: at equal playouts, and at equal time
    python benchmarks/strength.py --threads  # two threads on one tree, in the same way
    python benchmarks/strength.py --quick    # a few short games of each, for CI

All games begin at the start position. Every move is searched afresh, with a seed of its own, and
equally good moves are drawn lots for, so that no two games are alike. For other matches there is
`playout match`.

Reading order: a `Claim` is two players on a board and what is expected of them; `claims` lists
those of the docs.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

import playout as po

# What is played


@dataclass(frozen=True)
class Claim:
    """Two players on a board, and how often the first one is expected to win, in per cent."""

    a: po.Searching
    b: po.Searching
    start: po.Position
    expected: float | None = None
    margin: float = 0.0


def player(method: po.Method, playouts: int = 1000) -> po.Searching:
    """A method with a number of playouts for each move."""
    return po.Searching(method, po.Limit(playouts))


def with_playouts(who: po.Searching, playouts: int) -> po.Searching:
    """The same player with another number of playouts."""
    return replace(who, limit=po.Limit(playouts))


def claims() -> list[Claim]:
    """The matches of the docs."""
    flat, ucb, uct = player(po.Flat()), player(po.UCB()), player(po.UCT())
    rave, grave = player(po.RAVE()), player(po.GRAVE())
    board, small = po.Breakthrough(8), po.Breakthrough(5)
    return [
        Claim(uct, flat, board, 79.6, 4.0),
        Claim(ucb, flat, board, 66.4, 5.0),
        Claim(rave, uct, board, 66.7, 4.0),
        Claim(grave, rave, board),
        Claim(replace(uct, policy="guided"), uct, board, 63.0, 4.0),
        Claim(with_playouts(uct, 2000), uct, board, 65.0, 4.0),
        Claim(with_playouts(uct, 200), with_playouts(flat, 200), small, 77.0, 4.0),
    ]


LANES = 16
THREADS = 2
BOARDS = (po.Breakthrough(), po.Othello())


def lanes_matches(playouts: int) -> Iterator[Claim]:
    """UCT with lanes against UCT, in both games."""
    one = player(po.UCT(), playouts)
    for start in BOARDS:
        yield from against_itself(replace(one, method=po.UCT(lanes=LANES)), one, start)


def threads_matches(playouts: int) -> Iterator[Claim]:
    """Two threads on one tree against one, for each method that grows a tree, in both games."""
    for method in (po.UCT(), po.RAVE(), po.GRAVE()):
        one = player(method, playouts)
        for start in BOARDS:
            yield from against_itself(replace(one, threads=THREADS), one, start)


def against_itself(faster: po.Searching, one: po.Searching, start: po.Position) -> Iterator[Claim]:
    """A player who has become faster: with the same playouts, and in the same time."""
    assert one.limit.playouts is not None
    yield Claim(faster, one, start)
    in_its_time = round(one.limit.playouts * speed(faster, start) / speed(one, start))
    yield Claim(with_playouts(faster, in_its_time), one, start)


def speed(who: po.Searching, start: po.Position, seconds: float = 0.2, rounds: int = 5) -> float:
    """A player's playouts per second in the first move: the best of some rounds."""
    return max(rate(who, start, seconds) for _ in range(rounds))


def rate(who: po.Searching, start: po.Position, seconds: float) -> float:
    """The playouts per second of some seconds."""
    searches = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        who.search(start, np.random.SeedSequence(searches))
        searches += 1
    return searches * (who.limit.playouts or 0) / (time.perf_counter() - began)


def shortened(claim: Claim) -> Claim:
    """For --quick: a smaller board and fewer playouts, with nothing expected."""
    board = type(claim.start)(6)
    return Claim(with_playouts(claim.a, 100), with_playouts(claim.b, 100), board)


# The report

HEADER = (
    "| A | B | board | games | A wins | 95 % interval | first | second | expected | within | s |\n"
    "|---|---|---|--:|--:|--:|--:|--:|--:|---|--:|"
)


def line(claim: Claim, match: po.Match, seconds: float) -> str:
    """A match as a line of a markdown table; rates in per cent."""
    low, high = (100 * end for end in match.pairs.score_interval)
    first, second = (100 * share for share in match.meeting.by_side)
    rows = claim.start.board.rows
    expected = within = ""
    if claim.expected is not None:
        expected = f"{claim.expected:g} +-{claim.margin:g}"
        within = "yes" if abs(100 * match.score - claim.expected) <= claim.margin else "NO"
    cells = [
        *match.players, f"{type(claim.start).__name__} {len(rows)}x{len(rows[0])}",
        f"{match.games:,}", f"{100 * match.score:.1f}", f"{low:.1f} - {high:.1f}",
        f"{first:.1f}", f"{second:.1f}", expected, within, f"{seconds:.0f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Play the matches that the docs claim; prints the rates as a markdown table."
    )
    add = parser.add_argument
    add("--lanes", action="store_true", help="UCT with lanes against UCT")
    add("--threads", action="store_true", help="two threads against one")
    add("--quick", action="store_true", help="a few games on a small board, for CI")
    add("--games", type=int, default=None, help="games of each match (1,000)")
    add("--playouts", type=int, default=1000, help="of each move, with --lanes or --threads")
    add("--seed", type=int, default=1)
    add("--processes", type=int, default=os.cpu_count() or 1, help="all cores")
    return parser.parse_args()


def main() -> None:
    """Play, and print a line for each match as it ends."""
    args = arguments()
    if args.lanes or args.threads:
        chosen = list((lanes_matches if args.lanes else threads_matches)(args.playouts))
    elif args.quick:
        quick = (*claims(), *lanes_matches(100), *threads_matches(100))
        chosen = [shortened(claim) for claim in quick]
    else:
        chosen = claims()
    print(HEADER)
    for number, claim in enumerate(chosen):
        began = time.perf_counter()
        match = po.match(
            claim.a,
            claim.b,
            game=claim.start,
            games=args.games or (8 if args.quick else 1000),
            openings=0,
            seed=1000 * args.seed + number,
            workers=args.processes,
        )
        print(line(claim, match, time.perf_counter() - began), flush=True)


if __name__ == "__main__":
    sys.exit(main())
