"""Monte Carlo permutation search (MCPS) against GRAVE: is its third source worth having?

    python benchmarks/permutations.py               # all matches, an hour of one core
    python benchmarks/permutations.py --quick       # a few short games, for CI

MCPS (Cazenave 2025, arXiv 2510.06381) adds a third source to the results Q of a move and GRAVE's
AMAF values A: P, the mean of all playouts of the search that contain all the moves from the root to
the position and the move itself, in any order. It has no bias constant. The sources are the
paper's. Its weights were not at hand, so the formulas are our reading, and two are measured:

- "counts": each source weighs as much as it has playouts: least variance if none is biased;
- "errors": each weighs 1 / (1 / (4 n) + b**2), the inverse of its squared error, where b is its
  distance from Q beyond what chance explains; 0 for Q, and for all while Q has no playouts.

The search is written here in Python, for both methods alike, on the package's playouts. "grave" is
the same search with GRAVE's formula; its match against the package's GRAVE shows that it is right.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import playout as po

Numbers = NDArray[np.float64]
Weigh = Callable[[Numbers, Numbers], Numbers]  # counts and means, a row for each of Q, A, P

REF, BIAS = 50, 1e-5  # GRAVE's
BOARDS = {
    "Breakthrough 5x5": po.Breakthrough(5),
    "Breakthrough 6x6": po.Breakthrough(6),
    "Connect Four 6x7": po.ConnectFour(),
}
PLAYOUTS = (200, 500)


def grave(counts: Numbers, means: Numbers) -> Numbers:
    """`(1 - beta) Q + beta A` with GRAVE's beta."""
    n, amaf = counts[0], counts[1]
    beta = amaf / np.maximum(n + amaf + BIAS * n * amaf, 1e-9)
    return (1.0 - beta) * means[0] + beta * means[1]


def by_counts(counts: Numbers, means: Numbers) -> Numbers:
    """All playouts of all sources weigh the same."""
    return (counts * means).sum(0) / np.maximum(counts.sum(0), 1e-9)


def by_errors(counts: Numbers, means: Numbers) -> Numbers:
    """A source weighs less the farther it is from Q, beyond what chance explains."""
    variances = 0.25 / np.maximum(counts, 1e-9)
    biases = np.maximum((means - means[0]) ** 2 - variances - variances[0], 0.0)
    weights = np.where(counts > 0, 1.0 / (variances + np.where(counts[0] > 0, biases, 0.0)), 0.0)
    return (weights * means).sum(0) / np.maximum(weights.sum(0), 1e-9)


FORMULAS: dict[str, Weigh] = {"grave": grave, "counts": by_counts, "errors": by_errors}


@dataclass
class Entry:
    """A position of the tree: its moves, and the simulations that passed through it."""

    position: po.Position
    codes: NDArray[np.int64] = field(init=False)
    visits: Numbers = field(init=False)
    wins: Numbers = field(init=False)
    amaf_visits: Numbers = field(init=False)  # of all codes, from here on
    amaf_wins: Numbers = field(init=False)

    def __post_init__(self) -> None:
        moves = self.position.legal_moves
        self.codes = np.array([self.position.code(move) for move in moves], dtype=np.int64)
        self.visits, self.wins = np.zeros((2, len(moves)))
        self.amaf_visits, self.amaf_wins = np.zeros((2, self.position.n_codes))


