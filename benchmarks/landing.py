"""The pictures and the table of the README: a search, the chart of speed, and its numbers.

    python benchmarks/landing.py

The rates come from the tables in docs/speed.md, which `compare.py` prints. This script measures
nothing. The picture is a search with a fixed seed, so it is the same on every machine. A test
checks that the files are up to date.
"""

from __future__ import annotations

import math
import re
from html import escape
from pathlib import Path
from typing import NamedTuple

import playout as po
from playout.render.board import short_number
from playout.render.html import picture

ROOT = Path(__file__).resolve().parents[1]
BOARD, CHART = Path("docs/images/board.svg"), Path("docs/images/speed.svg")
MARKS = ("<!-- benchmarks/landing.py: begin -->", "<!-- benchmarks/landing.py: end -->")

# The programs: their column in compare.py's tables, the name and colour to show
PLAIN, OPENSPIEL, RUST, OURS = "plain Python", "OpenSpiel (C++)", "rust-reversi (Rust)", "playout"
COLOURS = {PLAIN: "#8b949e", OPENSPIEL: "#bf8700", RUST: "#cf5b2e", OURS: "#018571"}
PLAYOUTS = {
    "list-board Python": PLAIN,
    "OpenSpiel": OPENSPIEL,
    "rust-reversi": RUST,
    "playout, 1 thread": OURS,
}
SIMULATIONS = {"OpenSpiel": OPENSPIEL, "rust-reversi": RUST, "UCT": OURS}
UNITS = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}


class Race(NamedTuple):
    """A kind of work, and the rate of each program as printed: "21.2 M"."""

    title: str
    rates: dict[str, str]


# The picture of a search


def board() -> str:
    """The board of a search by UCT: values as a heat map, the most visited moves as arrows."""
    position = po.Breakthrough(6)
    for move in ("f2e3", "c5b4", "b2c3"):
        position.push(move)
    return picture(po.search(position, po.UCT(), playouts=10_000, seed=1)) + "\n"


# Rates from the tables of docs/speed.md


def cells(line: str) -> list[str]:
    """The cells of a line of a markdown table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table(page: str, corner: str) -> list[dict[str, str]]:
    """The rows of the table whose first header is `corner`, each by its headers."""
    lines = page.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(f"| {corner} "))
    header = cells(lines[first])
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(dict(zip(header, cells(line), strict=True)))
    return rows


def races(page: str) -> list[Race]:
    """Random games and UCT simulations per second, on boards that other programs have too."""
    found = []
    for corner, title, columns in (
        ("playouts per second", "Random games of {}", PLAYOUTS),
        ("simulations per second", "UCT simulations, {}", SIMULATIONS),
    ):
        for row in table(page, corner):
            rates = {name: row[column] for column, name in columns.items() if row[column]}
            if OPENSPIEL in rates and "8x8" in row[corner]:
                found.append(Race(title.format(row[corner]), rates))
    return found


def rate(text: str) -> float:
    """The number behind a short form.

    >>> rate("21.2 M")
    21200000.0
    """
    number, _, unit = text.partition(" ")
    return float(number) * UNITS[unit]


# The chart and the small table

BAR, GAP, LEFT, WIDTH, LABELS = 15, 24, 150, 640, 70  # pixels
LOWEST, HIGHEST = 1e2, 1e8  # the ends of the logarithmic axis, per second
INK = "#7d8590"  # readable on white and on dark pages


def x_of(per_second: float) -> float:
    """The x coordinate of a rate."""
    share = math.log(per_second / LOWEST) / math.log(HIGHEST / LOWEST)
    return LEFT + share * (WIDTH - LEFT - LABELS)


def text(x: float, y: float, words: str, anchor: str = "start", more: str = "") -> str:
    """A line of text in the chart."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def chart(found: list[Race]) -> str:
    """The chart: bars on a logarithmic scale, one group for each race."""
    parts, y = [], 8.0
    for race in found:
        parts.append(text(0, y + 12, f"{race.title}, per second", more=' font-weight="bold"'))
        y += GAP
        for name, printed in race.rates.items():
            end = x_of(rate(printed))
            parts += [
                text(LEFT - 8, y + 11, name, "end"),
                f'<rect x="{LEFT}" y="{y:g}" width="{end - LEFT:.1f}" height="{BAR - 2}" '
                f'rx="2" fill="{COLOURS[name]}"/>',
                text(round(end + 6, 1), y + 11, printed),
            ]
            y += BAR + 2
        y += 12
    ticks = [10.0**power for power in range(2, 9)]
    grid = [
        f'<line x1="{x_of(t):.1f}" y1="8" x2="{x_of(t):.1f}" y2="{y:g}" stroke="{INK}" '
        'stroke-opacity="0.25"/>' + text(round(x_of(t), 1), y + 14, per_second(t), "middle")
        for t in ticks
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 20:g}" '
        f'width="{WIDTH}" height="{y + 20:g}" role="img" aria-label="Speed on one thread, '
        f'logarithmic" font-family="sans-serif" font-size="12" fill="{INK}">'
        + "".join([*grid, *parts])
        + "</svg>\n"
    )


def per_second(rate: float) -> str:
    """The label of a tick: "100", "10k", "1M"."""
    return short_number(round(rate))


def small_table(found: list[Race]) -> str:
    """The same rates as a markdown table, with the ratio to the fastest other program."""
    lines = [
        f"| per second, one thread | {' | '.join(COLOURS)} | playout is |",
        "|---|" + "--:|" * (len(COLOURS) + 1),
    ]
    for title, rates in found:
        fastest = max(rate(printed) for name, printed in rates.items() if name != OURS)
        times = rate(rates[OURS]) / fastest
        shown = [rates.get(name, "") for name in COLOURS]
        lines.append(f"| {title} | {' | '.join(shown)} | {float(f'{times:.2g}'):,g}x as fast |")
    return "\n".join(lines)


def between_marks(page: str, fresh: str) -> str:
    """The page with `fresh` between the marks."""
    begin, end = map(re.escape, MARKS)
    pattern = rf"(?<={begin}\n).*(?={end})"
    return re.sub(pattern, lambda _: f"\n{fresh}\n\n", page, flags=re.DOTALL)


def files() -> dict[Path, str]:
    """The new content of each file."""
    found = races((ROOT / "docs" / "speed.md").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return {
        BOARD: board(),
        CHART: chart(found),
        Path("README.md"): between_marks(readme, small_table(found)),
    }


def main() -> None:
    """Write all files."""
    for path, content in files().items():
        (ROOT / path).write_text(content, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
