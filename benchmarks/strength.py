"""Matches between search methods, with alternating colours.

    python benchmarks/strength.py            # the matches in docs/searches.md, half an hour
    python benchmarks/strength.py --lanes    # UCT in lanes: at equal playouts, and at equal time
    python benchmarks/strength.py --threads  # two threads on one tree, in the same way
    python benchmarks/strength.py --quick    # a few short games of each, for CI
    python benchmarks/strength.py "RAVE(bias=1e-4)" "UCT(c=0.7)" --games 200 --playouts 2000
    python benchmarks/strength.py UCT UCT --policies guided random --game "Othello(6)" --seconds 0.1

Every move is a new search with its own seed, and ties are drawn at random, so games differ. The
interval is Wilson's, at 95 %; a draw is half a win.

Reading order: a `Match` is two `Player`s and a start, `play` plays one game of it, `score`
distributes games to processes, and `claims` lists the expected results.
"""

from __future__ import annotations

import argparse
import functools
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

import playout as po

# A match


@dataclass(frozen=True)
class Player:
    """A method and the limit of its searches."""

    method: po.Method
    policy: str = "random"
    playouts: int | None = 1000
    seconds: float | None = None
    threads: int = 1

    def move(self, position: po.Position, seed: np.random.SeedSequence) -> str:
        """The chosen move."""
        result = po.search(
            position,
            self.method,
            playouts=self.playouts,
            seconds=self.seconds,
            policy=self.policy,
            seed=seed,
            threads=self.threads,
        )
        return result.move

    def __str__(self) -> str:
        guided = "" if self.policy == "random" else f" {self.policy}"
        limit = f"{self.seconds:g} s" if self.playouts is None else f"{self.playouts:,}"
        threads = "" if self.threads == 1 else f", {self.threads} threads"
        return f"{self.method!r}{guided}, {limit}{threads}"


@dataclass(frozen=True)
class Match:
    """Two players and a start, and the expected share of A's wins in per cent."""

    a: Player
    b: Player
    start: po.Position
    expected: float | None = None
    margin: float = 0.0


def play(match: Match, seed: int, game: int) -> float:
    """A game's result for player A, who moves first in every second game."""
    position = match.start.copy()
    players = (match.a, match.b) if game % 2 == 0 else (match.b, match.a)
    while not position.is_over:
        ply = len(position.history)
        move_seed = np.random.SeedSequence(seed, spawn_key=(game, ply))
        position.push(players[position.turn].move(position, move_seed))
    result = position.result
    assert result is not None
    return result if game % 2 == 0 else 1.0 - result


def score(match: Match, seed: int, games: int, executor: Executor) -> list[float]:
    """The results of `games` games for player A."""
    results: list[float] = []
    for result in executor.map(functools.partial(play, match, seed), range(games)):
        results.append(result)
        if sys.stderr.isatty():
            print(f"\r{sum(results):g} of {len(results)} ", end="", file=sys.stderr)
    return results