class Search:
    """A tree search by Q, A and P. Results are the first player's."""

    def __init__(self, root: po.Position, playouts: int, formula: str, seed: int) -> None:
        self.score, self.needs_all = FORMULAS[formula], formula != "grave"
        self.root, self.seed = root, seed
        self.tree = {root.key: Entry(root.copy())}
        self.seen = np.zeros((playouts, root.n_codes), dtype=bool)  # codes of each simulation
        self.results = np.zeros(playouts)
        for number in range(playouts):
            self.simulate(number)

    def simulate(self, number: int) -> None:
        """Select, grow, play out, update."""
        position, entries, made, codes = self.root.copy(), [], [], []
        entry = self.tree[position.key]
        rows = np.arange(number)  # earlier simulations with all the moves so far
        source = entry
        while True:
            source = entry if entry.visits.sum() > REF else source
            chosen = self.best(entry, source, rows)
            entries.append(entry)
            made.append(chosen)
            codes.append(int(entry.codes[chosen]))
            if self.needs_all:
                rows = rows[self.seen[rows, codes[-1]]]
            position.push(entry.position.legal_moves[chosen])
            if position.is_over or position.key not in self.tree:
                break
            entry = self.tree[position.key]
        if position.is_over:
            result = position.result
            assert result is not None
        else:
            played = po.playout(position, seed=self.seed + number)
            codes.extend(played.codes.tolist())
            result = played.result
            entry = self.tree[position.key] = Entry(position.copy())
            self.count(entry, codes[len(made) :], result)
        for depth, (entry, chosen) in enumerate(zip(entries, made, strict=True)):
            entry.visits[chosen] += 1
            entry.wins[chosen] += result
            self.count(entry, codes[depth:], result)
        self.seen[number, codes] = True
        self.results[number] = result

    @staticmethod
    def count(entry: Entry, codes: list[int], result: float) -> None:
        """Count a result for all moves that were made from an entry on."""
        different = list(set(codes))
        entry.amaf_visits[different] += 1
        entry.amaf_wins[different] += result

    def best(self, entry: Entry, source: Entry, rows: NDArray[np.int64]) -> int:
        """The move with the best score; one of which nothing is known comes first."""
        codes = entry.codes
        counts, wins = np.zeros((2, 3, len(codes)))
        counts[0], wins[0] = entry.visits, entry.wins
        counts[1], wins[1] = source.amaf_visits[codes], source.amaf_wins[codes]
        if self.needs_all:
            with_all = self.seen[np.ix_(rows, codes)]
            counts[2], wins[2] = with_all.sum(0), self.results[rows] @ with_all
        if entry.position.turn == 1:
            wins = counts - wins
        unknown = counts.sum(0) == 0
        if unknown.any():
            return int(unknown.argmax())
        means = wins / np.maximum(counts, 1.0)
        return int(self.score(counts, means).argmax())

    @property
    def move(self) -> str:
        """The most visited move."""
        entry = self.tree[self.root.key]
        return entry.position.legal_moves[int(entry.visits.argmax())]


@dataclass(frozen=True)
class Chooser:
    """A player by this search. Its seed follows from the position."""

    formula: str
    playouts: int

    @property
    def __name__(self) -> str:
        """The player's name in tables."""
        return f"{self.formula}@{self.playouts}"

    def __call__(self, position: po.Position) -> str:
        """The move of a search."""
        seed = hash((position.key, len(position.history))) & 0x7FFFFFFF
        return Search(position, self.playouts, self.formula, seed).move


def main() -> int:
    """Play the matches and print a line for each."""
    parser = argparse.ArgumentParser(description="MCPS against GRAVE at equal playouts.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few short games, for CI")
    parser.add_argument("--only", default="", metavar="TEXT", help="lines that contain this")
    args = parser.parse_args()
    games, levels = (2, (20,)) if args.quick else (args.games, PLAYOUTS)
    print("| formula | against | board | playouts | games | wins | 95 % interval |")
    print("|---|---|---|--:|--:|--:|--:|")
    for playouts in levels:
        for board, start in BOARDS.items():
            for formula in FORMULAS:
                head = f"| {formula} | GRAVE() | {board} | {playouts} |"
                if args.only not in head:
                    continue
                match = po.match(
                    Chooser(formula, playouts),
                    f"grave@{playouts}",
                    game=start,
                    games=games,
                    seed=args.seed,
                )
                low, high = (100 * end for end in match.pairs.score_interval)
                wins = f"{100 * match.score:.1f} | {low:.1f} - {high:.1f} |"
                print(f"{head} {match.games} | {wins}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
