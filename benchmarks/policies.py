"""Playouts by a function in Python, beside those of the game: moves per second.

python benchmarks/policies.py            # the table of docs/speed.md
python benchmarks/policies.py --quick
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import playout as po
from playout.measure import Contestant, Row, race, short


def index(position: Any, moves: Sequence[str]) -> int:
    """The first move: the least that a function can do."""
    return 0


def weights(position: Any, moves: Sequence[str]) -> list[float]:
    """Equal weights: a draw for each move."""
    return [1.0] * len(moves)


def contestant(start: po.Position, policy: Any, name: str, games: int) -> Contestant:
    """Playouts by a policy, measured in moves."""
    plies = int(po.playouts(start, games, seed=1, policy=policy).plies)

    def play(moves: int) -> None:
        po.playouts(start, max(1, round(moves / plies * games)), seed=1, policy=policy)

    return Contestant(name, play, games=plies)


def main() -> None:
    """Print the table."""
    quick = "--quick" in sys.argv
    games = 10 if quick else 100
    rows = [
        Row(
            title,
            [
                contestant(start, "random", "random", 1000 * games),
                contestant(start, index, "index", games),
                contestant(start, weights, "weights", games),
            ],
        )
        for title, start in (("Breakthrough 8x8", po.Breakthrough()), ("Othello 8x8", po.Othello()))
    ]
    race(rows, *((1, 0.01) if quick else (8, 0.3)))
    print("| moves per second | the game's own | function: an index | function: weights |")
    print("| ---------------- | -------------: | -----------------: | ----------------: |")
    for row in rows:
        own, by_index, by_weights = (short(row.rates[n]) for n in ("random", "index", "weights"))
        print(f"| {row.title:16} | {own:>14} | {by_index:>18} | {by_weights:>17} |")


if __name__ == "__main__":
    main()
