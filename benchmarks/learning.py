"""How strength grows while an evaluation is learned: each generation of a run plays a match.

    playout learn breakthrough --size 8 --minutes 16
    python benchmarks/learning.py breakthrough-8x8.net.run                # a table
    python benchmarks/learning.py breakthrough-8x8.net.run --write docs/learning.md
    python benchmarks/learning.py --quick                                 # a tiny run, for CI

Every generation plays its predecessor, and an evaluation by hand, or GRAVE where there is none. All
searches of alpha-beta have 10,000 nodes. With --write the table and the picture go into the docs.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

import playout as po
from playout.games import GAMES
from playout.learning.learned import Learned
from playout.learning.shipped import learned_from
from playout.render.chart import Curve, svg

MARKS = ("<!-- benchmarks/learning.py {}: begin -->\n", "<!-- benchmarks/learning.py {}: end -->")
PICTURE = "images/learning-{}.svg"
NODES = 10_000
BY_HAND = {"breakthrough": "rows", "othello": "weights"}


@dataclass(frozen=True)
class Line:
    """A generation: what it has learned from, its error, and its scores with their intervals."""

    generation: int
    positions: int
    error: float
    fixed: po.Match
    before: po.Match | None


def lines(folder: Path, games: int) -> tuple[str, str, list[Line]]:
    """The game, the opponent of all generations, and the matches."""
    paths = sorted(folder.glob("generation-*"))
    found_there = [learned_from(str(path)) for path in paths]
    nets = [learned for learned in found_there if learned is not None]
    if not nets:
        raise SystemExit(f"{folder} is not the folder of a run of playout learn")
    game = GAMES[nets[0].facts["game"]]
    start = game.start(*nets[0].size)
    fixed = "grave@1000 solver"
    if game.name in BY_HAND:
        fixed = f"AlphaBeta(evaluation={BY_HAND[game.name]})@{NODES}n"
    found = []
    for i, net in enumerate(nets):
        player, before = player_of(net), None
        if i:
            before = po.match(player, player_of(nets[i - 1]), game=start, games=games, seed=1)
        against = po.match(player, fixed, game=start, games=games, seed=1)
        facts = net.facts
        found.append(Line(i, facts["positions"], facts["error"], against, before))
    return game.name, fixed, found


def player_of(net: Learned) -> str:
    """A player with this evaluation."""
    return f"AlphaBeta(evaluation={str(net.path)!r})@{NODES}n"


def table(fixed: str, found: list[Line]) -> str:
    """The matches as Markdown."""
    rows = [
        f"| generation | positions so far | error | against {fixed} | against the last |",
        "|--:|--:|--:|--:|--:|",
    ]
    for line in found:
        before = "" if line.before is None else score(line.before)
        rows.append(
            f"| {line.generation} | {line.positions:,} | {line.error:.4f} | {score(line.fixed)} "
            f"| {before} |"
        )
    return "\n".join([*rows, "", f"{found[0].fixed.games} games a match."])


def score(match: po.Match) -> str:
    """The share of the points, with its 95 % interval."""
    low, high = match.pairs.score_interval
    return f"{100 * match.score:.1f} % ({100 * low:.0f}-{100 * high:.0f})"


def picture(fixed: str, found: list[Line]) -> str:
    """Score against the fixed opponent by generation."""
    curve = Curve(
        xs=[line.generation for line in found],
        ys=[100 * line.fixed.score for line in found],
        low=[100 * line.fixed.pairs.score_interval[0] for line in found],
        high=[100 * line.fixed.pairs.score_interval[1] for line in found],
    )
    title = f"Wins against {fixed}, per cent"
    return svg(curve, title, "generation", [(50.0, "even")])


def write(page: Path, game: str, text: str, drawn: str) -> None:
    """Put the table between its marks, and the picture beside the page."""
    begin, end = (mark.format(game) for mark in MARKS)
    before, rest = page.read_text(encoding="utf-8").split(begin)
    after = rest.split(end)[1]
    page.write_text(f"{before}{begin}{text}\n{end}{after}", encoding="utf-8")
    (page.parent / PICTURE.format(game)).write_text(drawn + "\n", encoding="utf-8")


def main() -> None:
    """Read the arguments, play, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("run", type=Path, nargs="?", help="the folder of a run")
    parser.add_argument("--games", type=int, default=100, help="of each match")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.run is None and not options.quick:
        parser.error("name the folder of a run, or give --quick")
    with tempfile.TemporaryDirectory() as folder:
        run, games = options.run, options.games
        if options.quick:
            out, games = Path(folder, "quick.net"), 4
            po.learn(po.Breakthrough(5), out=out, minutes=0.01, nodes=50)
            run = Path(folder, "quick.net.run")
        game, fixed, found = lines(run, games)
    text = table(fixed, found)
    print(text)
    if options.write:
        write(options.write, game, text, picture(fixed, found))


if __name__ == "__main__":
    main()
