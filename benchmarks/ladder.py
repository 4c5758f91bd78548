"""How strong every method is: a tournament on each board, one scale of ratings for each.

    python benchmarks/ladder.py --record ladder        # all boards, hours; goes on where it ended
    python benchmarks/ladder.py --record ladder --write docs/strength.md
    python benchmarks/ladder.py --boards "Othello 6x6" --limit 10000
    python benchmarks/ladder.py --quick                # a few short games, for CI

Every method plays with its defaults and the same limit, once alone and, if it grows a tree, once
with the solver and guided playouts. Engines that are installed take part at stated limits of their
own: Fairy-Stockfish on Breakthrough and Connect Four, gtp-rhino on Othello.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import playout as po
from playout.arena.limit import Limit, limit_from
from playout.games import GAMES, game_of, size_text
from playout.methods import METHODS

BOARDS = {
    f"{GAMES[name].title} {size_text(size)}": GAMES[name].start(*size)
    for name, size in (
        ("breakthrough", (5, 5)),
        ("breakthrough", (6, 6)),
        ("breakthrough", (8, 8)),
        ("othello", (6, 6)),
        ("othello", (8, 8)),
        ("connect-four", (6, 7)),
    )
}
ENGINES = {
    "breakthrough": ("uci:fairy-stockfish@100n", "uci:fairy-stockfish@1000n"),
    "connect-four": ("uci:fairy-stockfish@100n", "uci:fairy-stockfish@1000n"),
    "othello": ("gtp:'gtp-rhino -l 1'@1s",),
}
DEPTHS = (2, 4)  # of alpha-beta, which counts no playouts
MARKS = ("<!-- benchmarks/ladder.py: begin -->\n", "<!-- benchmarks/ladder.py: end -->")


def players(start: po.Position, limit: Limit) -> list[object]:
    """Who plays on a board."""
    found: list[object] = []
    for kind in METHODS.values():
        method = kind()
        if not method.suits(start):
            continue
        if not method.plays_out:
            found += [po.AlphaBeta(depth=depth) for depth in DEPTHS]
            continue
        found.append(po.Searching(method, limit))
        if method.grows_tree:
            found.append(po.Searching(method, limit, policy="guided", solver=True))
    game = game_of(start)
    assert game is not None
    return found + [engine for engine in ENGINES[game.name] if is_here(engine, start)]


def is_here(engine: str, start: po.Position) -> bool:
    """Whether an engine is installed and knows the board."""
    try:
        return po.check_engine(engine, start).is_good
    except ValueError:
        return False


def table(name: str, found: po.Tournament) -> str:
    """The ratings of a board, the strongest first, as markdown."""
    lines = [f"## {name}\n", "| player | Elo | 95 % | games | score |", "|---|--:|--:|--:|--:|"]
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
    add("--quick", action="store_true", help="two games, 50 playouts, two boards, for CI")
    args = parser.parse_args()
    if args.quick:
        args.limit, args.games, args.boards = "50", 2, ["Breakthrough 5x5", "Othello 6x6"]
    limit = limit_from(args.limit, "--limit: ")
    if args.record is not None:
        args.record.mkdir(parents=True, exist_ok=True)
    tables = [f"Limit of our methods: {limit.words}; seed {args.seed}.\n"]
    for name in args.boards:
        began = time.perf_counter()
        start = BOARDS[name]
        file = f"{name.lower().replace(' ', '-')}-{args.limit}.db"
        found = po.tournament(
            players(start, limit),
            game=start,
            games=args.games,
            seed=args.seed,
            workers=args.workers,
            record=args.record and args.record / file,
        )
        tables.append(table(name, found))
        print(tables[-1], flush=True)
        print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    if args.write is not None:
        before, _, rest = args.write.read_text().partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        args.write.write_text(
            before + MARKS[0] + "\n" + "\n".join(tables) + "\n" + MARKS[1] + after
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
