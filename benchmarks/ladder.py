"""How strong every method is: a tournament on each board, one scale of ratings for each.

    python benchmarks/ladder.py --record ladder        # all boards, hours; goes on where it ended
    python benchmarks/ladder.py --record ladder --write docs/strength.md
    python benchmarks/ladder.py --boards "Othello 6x6" --limit 10000
    python benchmarks/ladder.py --levels --games 100 --write docs/strength.md
    python benchmarks/ladder.py --quick                # a few short games, for CI

Every method plays with its defaults and the same limit, once alone and, if it grows a tree, once
with the solver and guided playouts. Searches that only look ahead get ten nodes for each playout of
the others, which takes them about as long. Engines that are installed take part at stated limits of
their own: Fairy-Stockfish on Breakthrough and Connect Four, gtp-rhino on Othello.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import playout as po
from playout.arena.limit import Limit, limit_from
from playout.evaluation import predicts_results
from playout.games import board_text, game_of
from playout.methods import METHODS

BOARDS = {
    board_text(start): start
    for start in (
        po.Breakthrough(5),
        po.Breakthrough(6),
        po.Breakthrough(),
        po.Othello(6),
        po.Othello(),
        po.ConnectFour(),
    )
}
ENGINES = {
    "breakthrough": ("uci:fairy-stockfish@100n", "uci:fairy-stockfish@1000n"),
    "connect-four": ("uci:fairy-stockfish@100n", "uci:fairy-stockfish@1000n"),
    "othello": ("gtp:'gtp-rhino -l 1'@1s",),
}
NODES = 10  # of a search that only looks ahead, for each playout of the others
WITH_EVALUATION = po.UCT(c=0.1, cut=0, prior="shallow")
MARKS = ("<!-- benchmarks/ladder.py: begin -->\n", "<!-- benchmarks/ladder.py: end -->")
LEVEL_MARKS = ("<!-- ladder.py --levels: begin -->\n", "<!-- ladder.py --levels: end -->")


def players(start: po.Position, limit: Limit) -> list[object]:
    """Who plays on a board."""
    rules = [method for kind in METHODS.values() if (method := kind()).suits(start)]
    found: list[object] = [po.Searching(method, limit) for method in rules]
    trees = [method for method in rules if method.grows_tree]
    for method in (*trees, po.Halving(po.GRAVE(), amaf=128)):
        found.append(po.Searching(method, limit, policy="guided", solver=True))
    if predicts_results(start):
        ahead = limit if limit.playouts is None else Limit(nodes=NODES * limit.playouts)
        found += [po.Searching(method, ahead) for method in (po.AlphaBeta(), po.BestFirst())]
        found.append(po.Searching(WITH_EVALUATION, limit, solver=True))
        found.append(po.Searching(po.Best(), limit, label="best"))
    game = game_of(start)
    assert game is not None
    return found + [engine for engine in ENGINES[game.name] if is_here(engine, start)]


def is_here(engine: str, start: po.Position) -> bool:
    """Whether an engine is installed and knows the board."""
    try:
        return po.check_engine(engine, start).is_good
    except ValueError:
        return False


def table(heading: str, found: po.Tournament) -> str:
    """The ratings of a board, the strongest first, as markdown."""
    lines = [f"{heading}\n", "| player | Elo | 95 % | games | score |", "|---|--:|--:|--:|--:|"]
    ratings = found.ratings
    for index in found.ranking:
        meetings = [found.meeting(index, other) for other in range(len(ratings)) if other != index]
        games = sum(meeting.games for meeting in meetings)
        points = sum(meeting.games * meeting.pairs.score for meeting in meetings)
        rating = ratings[index]
        lines.append(
            f"| {found.players[index]} | {rating.elo:+.0f} | +-{rating.error:.0f} | {games} | "
            f"{100 * points / max(games, 1):.0f} % |"
        )
    return "\n".join(lines) + "\n"


def put(page: Path, marks: tuple[str, str], text: str) -> None:
    """Put a text between the two marks of a page."""
    before, begin, rest = page.read_text().partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not begin or not end:
        raise SystemExit(f"{page} lacks the lines {marks[0].strip()} and {marks[1]}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}")


def main() -> int:
    """Play on each board, and print its table when it is done."""
    parser = argparse.ArgumentParser(description="Rate every method on every board.")
    add = parser.add_argument
    add("--boards", nargs="+", choices=BOARDS, default=[*BOARDS], metavar="BOARD")
    add("--limit", default="1000", help='of a move: "1000", "50000n" or "0.1s"; 1000 playouts')
    add("--games", type=int, default=20, help="of each two players (20)")
    add("--workers", type=int, default=os.cpu_count() or 1)
    add("--seed", type=int, default=1)
    add("--record", type=Path, metavar="FOLDER", help="keep the games here, and go on with them")
    add("--write", type=Path, metavar="PAGE", help="put the tables into this page")
    add("--levels", action="store_true", help="the named levels instead: each meets the next")
    add("--quick", action="store_true", help="two games, 50 playouts, two boards, for CI")
    args = parser.parse_args()
    if args.quick:
        args.limit, args.games, args.boards = "50", 2, ["Breakthrough 5x5", "Othello 6x6"]
    limit = limit_from(args.limit, "--limit: ")
    if args.record is not None:
        args.record.mkdir(parents=True, exist_ok=True)
    tables = [f"Limit of our methods: {limit.words}; seed {args.seed}.\n"]
    if args.levels:
        tables = [f"Each level meets the next, {args.games} games; seed {args.seed}.\n"]
    for name in args.boards:
        began = time.perf_counter()
        start = BOARDS[name]
        file = f"{name.lower().replace(' ', '-')}-{'levels' if args.levels else args.limit}.db"
        found = po.tournament(
            po.levels(start) if args.levels else players(start, limit),
            schedule="ladder" if args.levels else "round robin",
            game=start,
            games=args.games,
            seed=args.seed,
            workers=args.workers,
            record=args.record and args.record / file,
        )
        heading = f"### Levels on {name}" if args.levels else f"## {name}"
        tables.append(table(heading, found))
        print(tables[-1], flush=True)
        print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    if args.write is not None:
        put(args.write, LEVEL_MARKS if args.levels else MARKS, "\n".join(tables))
    return 0


if __name__ == "__main__":
    sys.exit(main())