def wilson(mean: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % confidence interval of a rate that was measured as `mean` in n games."""
    centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    return centre - half, centre + half


# What is expected


def claims() -> list[Match]:
    """The first matches of the table in docs/searches.md."""
    flat, ucb, uct = Player(po.Flat()), Player(po.UCB()), Player(po.UCT())
    rave, grave = Player(po.RAVE()), Player(po.GRAVE())
    board, small = po.Breakthrough(8), po.Breakthrough(5)
    return [
        Match(uct, flat, board, 79.6, 4.0),
        Match(ucb, flat, board, 66.4, 5.0),
        Match(rave, uct, board, 66.7, 4.0),
        Match(grave, rave, board),
        Match(replace(uct, policy="guided"), uct, board, 63.0, 4.0),
        Match(replace(uct, playouts=2000), uct, board, 65.0, 4.0),
        Match(replace(uct, playouts=200), replace(flat, playouts=200), small, 77.0, 4.0),
    ]


LANES = 16
THREADS = 2
BOARDS = (po.Breakthrough(), po.Othello())


def lanes_matches(playouts: int) -> Iterator[Match]:
    """UCT with lanes against UCT, in Breakthrough and Othello."""
    one = Player(po.UCT(), playouts=playouts)
    for start in BOARDS:
        yield from against_itself(replace(one, method=po.UCT(lanes=LANES)), one, start)


def threads_matches(playouts: int) -> Iterator[Match]:
    """Two threads on one tree against one, for each tree method, in Breakthrough and Othello."""
    for method in (po.UCT(), po.RAVE(), po.GRAVE()):
        one = Player(method, playouts=playouts)
        for start in BOARDS:
            yield from against_itself(replace(one, threads=THREADS), one, start)


def against_itself(faster: Player, one: Player, start: po.Position) -> Iterator[Match]:
    """A faster player against itself: with the same playouts, and in the same time."""
    assert one.playouts is not None
    yield Match(faster, one, start)
    in_its_time = round(one.playouts * speed(faster, start) / speed(one, start))
    yield Match(replace(faster, playouts=in_its_time), one, start)


def speed(player: Player, start: po.Position, seconds: float = 0.2, rounds: int = 5) -> float:
    """A player's playouts per second in the first move: the best of some rounds."""
    return max(rate(player, start, seconds) for _ in range(rounds))


def rate(player: Player, start: po.Position, seconds: float) -> float:
    """The playouts per second in a search of `seconds` seconds."""
    searches = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        player.move(start, np.random.SeedSequence(searches))
        searches += 1
    return searches * (player.playouts or 0) / (time.perf_counter() - began)


def shortened(match: Match) -> Match:
    """For --quick: a smaller board and fewer playouts, with nothing expected."""
    board, few = type(match.start)(6), 100
    return Match(replace(match.a, playouts=few), replace(match.b, playouts=few), board)


# The report

HEADER = (
    "| A | B | board | games | A wins | 95 % interval | first | second | expected | within | s |\n"
    "|---|---|---|--:|--:|--:|--:|--:|--:|---|--:|"
)


def line(match: Match, results: Sequence[float], seconds: float) -> str:
    """A match as a line of a markdown table; rates in per cent."""
    mean = sum(results) / len(results)
    low, high = wilson(mean, len(results))
    sides = [100 * sum(side) / len(side) for side in (results[::2], results[1::2]) if side]
    expected = within = ""
    if match.expected is not None:
        expected = f"{match.expected:g} +-{match.margin:g}"
        within = "yes" if abs(100 * mean - match.expected) <= match.margin else "NO"
    cells = [
        str(match.a), str(match.b), board_of(match.start), f"{len(results):,}", f"{100 * mean:.1f}",
        f"{100 * low:.1f} - {100 * high:.1f}", *(f"{side:.1f}" for side in sides),
        expected, within, f"{seconds:.0f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def board_of(position: po.Position) -> str:
    """A game and the size of its board."""
    rows = position.board.rows
    return f"{type(position).__name__} {len(rows)}x{len(rows[0])}"


def expression(text: str) -> object:
    """A method or a game as in Python, without `po.`; a name alone is enough."""
    names = {name: getattr(po, name) for name in po.__all__}
    value = eval(text, {"__builtins__": {}}, names)
    return value() if isinstance(value, type) else value


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Play matches between methods of search; prints the rates as a markdown table. "
        "Without A and B: the matches of docs/searches.md."
    )
    add = parser.add_argument
    add("a", nargs="?", type=expression, help='a method, such as UCT or "RAVE(bias=1e-4)"')
    add("b", nargs="?", type=expression, help="its opponent")
    add("--lanes", action="store_true", help="UCT with lanes against UCT")
    add("--threads", action="store_true", help="two threads against one")
    add("--quick", action="store_true", help="a few games on a small board, for CI")
    add("--games", type=int, default=None, help="games of each match (1,000)")
    add("--game", type=expression, default=po.Breakthrough(), help='such as "Breakthrough(6, 5)"')
    add("--playouts", type=int, default=1000, help="of each move (1,000)")
    add("--seconds", type=float, default=None, help="of each move, instead of playouts")
    add("--policies", nargs=2, default=("random", "random"), help="of A's and of B's playouts")
    add("--seed", type=int, default=1)
    add("--processes", type=int, default=os.cpu_count() or 1, help="all cores")
    args = parser.parse_args()
    if args.a is not None and args.b is None:
        parser.error("A needs an opponent: name B too")
    return args


def main() -> None:
    """Play, and print a line for each match as it ends."""
    args = arguments()
    if args.a is None:
        matches = claims()
        if args.lanes or args.threads:
            matches = list((lanes_matches if args.lanes else threads_matches)(args.playouts))
        if args.quick:
            quick = (*claims(), *lanes_matches(100), *threads_matches(100))
            matches = [shortened(match) for match in quick]
    else:
        playouts = None if args.seconds else args.playouts
        a, b = (
            Player(method, policy, playouts, args.seconds)
            for method, policy in zip((args.a, args.b), args.policies, strict=True)
        )
        matches = [Match(a, b, args.game)]
    games = args.games or (8 if args.quick else 1000)
    print(HEADER)
    with ProcessPoolExecutor(args.processes) as executor:
        for number, match in enumerate(matches):
            began = time.perf_counter()
            results = score(match, 1000 * args.seed + number, games, executor)
            print(line(match, results, time.perf_counter() - began), flush=True)


if __name__ == "__main__":
    main()
