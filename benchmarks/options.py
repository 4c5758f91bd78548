"""What each option of a search gains and costs: a match against the same search without it.

    python benchmarks/options.py --record options     # all matches, an hour; goes on where it ended
    python benchmarks/options.py --record options --write docs/strength.md
    python benchmarks/options.py --only ppaf --games 100
    python benchmarks/options.py --quick              # a few short games, for CI

`@1000` is playouts a move, `@10000n` nodes, `@0.1s` seconds. The table says how often the option
wins, with the 95 % interval, and how many simulations a second both players make (nodes, of minimax
searches). To measure another option, add a line to `TRIALS`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import playout as po
from playout.arena.players import player_from
from playout.games import board_text

MARKS = ("<!-- benchmarks/options.py: begin -->\n", "<!-- benchmarks/options.py: end -->")
BREAKTHROUGH, OTHELLO = po.Breakthrough(), po.Othello()
ROUNDS = 3  # of timing; the best counts
SECONDS = 0.2  # of each


@dataclass(frozen=True)
class Trial:
    """Two players, as `playout match` reads them."""

    option: str
    without: str
    games: int
    start: po.Position = BREAKTHROUGH

    def __str__(self) -> str:
        return f"{self.option} | {self.without} | {board_text(self.start)}"


CUT = "UCT(c=0.1,cut=0)"
PRIOR = "UCT(c=0.1,cut=0,prior='shallow')"
FOUR, FIVE = po.ConnectFour(), po.Breakthrough(5)
SHUSS = "Halving(method=GRAVE(),amaf=128)@1000"
TRIALS = (
    Trial("uct@1000 mast", "uct@1000", 400),
    Trial("uct@1000 mast", "uct@1000 guided", 200),
    Trial("uct@1000 mast", "uct@6000", 200),
    Trial("uct@10000 mast", "uct@10000", 60),
    Trial("uct@1000 mast", "grave@1000", 200),
    Trial("grave@1000 mast", "grave@1000", 200),
    Trial("uct@1000 mast", "uct@1000", 200, OTHELLO),
    Trial("uct@1000 ppaf", "uct@1000", 200),
    Trial("uct@1000 ppaf", "uct@1000 mast", 100),
    Trial("grave@1000 ppaf", "grave@1000", 60),
    Trial("uct@10000 ppaf", "uct@10000", 100),
    Trial("uct@1000 ppaf keep", "uct@1000", 200),
    Trial("uct@1000 ppaf keep", "uct@1000 ppaf", 200),
    Trial("uct@1000 keep", "uct@1000", 400),
    Trial("uct@10000 ppaf keep", "uct@10000", 76),
    Trial("Halving()@1000", "uct@1000", 1000),
    Trial("Halving()@1000", "uct@1000", 1000, OTHELLO),
    Trial("Halving(method=GRAVE())@1000", "grave@1000", 600),
    Trial(SHUSS, "grave@1000", 600),
    Trial(SHUSS.replace("@1000", "@10000"), "grave@10000", 120),
    Trial(SHUSS, "grave@1000", 600, OTHELLO),
    Trial(f"{SHUSS} guided solver", "grave@1000 guided solver", 400),
    Trial(f"{SHUSS} guided solver", "grave@1000 guided solver", 200, OTHELLO),
    # knowledge in the tree, each part alone
    Trial("UCT(tactics=True)@1000 solver", "uct@1000 solver", 400),
    Trial("UCT(tactics=True)@1000 solver", "uct@1000 solver", 400, FOUR),
    Trial("UCT(proof=0.1)@1000 solver", "uct@1000 solver", 400),
    Trial("UCT(proof=0.3)@1000 solver", "uct@1000 solver", 400),
    Trial("UCT(proof=0.1)@1000 solver", "uct@1000 solver", 400, FOUR),
    Trial("UCT(proof=0.1)@1000 solver", "uct@1000 solver", 400, FIVE),
    Trial("UCT(minimax=0.4)@1000", "uct@1000", 200),
    Trial("UCT(minimax=0.4)@1000", "uct@1000", 200, FOUR),
    Trial("UCT(cut=20)@1000", "uct@1000", 200),
    Trial("UCT(cut=4)@1000", "uct@1000", 200),
    Trial(f"{CUT}@1000", "uct@1000", 200),
    Trial(f"{CUT}@1000", "uct@1000", 200, FOUR),
    Trial("UCT(prior='shallow')@1000", "uct@1000", 200),
    Trial("UCT(prior='shallow')@1000", "uct@1000", 200, FOUR),
    Trial("GRAVE(prior='shallow')@1000", "grave@1000", 200),
    # and on top of others
    Trial("UCT(c=0.1,cut=0,minimax=0.4)@1000 solver", f"{CUT}@1000 solver", 400),
    Trial(f"{PRIOR}@1000 solver", f"{CUT}@1000 solver", 200),
    Trial("UCT(c=0.1,cut=0,prior='shallow',minimax=0.4)@1000 solver", f"{PRIOR}@1000 solver", 200),
    Trial("UCT(c=0.1,cut=0,prior='shallow',proof=0.02)@1000 solver", f"{PRIOR}@1000 solver", 200),
    Trial("GRAVE(cut=0,prior='shallow')@1000 solver", f"{PRIOR}@1000 solver", 200),
    # the best of all against what was the best, and against alpha-beta, at equal time
    Trial(f"{PRIOR}@0.02s solver", "grave@0.02s guided solver", 200),
    Trial(f"{PRIOR}@0.02s solver", "alphabeta@0.02s", 200),
    Trial(f"{PRIOR}@0.02s solver", "alphabeta@0.02s", 200, FOUR),
    # and the more time both have
    Trial(f"{PRIOR}@0.01s solver", "alphabeta@0.01s", 200),
    Trial(f"{PRIOR}@0.1s solver", "alphabeta@0.1s", 100),
    Trial(f"{PRIOR}@1s solver", "alphabeta@1s", 20),
    Trial(f"{PRIOR}@10s solver", "alphabeta@10s", 4),
    Trial("AlphaBeta(evaluation='weights')@0.03s", "uct@0.03s guided solver", 100, OTHELLO),
    Trial("AlphaBeta()@0.03s", "uct@0.03s guided solver", 40, OTHELLO),
    Trial("best@1000", "uct@1000 guided solver", 40, OTHELLO),
    # best-first minimax
    Trial("BestFirst()@10000n", "AlphaBeta()@10000n", 200),
    Trial("BestFirst()@0.02s", "AlphaBeta()@0.02s", 200),
    Trial("BestFirst()@10000n", "AlphaBeta()@10000n", 200, FOUR),
    Trial("BestFirst()@0.02s", "AlphaBeta()@0.02s", 200, FOUR),
    Trial("BestFirst(scope=0)@10000n", "AlphaBeta()@10000n", 200),
    Trial("BestFirst(scope=0)@10000n", "AlphaBeta()@10000n", 200, FOUR),
    Trial("BestFirst()@0.02s", "grave@0.02s guided solver", 100),
)

HEADER = (
    "| option | against | board | games | wins | 95 % interval | per second | against |\n"
    "|---|---|---|--:|--:|--:|--:|--:|"
)


def line(
    trial: Trial, games: int, workers: int, folder: Path | None, seed: int, seconds: float = SECONDS
) -> str:
    """Play a match and time both players."""
    one, other = player_from(trial.option), player_from(trial.without)
    assert isinstance(one, po.Searching)
    assert isinstance(other, po.Searching)
    file = re.sub(r"\W+", "-", str(trial).lower())
    match = po.match(
        one,
        other,
        game=trial.start,
        games=games,
        seed=seed,
        workers=workers,
        record=folder and folder / f"{file}.db",
    )
    low, high = (100 * end for end in match.pairs.score_interval)
    cells = [
        str(trial), f"{match.games:,}", f"{100 * match.score:.1f}", f"{low:.1f} - {high:.1f}",
        *(f"{speed(player, trial.start, seconds) / 1000:,.0f} k" for player in (one, other)),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def speed(player: po.Searching, start: po.Position, seconds: float) -> float:
    """Simulations or nodes per second of one core from the start position: the best round."""
    return max(rate(player, start, seconds) for _ in range(ROUNDS))


def rate(player: po.Searching, start: po.Position, seconds: float) -> float:
    """Simulations, or nodes of alpha-beta, per second of processor time, in some searches."""
    searches, done, began = 0, 0, time.process_time()
    while time.process_time() - began < seconds:
        found = player.search(start, np.random.SeedSequence(searches))
        done += found.playouts or found.nodes
        searches += 1
    return done / (time.process_time() - began)


def shortened(trial: Trial) -> Trial:
    """For --quick: a small board and limit. Alpha-beta's evaluation of Othello needs 8x8."""
    option, without = (
        re.sub(r"@\d+\b(?!\.)", "@50", re.sub(r"@[\d.]+s", "@0.002s", text))
        for text in (trial.option, trial.without)
    )
    only_full_size = trial.start == OTHELLO and ("AlphaBeta" in option or "best" in option)
    return Trial(option, without, 2, trial.start if only_full_size else type(trial.start)(6))


