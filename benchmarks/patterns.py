"""What the patterns of Othello have learned: pictures of edges, and the error by phase.

    python benchmarks/patterns.py                            # two tables
    python benchmarks/patterns.py --write docs/learning.md   # into the page, with the pictures
    python benchmarks/patterns.py --quick                    # few games, for CI

The patterns that come with the package play games with themselves, as in training, and the exact
solver plays the last moves. The error of a position is the difference between the score of the
patterns and the margin at the end of its game. The edges are those that these games have most
often, in the middle of the game, with the weight of each for the mover.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import playout as po
from ladder import put
from playout.learning.pattern_recipe import POINTS, SOLVED, PatternRecipe
from playout.learning.patterns import Layout, Patterns, layout_of
from playout.learning.recipe import Play, Table
from playout.learning.selfplay import Chunk
from playout.learning.shipped import shipped
from playout.render.chart import Curve, svg

START = po.Othello()
PLIES = (4, 32)  # random moves of an opening
NODES = 300  # of a search
BY_DISCS = 4  # discs of a row of the table
MIDDLE = range(24, 41)  # discs on the board
EDGES = 8  # the best, and as many of the worst
COMMON = 0.0005  # the least share of all edges of an edge that is shown
MARKS = ("<!-- benchmarks/patterns.py: begin -->\n", "<!-- benchmarks/patterns.py: end -->")
SQUARE, GAP = 22, 8  # pixels: of a picture
GREEN, LINE = "#3a8f5c", "#2b6b45"


def games(patterns: Patterns, positions: int, seed: int) -> Table:
    """Positions of games of the patterns with themselves."""
    chunk = Chunk(
        start=START,
        recipe=PatternRecipe(),
        play=Play(plies=PLIES, nodes=NODES, men=64 - SOLVED),
        weights=(patterns.facts, patterns.arrays),
        seed=seed,
        generation=1,
        number=0,
        size=positions,
    )
    return chunk.played()


@dataclass(frozen=True)
class Seen:
    """Positions, and what the patterns make of them."""

    discs: np.ndarray
    result: np.ndarray
    phases: np.ndarray
    margin: np.ndarray
    """What the patterns expect, in discs."""
    edges: np.ndarray
    """The ways to fill the four edges."""
    layout: Layout


def seen_by(patterns: Patterns, table: Table) -> Seen:
    """The positions of a table, evaluated."""
    layout = layout_of(START, tuple(map(tuple, patterns.facts["kinds"])))
    phases, indices = patterns.evaluator(START).indices(table["own"], table["enemy"])
    used = patterns.arrays["weights"][phases[:, None], layout.tied[indices]]
    score = used.sum(axis=1, dtype=np.int64) + patterns.arrays["biases"][phases]
    return Seen(
        discs=np.bitwise_count(table["own"] | table["enemy"]).astype(int),
        result=table["result"].astype(float),
        phases=phases,
        margin=score / POINTS,
        edges=indices[:, [i for i, (begin, _) in enumerate(layout.instances) if begin == 0]],
        layout=layout,
    )


def errors(seen: Seen) -> list[tuple[int, int, float, float]]:
    """For each few discs: the number of positions, the spread of their margins, and the error."""
    rows = []
    for first in range(8, 65 - SOLVED, BY_DISCS):
        here = (seen.discs >= first) & (seen.discs < first + BY_DISCS)
        if here.any():
            result = seen.result[here]
            error = float(np.sqrt(np.mean((seen.margin[here] - result) ** 2)))
            rows.append((first, int(here.sum()), float(result.std()), error))
    return rows


def common_edges(patterns: Patterns, seen: Seen) -> list[tuple[int, float]]:
    """The edges that are common in the middle of the game, and their weights in discs, best first.

    Of an edge and its mirror image only one is listed.
    """
    middle = np.isin(seen.discs, MIDDLE)
    here, tied = seen.edges[middle], seen.layout.tied
    phase = int(np.median(seen.phases[middle]))
    ways, first, counts = np.unique(tied[here], return_index=True, return_counts=True)
    weights = patterns.arrays["weights"][phase][ways] / POINTS
    shown = counts >= COMMON * here.size
    found = [
        (int(way), float(weight))
        for way, weight in zip(here.ravel()[first][shown], weights[shown], strict=True)
    ]
    return sorted(found, key=lambda edge: -edge[1])


def drawn(edges: list[tuple[int, float]]) -> str:
    """The best edges on the left, the worst on the right."""
    best, worst = edges[:EDGES], edges[-EDGES:][::-1]
    wide, high = 8 * SQUARE, 2 * SQUARE + GAP + 4
    width, height = 2 * (wide + 110), len(best) * high + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="13" '
        'fill="currentColor"><title>Edges and their weights</title>'
    ]
    for column, (title, shown) in enumerate((("Best for black", best), ("Worst for black", worst))):
        left = 4 + column * (wide + 110)
        parts.append(f'<text x="{left}" y="18" font-weight="bold">{title}</text>')
        for row, (way, weight) in enumerate(shown):
            parts.append(_edge(way, left, 30 + row * high))
            y = 30 + row * high + SQUARE + 5
            parts.append(f'<text x="{left + wide + 12}" y="{y}">{weight:+.1f} discs</text>')
    return "".join([*parts, "</svg>"])


def _edge(way: int, left: int, top: int) -> str:
    """The squares of an edge and the two next to its corners; the other six of their row are not
    part of the pattern."""
    digits = [way // 3**i % 3 for i in range(10)]
    places = [(1, 1), *((0, col) for col in range(8)), (1, 6)]
    parts = []
    for digit, (row, col) in zip(digits, places, strict=True):
        x, y = left + col * SQUARE, top + row * SQUARE
        parts.append(
            f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{GREEN}" '
            f'stroke="{LINE}"/>'
        )
        if digit:
            colour = ("#111", "#f6f6f0")[digit - 1]
            centre = f'cx="{x + SQUARE / 2}" cy="{y + SQUARE / 2}" r="{0.4 * SQUARE}"'
            parts.append(f'<circle {centre} fill="{colour}"/>')
    return "".join(parts)


def text(rows: list[tuple[int, int, float, float]]) -> str:
    """The errors as Markdown."""
    lines = [
        "| discs on the board | positions | spread of the results | error of the patterns |",
        "|---|--:|--:|--:|",
    ]
    lines += [
        f"| {first} to {first + BY_DISCS - 1} | {n:,} | {spread:.1f} | {error:.1f} |"
        for first, n, spread, error in rows
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Play, measure, draw."""
    parser = argparse.ArgumentParser(description="What the patterns of Othello have learned.")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    parser.add_argument("--quick", action="store_true", help="few positions, for CI")
    args = parser.parse_args()
    patterns = shipped(START)
    assert isinstance(patterns, Patterns)
    table = games(patterns, 5000 if args.quick else args.positions, args.seed)
    seen = seen_by(patterns, table)
    rows, shown = errors(seen), common_edges(patterns, seen)
    print(text(rows))
    for way, weight in [*shown[:EDGES], *shown[-EDGES:]]:
        print(f"{weight:+6.2f}  {''.join('-XO'[way // 3**i % 3] for i in range(10))}")
    if args.write is not None:
        images = args.write.parent / "images"
        curve = Curve([first for first, *_ in rows], [error for *_, error in rows])
        title = "Error of the patterns, in discs"
        (images / "othello-error.svg").write_text(svg(curve, title, "discs on the board") + "\n")
        (images / "othello-edges.svg").write_text(drawn(shown) + "\n")
        put(args.write, MARKS, text(rows))


if __name__ == "__main__":
    main()