def main() -> int:
    """Play each match, and print its line when it is done."""
    parser = argparse.ArgumentParser(description="What each option of a search gains and costs.")
    add = parser.add_argument
    add("--only", default="", metavar="TEXT", help="matches whose players have this in their names")
    add("--games", type=int, metavar="N", help="of each match, instead of the table's")
    add("--workers", type=int, default=os.cpu_count() or 1)
    add("--seed", type=int, default=1)
    add("--record", type=Path, metavar="FOLDER", help="keep the games here, and go on with them")
    add("--write", type=Path, metavar="PAGE", help="put the table into this page")
    add("--quick", action="store_true", help="a few short games, for CI")
    args = parser.parse_args()
    trials = [trial for trial in TRIALS if args.only.lower() in str(trial).lower()]
    if args.quick:
        trials = [shortened(trial) for trial in trials]
    if args.record is not None:
        args.record.mkdir(parents=True, exist_ok=True)
    lines = [HEADER]
    print(HEADER)
    for trial in trials:
        games = args.games or trial.games
        seconds = SECONDS / 100 if args.quick else SECONDS
        lines.append(line(trial, games, args.workers, args.record, args.seed, seconds))
        print(lines[-1], flush=True)
    if args.write is not None:
        write(args.write, lines[1:])
    return 0


def write(page: Path, lines: list[str]) -> None:
    """Put lines into the table of a page, in the order of `TRIALS`. Other lines of it stay."""
    before, _, rest = page.read_text().partition(MARKS[0])
    old, _, after = rest.partition(MARKS[1])
    known = {_named(row): row for row in [*old.splitlines(), *lines]}
    rows = [known[str(trial)] for trial in TRIALS if str(trial) in known]
    page.write_text("\n".join([before + MARKS[0], HEADER, *rows, "", MARKS[1]]) + after)


def _named(row: str) -> str:
    """The cells of a line that name its match."""
    return " | ".join(cell.strip() for cell in row.split("|")[1:4])


if __name__ == "__main__":
    sys.exit(main())
